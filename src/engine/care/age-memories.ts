/**
 * Takes the steps that are due as memories fade: archives, prunes, and finally erases them.
 *
 * A page of rows is read, judged and changed at a time, so that neither this process nor others are blocked. Every
 * change expects what was judged. Archiving and pruning can be rolled back; an erasure is final, so it belongs to no
 * call.
 */
import { setImmediate as immediate } from "node:timers/promises";
import { Failure } from "../../errors.ts";
import { type DueStep, agingOf, dueStep, mayFade, soonestDays } from "../../logic/care/aging.ts";
import { DAY_MS } from "../../model/duration.ts";
import { removing, revising } from "../../logic/memory/item-changes.ts";
import type { AgingMemory } from "../../model/care/aging.ts";
import type { Change } from "../../model/journal/change.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Store } from "../../ports/store.ts";
import type { Stores, World } from "../../ports/world.ts";
import { commit } from "../journal/commit.ts";
import { chainOf } from "../memory/find-item.ts";
import { graphStandings } from "./graph-standing.ts";

const PAGE_ROWS = 1_000;
const BATCH_ITEMS = 50;

/** A step that was taken. */
export interface TakenStep extends DueStep, Pick<Item, "id" | "scope" | "summary"> {
  from: Item["status"];
}

type AgeWorld = Stores & Pick<World, "clock" | "settings" | "origin">;

/**
 * Yields the steps of each batch. Stores to compact are added to `unclean` before anything in them is erased. A batch
 * that others keep changing does not hold up the rest: its failure is thrown at the end.
 */
export async function* ageMemories(world: AgeWorld, unclean: Set<Store>): AsyncGenerator<TakenStep[]> {
  const now = world.clock.now();
  const before = now - soonestDays(world.settings.decay) * DAY_MS;
  const conflicts: Failure[] = [];
  const noteConflict = (thrown: unknown): TakenStep[] => {
    if (!(thrown instanceof Failure) || thrown.code !== "conflict") throw thrown;
    conflicts.push(thrown);
    return [];
  };
  for (const store of [world.project, world.global]) {
    const mayArchive = await isLinked(store);
    for (let after: number | null = 0; after !== null; ) {
      const page: { memories: AgingMemory[]; next: number | null } = await store.aging(before, {
        after,
        rows: PAGE_ROWS,
      });
      const steps = await dueAmong(page.memories, store, now, world);
      const due = steps.filter(({ to }) => mayArchive || to !== "archived");
      for (let start = 0; start < due.length; start += BATCH_ITEMS)
        yield await takeSteps(store, due.slice(start, start + BATCH_ITEMS), now, unclean, world).catch(noteConflict);
      after = page.next;
      // Most pages have nothing to do, and others must get their turn after those too.
      await immediate();
    }
  }
  if (conflicts[0]) throw conflicts[0];
}

/** Until memories are linked, nobody knows which are hubs. In a store that cannot be written they never will be. */
const isLinked = async (store: Store): Promise<boolean> => store.readOnly || (await store.unlinked(1)) === null;

interface Due<Memory> extends DueStep {
  memory: Memory;
}

async function dueAmong<Memory extends AgingMemory>(
  memories: readonly Memory[],
  store: Store,
  now: number,
  { settings }: Pick<World, "settings">,
): Promise<Due<Memory>[]> {
  const standingOf = await graphStandings(
    memories.map(({ id }) => id),
    store,
  );
  return memories.flatMap((memory) => {
    const step = dueStep(memory, standingOf(memory.id), now, settings.decay);
    return step ? [{ ...step, memory }] : [];
  });
}

async function takeSteps(
  store: Store,
  due: readonly Due<AgingMemory>[],
  now: number,
  unclean: Set<Store>,
  world: AgeWorld,
): Promise<TakenStep[]> {
  const [erasable, others] = [due.filter(({ to }) => to === "erased"), due.filter(({ to }) => to !== "erased")];
  const moved = await commit<TakenStep[]>(store, () => planMoves(store, idsOf(others), now, world), world);
  if (erasable.length === 0) return moved;
  const origin = { ...world.origin, call: "" };
  const plan = async (): Promise<Plan> => {
    const planned = await planErasures(store, idsOf(erasable), now, world);
    if (planned.changes.length > 0) unclean.add(store);
    return planned;
  };
  const erased = await commit<TakenStep[]>(store, plan, { origin });
  return [...moved, ...erased];
}

const idsOf = (due: readonly Due<AgingMemory>[]): string[] => due.map(({ memory }) => memory.id);

interface Plan {
  changes: Change[];
  answer: TakenStep[];
}

interface DueItem extends DueStep {
  item: Item;
  /** The memory and all it replaced, which nobody could reach without it. */
  chain: Item[];
}

/**
 * Reads the memories again: whatever was changed since the page was read is judged as it is now. If a person wrote a
 * part of what a memory replaced, it stays as it is: it stands for that text.
 */
async function dueItems(store: Store, ids: readonly string[], now: number, world: AgeWorld): Promise<DueItem[]> {
  const items = ids.length === 0 ? [] : await store.items("memory", ids);
  const aging = items.map((item) => ({ ...agingOf(item), item }));
  const due: DueItem[] = [];
  for (const { memory, to, why } of await dueAmong(aging, store, now, world)) {
    const chain = await chainOf(memory.item, "memory", store);
    if (chain.every((one) => mayFade(agingOf(one)))) due.push({ item: memory.item, chain, to, why });
  }
  return due;
}

async function planMoves(store: Store, ids: readonly string[], now: number, world: AgeWorld): Promise<Plan> {
  const plan: Plan = { changes: [], answer: [] };
  for (const { item, to, why } of await dueItems(store, ids, now, world)) {
    if (to === "erased") continue;
    plan.changes.push(revising("memory", item, { status: to, updatedAt: now }));
    plan.answer.push(taken(item, { to, why }));
  }
  return plan;
}

/** Erases memories together with what they replaced. */
async function planErasures(store: Store, due: readonly string[], now: number, world: AgeWorld): Promise<Plan> {
  const plan: Plan = { changes: [], answer: [] };
  const erased = new Set<string>();
  for (const { item, chain, to, why } of await dueItems(store, due, now, world)) {
    // One that was forgotten after it was replaced may be due together with its successor.
    if (to !== "erased" || erased.has(item.id)) continue;
    const left = chain.filter(({ id }) => !erased.has(id));
    plan.changes.push(...left.map((one) => removing("memory", one)));
    plan.answer.push(taken(item, { to, why }));
    for (const { id } of left) erased.add(id);
  }
  const ids = [...erased];
  if (ids.length > 0) plan.changes.push({ kind: "purge_items", ids, queries: await store.queriesFor(ids) });
  return plan;
}

const taken = ({ id, scope, summary, status }: Item, step: DueStep): TakenStep => ({
  ...{ id, scope, summary, from: status },
  ...step,
});
