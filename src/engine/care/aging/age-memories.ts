/**
 * Takes the steps that are due as memories fade: archives, prunes, and finally erases them.
 *
 * A page of rows is read, judged and changed at a time, so that neither this process nor others are blocked. Every
 * change expects what was judged. Archiving and pruning can be rolled back; an erasure is final (`erase-faded.ts`).
 */
import { setImmediate as immediate } from "node:timers/promises";
import { Failure } from "../../../errors.ts";
import { type DueStep, soonestDays } from "../../../logic/care/aging.ts";
import { DAY_MS } from "../../../model/duration.ts";
import { revising } from "../../../logic/memory/item-changes.ts";
import type { AgingMemory } from "../../../model/care/aging.ts";
import type { Change } from "../../../model/journal/change.ts";
import type { Store } from "../../../ports/store/store.ts";
import { commit } from "../../journal/commit.ts";
import {
  type AgeWorld,
  type Due,
  type TakenStep,
  type Times,
  dueAmong,
  dueItems,
  taken,
  timesOf,
} from "./due-memories.ts";
import { eraseFaded } from "./erase-faded.ts";

const PAGE_ROWS = 1_000;
const BATCH_ITEMS = 50;

/**
 * Yields the steps of each batch. Stores to compact are added to `unclean` before anything in them is erased. A batch
 * that others keep changing does not hold up the rest: its failure is thrown at the end.
 */
export async function* ageMemories(world: AgeWorld, unclean: Set<Store>): AsyncGenerator<TakenStep[]> {
  const before = world.clock.now() - soonestDays(world.settings.decay) * DAY_MS;
  const conflicts: Failure[] = [];
  for (const store of [world.project, world.global]) {
    const times = await timesOf(store, world);
    for (let after: number | null = 0; after !== null; ) {
      const page: { memories: AgingMemory[]; next: number | null } = await store.aging(before, {
        after,
        rows: PAGE_ROWS,
      });
      const due = await dueAmong(page.memories, store, times, world);
      for (let start = 0; start < due.length; start += BATCH_ITEMS)
        yield* unlessConflict(
          takeSteps(store, due.slice(start, start + BATCH_ITEMS), times, unclean, world),
          conflicts,
        );
      after = page.next;
      // Most pages have nothing to do, and others must get their turn after those too.
      await immediate();
    }
  }
  if (conflicts[0]) throw conflicts[0];
}

async function* unlessConflict<Batch>(batches: AsyncGenerator<Batch>, conflicts: Failure[]): AsyncGenerator<Batch> {
  try {
    yield* batches;
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== "conflict") throw thrown;
    conflicts.push(thrown);
  }
}

async function* takeSteps(
  store: Store,
  due: readonly Due<AgingMemory>[],
  times: Times,
  unclean: Set<Store>,
  world: AgeWorld,
): AsyncGenerator<TakenStep[]> {
  const ids = (isMeant: (to: DueStep["to"]) => boolean) =>
    due.filter(({ to }) => isMeant(to)).map(({ memory }) => memory.id);
  const moving = ids((to) => to !== "erased");
  if (moving.length > 0) yield await commit<TakenStep[]>(store, () => planMoves(store, moving, times, world), world);
  const erasing = ids((to) => to === "erased");
  if (erasing.length > 0) yield* eraseFaded(store, erasing, times, unclean, world);
}

async function planMoves(
  store: Store,
  ids: readonly string[],
  times: Times,
  world: AgeWorld,
): Promise<{ changes: Change[]; answer: TakenStep[] }> {
  const moves = (await dueItems(store, ids, times, world)).filter(({ to }) => to !== "erased");
  return {
    changes: moves.map(({ item, to }) =>
      revising("memory", item, { status: to as "archived" | "pruned", updatedAt: times.now }),
    ),
    answer: moves.map(taken),
  };
}
