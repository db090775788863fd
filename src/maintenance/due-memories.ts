/**
 * Finds the steps that are due for memories which fade.
 *
 * A memory stands for what it replaced: it stays if a person wrote a part of that. What a person brought back by a
 * rollback stays too; the journal says so, because a rollback restores the memory itself exactly as it was.
 */
import { setImmediate as immediate } from "node:timers/promises";
import { isHub, standingCentrality } from "../graph/edges.ts";
import { chainOf } from "../memory/find-item.ts";
import type { Item } from "../memory/item.ts";
import type { EdgeReads, Store } from "../store/store.ts";
import type { Stores, World } from "../world.ts";
import { agingOf, type DueStep, dueStep, marksAt, mayFade } from "./aging.ts";
import type { AgingMemory, GraphStanding } from "./figures.ts";

/** The place of memories among those they are related to, for everything that depends on it when they age. */
async function graphStandings(ids: readonly string[], store: EdgeReads): Promise<(id: string) => GraphStanding> {
  const { of, most } = await store.inDegrees(ids);
  return (id) => {
    const inDegree = of.get(id) ?? 0;
    return { centrality: standingCentrality(inDegree, most), isHub: isHub(inDegree) };
  };
}

/** The times that decide in one store. */
export interface Times {
  now: number;
  /** Counts for what cannot be undone; null if no time is confirmed yet. */
  settledAt: number | null;
}

export interface Due<Memory> extends DueStep {
  memory: Memory;
}

export interface DueItem extends DueStep {
  item: Item;
  /** The memory and all it replaced, which nobody could reach without it. */
  chain: Item[];
}

/** A step that was taken. */
export interface TakenStep extends DueStep, Pick<Item, "id" | "scope" | "summary"> {
  from: Item["status"];
}

export const taken = ({ item: { id, scope, summary, status }, to, why }: DueStep & { item: Item }): TakenStep => ({
  id,
  scope,
  summary,
  from: status,
  to,
  why,
});

export type AgeWorld = Stores & Pick<World, "clock" | "settings" | "origin">;
type DueWorld = Pick<World, "settings">;

export async function timesOf(store: Store, { clock }: Pick<World, "clock">): Promise<Times> {
  const now = clock.now();
  return { now, settledAt: marksAt(await store.clockMarks(), now).settledAt };
}

export async function dueAmong<Memory extends AgingMemory>(
  memories: readonly Memory[],
  store: Store,
  { now, settledAt }: Times,
  { settings }: DueWorld,
): Promise<Due<Memory>[]> {
  const standingOf = await graphStandings(
    memories.map(({ id }) => id),
    store,
  );
  return memories.flatMap((memory) => {
    const at = memory.status === "pruned" ? settledAt : now;
    const step = at === null ? null : dueStep(memory, standingOf(memory.id), at, settings.decay);
    return step ? [{ ...step, memory }] : [];
  });
}

/** Reads the memories again: whatever was changed since the page was read is judged as it is now. */
export async function dueItems(
  store: Store,
  ids: readonly string[],
  times: Times,
  world: DueWorld,
): Promise<DueItem[]> {
  const items = ids.length === 0 ? [] : await store.items("memory", ids);
  const aging = items.map((item) => ({ ...agingOf(item), item }));
  const due: DueItem[] = [];
  for (const { memory, to, why } of await dueAmong(aging, store, times, world)) {
    const { item } = memory;
    const chain = await chainOf(item, "memory", store);
    // A summary may have replaced hundreds, and the store answers synchronously.
    if (chain.length > 1) await immediate();
    if (!chain.every((one) => mayFade(agingOf(one)))) continue;
    if (await isBroughtBack(item, store)) continue;
    due.push({ item, chain, to, why });
  }
  return due;
}

/** Whether the last change was that a person rolled another one back. */
async function isBroughtBack({ id }: Item, store: Store): Promise<boolean> {
  const { records } = await store.journal({ itemIds: [id], shelf: "memory" }, { limit: 1, offset: 0 });
  return records[0]?.verb === "rollback" && records[0].host !== "mcp";
}
