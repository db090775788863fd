/**
 * Erases memories that were pruned long ago, together with what they replaced.
 *
 * A summary may have replaced hundreds of memories, so a transaction is limited by the memories it erases: first
 * predecessors, then those that replaced them. Interrupted in between, the rest is erased by the next run. An erasure
 * belongs to no call, because nothing could undo it.
 */
import { setImmediate as immediate } from "node:timers/promises";
import { removing } from "../../../logic/memory/item-changes.ts";
import type { Change } from "../../../model/journal/change.ts";
import type { Item } from "../../../model/memory/item.ts";
import type { Store } from "../../../ports/store/store.ts";
import { commit } from "../../journal/commit.ts";
import { type AgeWorld, type DueItem, type TakenStep, type Times, dueItems, taken } from "./due-memories.ts";

const BATCH_ITEMS = 50;

/** Yields the steps of each transaction. */
export async function* eraseFaded(
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
