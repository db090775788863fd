/**
 * Takes the steps that are due as memories fade: archives, prunes, and finally erases them.
 *
 * A page of rows is read, judged and changed at a time, so that neither this process nor others are blocked. Every
 * change expects what was judged. Archiving and pruning can be rolled back; an erasure is final (`erase-faded.ts`).
 */
import { setImmediate as immediate } from "node:timers/promises";
import { Failure } from "../errors.ts";
import type { Change } from "../journal/change.ts";
import { commit } from "../journal/commit.ts";
import { removing, revising } from "../memory/item-changes.ts";
import type { Item } from "../memory/item.ts";
import type { Store } from "../store/store.ts";
import { DAY_MS } from "../time/calendar.ts";
import { type DueStep, soonestDays } from "./aging.ts";
import {
  type AgeWorld,
  type Due,
  dueAmong,
  type DueItem,
  dueItems,
  taken,
  type TakenStep,
  type Times,
  timesOf,
} from "./due-memories.ts";
import type { AgingMemory } from "./figures.ts";

// Erases memories that were pruned long ago, together with what they replaced.
//
// A summary may have replaced hundreds of memories, so a transaction is limited by the memories it erases: first
// predecessors, then those that replaced them. Interrupted in between, the rest is erased by the next run. An erasure
// belongs to no call, because nothing could undo it.

/** Yields the steps of each transaction. */
async function* eraseFaded(
  store: Store,
  ids: readonly string[],
  times: Times,
  unclean: Set<Store>,
  world: AgeWorld,
): AsyncGenerator<TakenStep[]> {
  const origin = { ...world.origin, call: "" };
  for (let due: readonly DueItem[] | null = null; due === null || due.length > 0; ) {
    const known: readonly DueItem[] | null = due;
    let isFresh = known !== null;
    const batch: Batch = await commit<Batch>(
      store,
      async () => {
        // After a conflict everything is read again.
        const found = isFresh ? known! : await erasable(store, ids, times, world);
        isFresh = false;
        const planned = await planBatch(store, found);
        if (planned.changes.length > 0) unclean.add(store);
        return planned;
      },
      { origin },
    );
    due = batch.left;
    yield batch.done;
    await immediate();
  }
}

const erasable = async (...[store, ids, times, world]: Parameters<typeof dueItems>): Promise<DueItem[]> =>
  (await dueItems(store, ids, times, world)).filter(({ to }) => to === "erased");

interface Batch {
  done: TakenStep[];
  left: DueItem[];
}

async function planBatch(store: Store, due: readonly DueItem[]): Promise<{ changes: Change[]; answer: Batch }> {
  const erased = new Map<string, Item>();
  const batch: Batch = { done: [], left: [] };
  for (const step of due) {
    // One that was forgotten after it was replaced may be due together with its successor.
    const left = step.chain.filter(({ id }) => !erased.has(id));
    const going = left.toReversed().slice(0, BATCH_ITEMS - erased.size);
    for (const one of going) erased.set(one.id, one);
    const chain = left.slice(0, left.length - going.length);
    if (chain.length > 0) batch.left.push({ ...step, chain });
    else if (going.length > 0) batch.done.push(taken(step));
  }
  const ids = [...erased.keys()];
  const changes: Change[] = [...erased.values()].map((one) => removing("memory", one));
  if (ids.length > 0) changes.push({ kind: "purge_items", ids, queries: await store.queriesFor(ids) });
  return { changes, answer: batch };
}

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
