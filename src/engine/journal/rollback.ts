/**
 * Rolls back calls: restores what they changed, in both stores.
 *
 * Everything is planned before anything is written, so a refusal changes nothing. Batches are
 * written one by one, first in the store where items are restored: a crash in between leaves
 * two copies rather than none, and repeating the rollback completes it.
 */
import { setImmediate as immediate } from "node:timers/promises";
import { Failure } from "../../errors.ts";
import {
  type Goal,
  type RollbackSituation,
  goalsOf,
  inOrder,
  keyOf,
  isUnarchived,
  needsPassages,
  planRollback,
} from "../../logic/journal/plan-rollback.ts";
import type { EdgeGoal } from "../../logic/journal/plan-rollback-edges.ts";
import { uniqueSlotOf } from "../../logic/memory/uniqueness.ts";
import type { StoreName } from "../../model/care/backup.ts";
import { handleOf, identityOf } from "../../model/memory/handles.ts";
import type { Item } from "../../model/memory/item.ts";
import { type ItemRecord, isEdgeRecord } from "../../model/journal/journal.ts";
import type { Passage, Shelf } from "../../model/memory/shelf.ts";
import type { ItemReads } from "../../ports/store/items.ts";
import type { JournalReads } from "../../ports/store/journal.ts";
import type { Store } from "../../ports/store/store.ts";
import type { ReviseWorld, World } from "../../ports/world.ts";
import { needCall } from "./choose-calls.ts";
import { commit } from "./commit.ts";
import { passagesOf, withTokens } from "../text/passages.ts";
import { PORTION, recordsOf } from "./records.ts";
import { type Batch, batchesOf } from "./rollback-batches.ts";
import { circleAmong } from "./rollback-chains.ts";
import { planEdges } from "./rollback-edges.ts";
import { refused } from "./refusal.ts";

export interface RolledBackItem {
  id: string;
  handle: string;
  shelf: Shelf;
  store: StoreName;
  became: "removed" | "restored" | "revised";
}

export interface RolledBack {
  status: "rolled_back" | "unchanged";
  /** Newest first. */
  calls: string[];
  undone: number;
  items: RolledBackItem[];
  /** Number of edges removed or restored. */
  edges: number;
  /** They erased something, which cannot be undone. */
  erased?: true;
  /** This rollback's own call; rolling it back redoes the calls. */
  call: string | null;
}

/** One call by its id, handle or prefix, or several by id. */
export type RollbackRequest = { call: string } | { chosen: readonly string[] };

/** A store with a journal of its own. */
interface Side {
  name: RolledBackItem["store"];
  store: Store;
  others: readonly Store[];
}

type Touched = Pick<Goal, "shelf" | "id">;

const ITEMS_SHOWN = 100;

export async function rollback(
  request: RollbackRequest,
  world: ReviseWorld & Pick<World, "zone">,
): Promise<RolledBack> {
  const calls = "chosen" in request ? [...request.chosen] : [await needCall(request.call, world)];
  const sides = sidesOf(world);
  const planned = [];
  for (const side of sides) planned.push({ side, batches: await planSide(side, calls, world) });
  planned.sort((one, two) => Number(bringsBack(two.batches)) - Number(bringsBack(one.batches)));

  const done: { side: Side; goal: Goal }[] = [];
  const edges: EdgeGoal[] = [];
  try {
    for (const { side, batches } of planned)
      for await (const step of commitSide(side, batches, calls, world)) {
        done.push(...step.goals.map((goal) => ({ side, goal })));
        edges.push(...step.edges);
      }
  } catch (thrown) {
    throw done.length + edges.length > 0 && thrown instanceof Failure ? halfDone(thrown, world) : thrown;
  }
  return {
    status: done.length + edges.length > 0 ? "rolled_back" : "unchanged",
    ...((await hasErased(sides, calls)) && { erased: true as const }),
    calls,
    undone: [...done.map(({ goal }) => goal), ...edges].reduce((sum, { entries }) => sum + entries, 0),
    items: rolledBackItems(done).slice(0, ITEMS_SHOWN),
    edges: edges.length,
    call: (done.length + edges.length > 0 && world.origin.call) || null,
  };
}

function sidesOf({ project, global }: Pick<ReviseWorld, "project" | "global">): Side[] {
  const named = (name: Side["name"], store: Store) => (store.parts ?? [store]).map((part) => ({ name, store: part }));
  const all = [...named("project", project), ...named("global", global)];
  return all.map((side) => ({
    ...side,
    others: all.filter(({ store }) => store !== side.store).map(({ store }) => store),
  }));
}

async function hasErased(sides: readonly Side[], calls: readonly string[]): Promise<boolean> {
  for (const { store } of sides)
    for await (const { kind } of recordsOf(store, { calls }))
      if (kind === "purge_items" || kind === "redact_items") return true;
  return false;
}

const bringsBack = (batches: readonly Batch[]): boolean =>
  batches.some(({ goals }) => goals.some(({ from, to }) => !from && to));

/** One that returns from one part of a store to another was revised. */
function rolledBackItems(done: readonly { side: Side; goal: Goal }[]): RolledBackItem[] {
  const items = new Map<string, RolledBackItem>();
  for (const { side, goal } of done) {
    const { id, shelf, from, to } = goal;
    const key = `${side.name} ${keyOf(goal)}`;
    const became = items.has(key) ? "revised" : !to ? "removed" : from ? "revised" : "restored";
    items.set(key, { ...identityOf(id), shelf, store: side.name, became });
  }
  return [...items.values()];
}

/** Commits each batch by itself, so that other work gets its turn. Plans again after a conflict. */
async function* commitSide(
  side: Side,
  planned: readonly Batch[],
  calls: readonly string[],
  world: Pick<World, "tokenizer" | "clock" | "log" | "origin">,
): AsyncGenerator<Batch> {
  for (let batches = planned; batches.length > 0; batches = batches.slice(1)) {
    let isFresh = true;
    yield await commit(
      side.store,
      async () => {
        if (!isFresh) batches = await planSide(side, calls, world);
        isFresh = false;
        const batch = batches[0] ?? { changes: [], goals: [], edges: [] };
        return { changes: batch.changes, answer: batch };
      },
      world,
    );
    await immediate();
  }
}

async function planSide(
  side: Side,
  calls: readonly string[],
  world: Pick<World, "tokenizer" | "clock" | "log">,
): Promise<Batch[]> {
  const { store } = side;
  const goals = await goalsIn(side, calls);
  const plan = planRollback(goals, {
    now: world.clock.now(),
    passages: await preparedPassages(goals, store, world),
    twins: await twinsOf(goals, store),
    replaced: await replacedBy(goals, store),
  });
  if ("refusal" in plan) throw refused(plan.refusal);
  const circle = await circleAmong(goals, store);
  if (circle) throw refused(circle);
  const tied = await planEdges(store, calls, goals);
  if ("refusal" in tied) throw refused(tied.refusal);
  // Edges are removed before the items they connect, and restored after them.
  const [items, none] = [plan.steps.map((step) => ({ ...step, edges: [] })), { goals: [] }];
  return batchesOf([
    ...tied.going.map((step) => ({ ...step, ...none })),
    ...items,
    ...tied.coming.map((step) => ({ ...step, ...none })),
  ]);
}

async function goalsIn(side: Side, calls: readonly string[]): Promise<Goal[]> {
  const touched = new Map<string, Touched>();
  for await (const record of recordsOf(side.store, { calls })) {
    const { shelf, itemId: id } = record;
    if (!isEdgeRecord(record)) touched.set(keyOf({ shelf, id }), { shelf, id });
  }
  const goals: Goal[] = [];
  for (const portion of portionsOf([...touched.values()])) {
    const found = goalsOf(await pastOf(side, portion, calls));
    if ("refusal" in found) throw refused(found.refusal);
    goals.push(...found.goals);
  }
  return inOrder(goals);
}

/** Items are read before their history, so that a change in between is noticed when writing. */
async function pastOf({ store, others }: Side, touched: readonly Touched[], calls: readonly string[]) {
  const keys = new Set(touched.map(keyOf));
  const current = await itemsByKey(store, touched);
  const records: ItemRecord[] = [];
  for await (const record of recordsOf(store, { itemIds: idsOf(touched) }))
    if (!isEdgeRecord(record) && keys.has(keyOf({ shelf: record.shelf, id: record.itemId }))) records.push(record);
  const gone = touched.filter((one) => !current.has(keyOf(one)));
  const elsewhere = new Set<string>();
  for (const other of gone.length > 0 ? others : []) {
    const moved = new Set((await itemsByKey(other, gone)).keys());
    if (moved.size > 0)
      for await (const { shelf, itemId: id } of recordsOf(other, { calls, itemIds: idsOf(gone) }))
        moved.delete(keyOf({ shelf, id }));
    for (const key of moved) elsewhere.add(key);
  }
  return { calls: new Set(calls), records, current, elsewhere };
}

const idsOf = (touched: readonly Touched[]): string[] => [...new Set(touched.map(({ id }) => id))];

function* portionsOf<T>(all: readonly T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += PORTION) yield all.slice(start, start + PORTION);
}

async function itemsByKey(store: ItemReads, touched: readonly Touched[]): Promise<Map<string, Item>> {
  const found = new Map<string, Item>();
  for (const [shelf, ofShelf] of Map.groupBy(touched, (one) => one.shelf)) {
    for (const item of await store.items(shelf, idsOf(ofShelf))) found.set(keyOf({ shelf, id: item.id }), item);
  }
  return found;
}

async function preparedPassages(
  goals: readonly Goal[],
  store: ItemReads,
  world: Pick<World, "tokenizer" | "log">,
): Promise<Map<string, Passage[]>> {
  const prepared = new Map<string, Passage[]>();
  for (const goal of goals.filter((one) => needsPassages(one) || isUnarchived(one))) {
    const kept = isUnarchived(goal) ? (await store.whole(goal.shelf, [goal.id]))[0]?.passages : goal.kept;
    prepared.set(keyOf(goal), await (kept ? withTokens(kept, world) : passagesOf(goal.to!, world)));
    if (prepared.size % PORTION === 0) await immediate();
  }
  return prepared;
}

async function twinsOf(goals: readonly Goal[], store: ItemReads): Promise<Map<string, Item>> {
  const twins = new Map<string, Item>();
  for (const [index, goal] of goals.entries()) {
    const { shelf, to } = goal;
    const twin = to && uniqueSlotOf(shelf, to) ? await store.sameContent(shelf, to.scope, to.hash) : null;
    if (twin) twins.set(keyOf(goal), twin);
    if (index % PORTION === 0) await immediate();
  }
  return twins;
}

async function replacedBy(
  goals: readonly Goal[],
  store: ItemReads & JournalReads,
): Promise<RollbackSituation["replaced"]> {
  const replaced = [];
  const going = goals.filter(({ to }) => !to);
  for (const [shelf, ofShelf] of Map.groupBy(going, (goal) => goal.shelf)) {
    for (const portion of portionsOf(ofShelf)) {
      const items = await store.replacedBy(shelf, idsOf(portion));
      const histories = new Map<string, ItemRecord[]>(items.map(({ id }) => [id, []]));
      if (items.length > 0)
        for await (const record of recordsOf(store, { itemIds: [...histories.keys()] }))
          if (record.shelf === shelf && !isEdgeRecord(record)) histories.get(record.itemId)!.push(record);
      replaced.push(...items.map((item) => ({ shelf, item, history: histories.get(item.id)! })));
      await immediate();
    }
  }
  return replaced;
}

/** The failure after a part was already written. */
function halfDone({ code, message, hint }: Failure, { origin }: Pick<World, "origin">): Failure {
  const rest = `Part of it is done; \`stele rollback ${handleOf(origin.call)}\` undoes that part.`;
  return new Failure(code, `${message} ${rest}`, hint);
}
