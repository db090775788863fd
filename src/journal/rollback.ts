/**
 * Rolls back calls: restores what they changed, in both stores.
 *
 * Everything is planned before anything is written, so a refusal changes nothing. Batches are
 * written one by one, first in the store where items are restored: a crash in between leaves
 * two copies rather than none, and repeating the rollback completes it.
 */
import { setImmediate as immediate } from "node:timers/promises";
import { Failure } from "../errors.ts";
import { type Edge, EDGE_SHELVES, type EdgeShelf } from "../graph/edges.ts";
import type { StoreName } from "../maintenance/backup.ts";
import { handleOf, identityOf } from "../memory/handles.ts";
import type { Item } from "../memory/item.ts";
import { passagesOf, withTokens } from "../memory/passages.ts";
import { uniqueSlotOf } from "../memory/remember-rules.ts";
import type { Passage, Shelf } from "../memory/shelves.ts";
import type { EdgeReads, ItemReads, JournalReads, Store } from "../store/store.ts";
import type { ReviseWorld, World } from "../world.ts";
import { needCall } from "./choose-calls.ts";
import { commit, PORTION, recordsOf } from "./commit.ts";
import { type EdgeRecord, isEdgeRecord, type ItemRecord } from "./journal.ts";
import {
  type EdgeGoal,
  edgeGoalsOf,
  type EdgeSteps,
  endsOf,
  type Goal,
  goalsOf,
  inOrder,
  isUnarchived,
  keyOf,
  needsPassages,
  type Outcome,
  planEdgeRollback,
  planRollback,
  type Refusal,
  type RollbackSituation,
  type Step,
} from "./rollback-rules.ts";

/** Divides the steps of a rollback into transactions. */
const BATCH_CHANGES = 200;
const BATCH_CHARACTERS = 4_000_000;

/** Changes for one transaction. */
interface Batch extends Step {
  edges: EdgeGoal[];
}

/** Groups steps up to the size of a transaction. */
function batchesOf(steps: readonly Batch[]): Batch[] {
  const batches: Batch[] = [];
  let characters = Infinity;
  for (const { goals, edges, changes } of steps) {
    const length = goals.reduce(
      (sum, { from, to }) => sum + (from?.content ?? "").length + (to?.content ?? "").length,
      0,
    );
    const last = batches.at(-1);
    if (last && last.changes.length + changes.length <= BATCH_CHANGES && characters + length <= BATCH_CHARACTERS) {
      last.goals.push(...goals);
      last.edges.push(...edges);
      last.changes.push(...changes);
      characters += length;
    } else {
      batches.push({ goals: [...goals], edges: [...edges], changes: [...changes] });
      characters = length;
    }
  }
  return batches;
}

// Refuses a rollback that would let an item eventually replace itself: all items of the circle would vanish.

/** `goals` are those of one store. */
async function circleAmong(goals: readonly Goal[], store: ItemReads & JournalReads): Promise<Refusal | null> {
  const known = new Map(goals.map((goal) => [keyOf(goal), goal]));
  // Items whose chain is known to end.
  const ending = new Set<string>();
  for (const { shelf, id, from, to } of goals) {
    if (!to?.supersededBy || from?.supersededBy === to.supersededBy) continue;
    const passed = [id];
    let at: string | null = to.supersededBy;
    while (at !== null && !passed.includes(at) && !ending.has(keyOf({ shelf, id: at }))) {
      passed.push(at);
      const goal = known.get(keyOf({ shelf, id: at }));
      const item: Item | null | undefined = goal ? goal.to : (await store.items(shelf, [at]))[0];
      at = item?.supersededBy ?? null;
    }
    if (at !== id) {
      if (at === null || !passed.includes(at)) for (const one of passed) ending.add(keyOf({ shelf, id: one }));
      continue;
    }
    const other = passed.findLast((one) => !known.has(keyOf({ shelf, id: one }))) ?? to.supersededBy;
    const { records } = await store.journal({ itemIds: [other], shelf }, { limit: 1, offset: 0 });
    return { why: "circle", shelf, id, other, call: records[0]?.call ?? null };
  }
  return null;
}

// Plans the rollback of edges: reads the history of those that the calls touched.

/** `items` are the goals for items of the same store. */
async function planEdges(
  store: ItemReads & EdgeReads & JournalReads,
  calls: readonly string[],
  items: readonly Goal[],
): Promise<Outcome<EdgeSteps>> {
  const touched = new Map<string, EdgeRecord["shelf"]>();
  for await (const record of recordsOf(store, { calls }))
    if (isEdgeRecord(record)) touched.set(record.itemId, record.shelf);
  const goals: EdgeGoal[] = [];
  const ids = [...touched.keys()];
  for (let start = 0; start < ids.length; start += PORTION) {
    const portion = ids.slice(start, start + PORTION);
    // Edges are read before their history, so that a change in between is noticed when writing.
    const current = new Map<string, Edge>();
    for (const shelf of EDGE_SHELVES) for (const edge of await store.edges(shelf, portion)) current.set(edge.id, edge);
    const records: EdgeRecord[] = [];
    for await (const record of recordsOf(store, { itemIds: portion })) if (isEdgeRecord(record)) records.push(record);
    const found = edgeGoalsOf({ calls: new Set(calls), records, current });
    if ("refusal" in found) return found;
    goals.push(...found.goals);
  }
  return planEdgeRollback(goals, items, await missingEnds(goals, store));
}

/** Missing ends of the edges, and the call that removed each. */
async function missingEnds(goals: readonly EdgeGoal[], store: ItemReads & JournalReads): Promise<Map<string, string>> {
  const missing = new Map<string, string>();
  for (const [shelf, ends] of Map.groupBy(endsOf(goals), (end): EdgeShelf => end.shelf)) {
    const ids = [...new Set(ends.map(({ id }) => id))];
    const there = new Set((await store.outlines(shelf, ids)).map(({ id }) => id));
    for (const id of ids.filter((one) => !there.has(one))) {
      const { records } = await store.journal({ itemIds: [id], shelf }, { limit: 1, offset: 0 });
      missing.set(id, records[0]?.call ?? "");
    }
  }
  return missing;
}

/** Turns the reason why a rollback is refused into an error message. */
function refused(refusal: Refusal): Failure {
  if (refusal.why === "loose end") {
    return conflict(
      `The edge \`${refusal.edge}\` cannot be restored, because ${handleOf(refusal.other)} no longer exists.`,
      refusal.call ? `Roll back ${handleOf(refusal.call)} first.` : "Roll back other calls.",
    );
  }
  const { shelf, id } = refusal;
  const what = "isEdge" in refusal ? `the edge \`${id}\`` : `${shelf} ${handleOf(id)}`;
  switch (refusal.why) {
    case "changed since":
      return conflict(
        `Call ${handleOf(refusal.call)} (${refusal.verb}) changed ${what} later.`,
        `Roll back ${handleOf(refusal.call)} first.`,
      );
    case "erased":
      return conflict(
        `The previous version of ${what} has been erased, or dropped because of its age.`,
        "That is permanent; roll back other calls.",
      );
    case "not kept":
      return conflict(
        `The previous version of ${what} was not kept: for evidence the journal keeps only hashes.`,
        "Roll back other calls.",
      );
    case "said twice":
      return conflict(
        `The ${what} cannot be restored: ${handleOf(refusal.other)} has the same content.`,
        `Forget ${handleOf(refusal.other)} first.`,
      );
    case "still needed":
      return conflict(
        `The ${what} would be removed, but it replaced ${handleOf(refusal.other)}.`,
        `Roll back ${handleOf(refusal.call)} first.`,
      );
    case "circle":
      return conflict(
        `The ${what} would be replaced again, but it has itself replaced ${handleOf(refusal.other)} since: both would vanish.`,
        refusal.call ? `Roll back ${handleOf(refusal.call)} first.` : "Roll back other calls.",
      );
  }
}

const conflict = (message: string, hint: string): Failure => new Failure("conflict", message, hint);

interface RolledBackItem {
  id: string;
  handle: string;
  shelf: Shelf;
  store: StoreName;
  became: "removed" | "restored" | "revised";
}

interface RolledBack {
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
type RollbackRequest = { call: string } | { chosen: readonly string[] };

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
