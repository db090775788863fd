/**
 * Drops records that are older than the settings keep them: entries of the access log, and previous states in the
 * journal.
 *
 * In pages, each its own transaction. Dropped states cannot be brought back, so this belongs to no call, and goes by a
 * time that the clock has confirmed.
 */
import type { Change } from "../../model/journal/change.ts";
import { DAY_MS } from "../../model/duration.ts";
import type { Store } from "../../ports/store/store.ts";
import type { Stores, World } from "../../ports/world.ts";
import { timesOf } from "./aging/due-memories.ts";

const PAGE_RECORDS = 1_000;

type TrimWorld = Stores & Pick<World, "clock" | "settings" | "origin">;

/** Yields how many were dropped. */
export function trimAccessLog(world: TrimWorld): AsyncGenerator<number> {
  return trim(
    world.settings.retention.accessDays,
    (store, before, after) => store.agedAccesses(before, { after, limit: PAGE_RECORDS }),
    (numbers) => ({ kind: "drop_accesses", numbers }),
    world,
  );
}

export function trimJournal(world: TrimWorld): AsyncGenerator<number> {
  return trim(
    world.settings.retention.journalDays,
    (store, before, after) => store.agedPayloads(before, { after, limit: PAGE_RECORDS }),
    (numbers) => ({ kind: "drop_payloads", numbers }),
    world,
  );
}

async function* trim(
  keptDays: number,
  aged: (store: Store, before: number, after: number) => Promise<number[]>,
  dropping: (numbers: number[]) => Change,
  world: TrimWorld,
): AsyncGenerator<number> {
  const { project, global, origin } = world;
  for (const store of [project, global]) {
    const { settledAt } = await timesOf(store, world);
    if (settledAt === null) continue;
    for (let after = 0; ; ) {
      const numbers = await aged(store, settledAt - keptDays * DAY_MS, after);
      if (numbers.length === 0) break;
      await store.apply([dropping(numbers)], { ...origin, call: "" });
      yield numbers.length;
      after = numbers.at(-1)!;
    }
  }
}
