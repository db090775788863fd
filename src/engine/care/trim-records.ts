/**
 * Drops records that are older than the settings keep them: entries of the access log, and previous states in the
 * journal.
 *
 * In pages, each its own transaction. Dropped states cannot be brought back, so this belongs to no call.
 */
import type { Change } from "../../model/journal/change.ts";
import { DAY_MS } from "../../model/duration.ts";
import type { Store } from "../../ports/store.ts";
import type { Stores, World } from "../../ports/world.ts";

const PAGE_RECORDS = 1_000;

type TrimWorld = Stores & Pick<World, "clock" | "settings" | "origin">;

/** Yields how many were dropped. */
export function trimAccessLog(world: TrimWorld): AsyncGenerator<number> {
  const before = world.clock.now() - world.settings.retention.accessDays * DAY_MS;
  return trim(
    (store, after) => store.agedAccesses(before, { after, limit: PAGE_RECORDS }),
    (numbers) => ({ kind: "drop_accesses", numbers }),
    world,
  );
}

export function trimJournal(world: TrimWorld): AsyncGenerator<number> {
  const before = world.clock.now() - world.settings.retention.journalDays * DAY_MS;
  return trim(
    (store, after) => store.agedPayloads(before, { after, limit: PAGE_RECORDS }),
    (numbers) => ({ kind: "drop_payloads", numbers }),
    world,
  );
}

async function* trim(
  aged: (store: Store, after: number) => Promise<number[]>,
  dropping: (numbers: number[]) => Change,
  { project, global, origin }: TrimWorld,
): AsyncGenerator<number> {
  for (const store of [project, global]) {
    for (let after = 0; ; ) {
      const numbers = await aged(store, after);
      if (numbers.length === 0) break;
      await store.apply([dropping(numbers)], { ...origin, call: "" });
      yield numbers.length;
      after = numbers.at(-1)!;
    }
  }
}
