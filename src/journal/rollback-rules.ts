/**
 * The changes that roll back calls.
 *
 * Every item the calls touched returns, in one step, to its state before the first of them, so nothing depends on
 * states in between. Refused if that would undo someone's later change, needs erased data, or would store the same
 * content twice.
 */
import { type Edge, edgeName, type EdgeShelf, hasEdges } from "../graph/edges.ts";
import {
  insertingOnRecord,
  isEmbedded,
  isExpired,
  removing,
  removingOnRecord,
  revising,
  revisionTo,
} from "../memory/item-changes.ts";
import { INDEXED_FIELDS } from "../memory/item-fields.ts";
import type { Item } from "../memory/item.ts";
import { uniqueSlotOf } from "../memory/remember-rules.ts";
import type { Passage, Shelf } from "../memory/shelves.ts";
import type { Change } from "./change.ts";
import type { EdgeImage, EdgeRecord, Image, ItemRecord } from "./journal.ts";

/** One store's records of the items that the calls touched. */
export interface Past {
  calls: ReadonlySet<string>;
  /** Every change to these items by any call, newest first. */
  records: readonly ItemRecord[];
  /** The existing items, by key. */
  current: ReadonlyMap<string, Item>;
  /** Items that moved from here to the other store, where the calls did not touch them. */
  elsewhere: ReadonlySet<string>;
}

/** The state an item returns to; null means absent. */
export interface Goal {
  shelf: Shelf;
  id: string;
  from: Item | null;
  to: Item | null;
  /** Passages that cannot be rebuilt from the content. */
  kept: Passage[] | null;
  /** The first entry it rolls back, and how many. */
  since: number;
  entries: number;
}

export type Refusal =
  /** `id` is the name of an edge if `isEdge`. */
  | { why: "changed since"; shelf: Shelf; id: string; isEdge?: true; call: string; verb: string }
  | { why: "erased" | "not kept"; shelf: Shelf; id: string }
  /** `other` exists, or returns as well, with the same content. */
  | { why: "said twice"; shelf: Shelf; id: string; other: string }
  /** `other` was superseded by this item, which would be removed. */
  | { why: "still needed"; shelf: Shelf; id: string; other: string; call: string }
  /** It would be superseded again, but `other` in the chain of its successors leads back to it. */
  | { why: "circle"; shelf: Shelf; id: string; other: string; call: string | null }
  /** An edge would return, but `other` at its end is gone. */
  | { why: "loose end"; shelf: Shelf; edge: string; other: string; call: string };

/** The situation of the goals in their store. */
export interface RollbackSituation {
  now: number;
  /** New passages for the goals that need them. */
  passages: ReadonlyMap<string, Passage[]>;
  /** Existing items with the content that a goal would restore, by the goal's key. */
  twins: ReadonlyMap<string, Item>;
  /** Items superseded by those to be removed, with their changes, newest first. */
  replaced: readonly { shelf: Shelf; item: Item; history: readonly ItemRecord[] }[];
}

export type Outcome<T> = T | { refusal: Refusal };

export const keyOf = ({ shelf, id }: { shelf: Shelf; id: string }): string => `${shelf} ${id}`;

/** Goals, newest first; unchanged items have none. */
export function goalsOf(past: Past): Outcome<{ goals: Goal[] }> {
  const goals: Goal[] = [];
  const histories = Map.groupBy(past.records, ({ shelf, itemId }) => keyOf({ shelf, id: itemId }));
  for (const [key, history] of histories) {
    const outcome = goalOf(key, history, past);
    if (outcome && "refusal" in outcome) return outcome;
    if (outcome) goals.push(outcome);
  }
  return { goals: inOrder(goals) };
}

/** Newest first, also across several batches. */
export const inOrder = (goals: readonly Goal[]): Goal[] =>
  onePerWorkingPlace(goals.toSorted((one, two) => one.since - two.since)).reverse();

/**
 * Working memories are inserted without a record, so two may have held the same content one after the other: only the
 * first existed before.
 */
function onePerWorkingPlace(oldestFirst: readonly Goal[]): Goal[] {
  const seenSlots = new Set<string>();
  const goals = oldestFirst.map((goal) => {
    const slot = goal.to?.scope === "working" ? uniqueSlotOf(goal.shelf, goal.to) : null;
    if (slot === null || !seenSlots.has(slot)) {
      if (slot) seenSlots.add(slot);
      return goal;
    }
    return { ...goal, to: null, kept: null };
  });
  return goals.filter(({ from, to }) => from ?? to);
}

function goalOf(key: string, history: readonly ItemRecord[], past: Past): Outcome<Goal> | null {
  const own = history.filter(({ call }) => past.calls.has(call));
  const first = own.at(-1);
  if (!first) return null;
  const { shelf, itemId: id, before, passages: kept } = first;
  const from = past.current.get(key) ?? null;
  const now = imageNow(from, history[0]!);
  const later = laterChange(history, now, past.calls, isSame);
  const hasMoved = later !== null && past.elsewhere.has(key);
  if (isSame(before, now) && !hasMoved) return null;
  // Unrecoverable states are reported first: rolling back the later change would not help.
  if (!before.item && before.why !== "absent") return { refusal: { why: before.why, shelf, id } };
  if (later) return { refusal: { why: "changed since", shelf, id, call: later.call, verb: later.verb } };
  return { shelf, id, from, to: before.item, kept, since: first.seq, entries: own.length };
}

/** An item that is gone without a record expired or was evicted as a working item. */
function imageNow(item: Item | null, newest: ItemRecord): Image {
  if (item) return { item };
  const isOnRecord = newest.kind === "remove_item" || newest.kind === "purge_items";
  return { item: null, why: isOnRecord ? "absent" : "not kept" };
}

/** Changes to working items are not recorded, nor is their removal, so any working states count as equal. */
function isSame(then: Image, now: Image): boolean {
  if (then.item?.scope === "working") return now.item ? now.item.scope === "working" : now.why === "not kept";
  if (then.item) return now.item !== null && says(then.item) === says(now.item);
  return then.why === "absent" && now.item === null;
}

/** The later change that blocks the rollback. Changes that led back to where they began do not. */
export function laterChange<State, Recorded extends { call: string; verb: string; before: State; after: State }>(
  newestFirst: readonly Recorded[],
  now: State,
  calls: ReadonlySet<string>,
  isSame: (then: State, now: State) => boolean,
): Recorded | null {
  let [end, others]: [State, Recorded[]] = [now, []];
  for (const record of newestFirst) {
    if (!calls.has(record.call)) {
      others.push(record);
      continue;
    }
    if (others.length > 0 && !isSame(record.after, end)) {
      // The change that produced this state; later ones, if any, returned to it.
      const state = end;
      return others.findLast(({ after }) => isSame(after, state)) ?? others[0] ?? null;
    }
    [end, others] = [record.before, []];
  }
  return null;
}

/** All of an item except its access record: reading is not undone. */
const says = (item: Item): string => JSON.stringify({ ...item, accessedAt: 0, accessCount: 0 });

/** Whether the indexed text differs from the current one. */
export function needsPassages({ from, to }: Goal): boolean {
  if (!to) return false;
  const indexed = (item: Item) => JSON.stringify(INDEXED_FIELDS.map((name) => item[name]));
  return !from || indexed(from) !== indexed(to);
}

/** Archived evidence already has passages, but without wordpieces. */
export const isUnarchived = ({ shelf, from, to }: Goal): boolean =>
  shelf === "evidence" && from?.status === "archived" && to !== null && to.status !== "archived";

/** Goals that must be applied together, and their changes. No step depends on another. */
export interface Step {
  goals: Goal[];
  changes: Change[];
}

export function planRollback(goals: readonly Goal[], situation: RollbackSituation): Outcome<{ steps: Step[] }> {
  const needed = stillNeeded(goals, situation);
  if (needed) return { refusal: needed };
  const room = makeRoom(goals, situation);
  if ("refusal" in room) return room;
  return {
    steps: tiedGroups(goals).map((own) => ({
      goals: own,
      changes: [...own.flatMap((goal) => room.changes.get(keyOf(goal)) ?? []), ...changesFor(own, situation)],
    })),
  };
}

/** Groups goals that compete for a unique slot, and superseded items with their successors. */
function tiedGroups(goals: readonly Goal[]): Goal[][] {
  const leaders = goals.map((_, index) => index);
  const leaderOf = (index: number): number => {
    let leader = index;
    while (leaders[leader] !== leader) leader = leaders[leader] = leaders[leaders[leader]!]!;
    return leader;
  };
  const keys = new Set(goals.map(keyOf));
  const firsts = new Map<string, number>();
  for (const [index, goal] of goals.entries()) {
    for (const tie of tiesOf(goal, keys)) {
      const first = firsts.get(tie);
      if (first === undefined) firsts.set(tie, index);
      else leaders[leaderOf(index)] = leaderOf(first);
    }
  }
  return [...Map.groupBy(goals.keys(), leaderOf).values()].map((indexes) => indexes.map((index) => goals[index]!));
}

function tiesOf(goal: Goal, keys: ReadonlySet<string>): string[] {
  const { shelf, from, to } = goal;
  const states = [from, to].filter((item) => item !== null);
  const successors = states.map(({ supersededBy }) => keyOf({ shelf, id: supersededBy ?? "" }));
  const slots = states.map((item) => uniqueSlotOf(shelf, item)).filter((slot) => slot !== null);
  return [keyOf(goal), ...successors.filter((key) => keys.has(key)), ...slots];
}

function changesFor(goals: readonly Goal[], situation: RollbackSituation): Change[] {
  const wanted = new Set(goals.map(({ shelf, to }) => uniqueSlotOf(shelf, to)).filter((slot) => slot !== null));
  const isHeld = ({ shelf, from, to }: Goal) => {
    const [held, next] = [uniqueSlotOf(shelf, from), uniqueSlotOf(shelf, to)];
    return held !== null && next !== null && held !== next && wanted.has(held);
  };
  const going = goals.filter(({ to }) => !to);
  const closing = goals.filter(({ shelf, to }) => to && !uniqueSlotOf(shelf, to));
  const opening = goals.filter(({ shelf, to }) => uniqueSlotOf(shelf, to));
  const parked = opening.filter(isHeld);
  return [
    ...going.flatMap(({ shelf, from }) => removingOnRecord(shelf, from!)),
    ...closing.flatMap((goal) => returning(goal, goal.from?.version ?? 0, situation)),
    // Items that swap contents are first moved out of their slots.
    ...parked.map(({ shelf, from }) => revising(shelf, from!, { status: "archived" })),
    ...opening.flatMap((goal) => returning(goal, (goal.from?.version ?? 0) + (isHeld(goal) ? 1 : 0), situation)),
  ];
}

function returning(goal: Goal, expectedVersion: number, { passages: prepared }: RollbackSituation): Change[] {
  const { shelf, from } = goal;
  const item = goal.to!;
  const passages = prepared.get(keyOf(goal)) ?? null;
  const embed = passages !== null && isEmbedded(item.type);
  if (!from) return insertingOnRecord(shelf, item, passages ?? [], embed);
  const { version } = item;
  return [{ ...revising(shelf, from, revisionTo(item)), expectedVersion, version, passages, embed }];
}

/** An item may not be removed while another leads to it, unless that was so before the calls. */
function stillNeeded(goals: readonly Goal[], { replaced }: RollbackSituation): Refusal | null {
  const known = new Map(goals.map((goal) => [keyOf(goal), goal]));
  for (const { shelf, item, history } of replaced) {
    const own = known.get(keyOf({ shelf, id: item.id }));
    const id = (own ? own.to : item)?.supersededBy ?? null;
    const successor = id === null ? undefined : known.get(keyOf({ shelf, id }));
    if (id === null || !successor || successor.to || item.scope === "working") continue;
    const closing = history.find(({ before }) => before.item?.supersededBy !== id);
    if (closing && closing.seq > successor.since)
      return { why: "still needed", shelf, id, other: item.id, call: closing.call };
  }
  return null;
}

/** Removes duplicates that block a goal: expired items, and working items, which may be dropped any time. */
function makeRoom(
  goals: readonly Goal[],
  { now, twins }: RollbackSituation,
): Outcome<{ changes: ReadonlyMap<string, Change[]> }> {
  const changes = new Map<string, Change[]>();
  const goalKeys = new Set(goals.map(keyOf));
  const holders = new Map<string, string>();
  for (const goal of goals) {
    const { shelf, id } = goal;
    const slot = uniqueSlotOf(shelf, goal.to);
    if (slot === null) continue;
    const twin = twins.get(keyOf(goal));
    const blocker = twin && twin.id !== id && !goalKeys.has(keyOf({ shelf, id: twin.id })) ? twin : null;
    const mayGo = blocker && (blocker.scope === "working" || isExpired(blocker, now));
    const other = holders.get(slot) ?? (blocker && !mayGo ? blocker.id : undefined);
    if (other !== undefined) return { refusal: { why: "said twice", shelf, id, other } };
    if (blocker)
      changes.set(keyOf(goal), [
        blocker.scope === "working" ? { kind: "evict_items", shelf, ids: [blocker.id] } : removing(shelf, blocker),
      ]);
    holders.set(slot, id);
  }
  return { changes };
}

// The edge changes that roll back calls.
//
// Edges are removed before the items they connect and return after them. An edge removed along with an item returns
// with it if its other end exists: that end may have been removed for a reason of its own. An edge removed by itself is
// refused without its ends, and an edge to an erased item is gone for good.

/** One store's records of the edges that the calls touched. */
interface EdgePast {
  calls: ReadonlySet<string>;
  /** Every change to these edges by any call, newest first. */
  records: readonly EdgeRecord[];
  /** The existing edges, by id. */
  current: ReadonlyMap<string, Edge>;
}

/** The state an edge returns to; null means absent. */
export interface EdgeGoal {
  shelf: EdgeShelf;
  id: string;
  from: Edge | null;
  to: Edge | null;
  entries: number;
}

export function edgeGoalsOf({ calls, records, current }: EdgePast): Outcome<{ goals: EdgeGoal[] }> {
  const goals: EdgeGoal[] = [];
  for (const [id, history] of Map.groupBy(records, ({ itemId }) => itemId)) {
    const own = history.filter(({ call }) => calls.has(call));
    const first = own.at(-1);
    if (!first || !hasEdges(first.shelf)) continue;
    const { shelf, before } = first;
    const from = current.get(id) ?? null;
    const now: EdgeImage = from ? { item: null, edge: from } : ABSENT;
    // An unknown former state was erased with one of its ends.
    if (isSameEdge(before, now) || (!before.edge && before.why !== "absent")) continue;
    const later = laterChange<EdgeImage, EdgeRecord>(history, now, calls, isSameEdge);
    const edge = before.edge ?? from;
    if (later && edge) {
      const { call, verb } = later;
      return { refusal: { why: "changed since", shelf, id: edgeName(edge), isEdge: true, call, verb } };
    }
    goals.push({ shelf, id, from, to: before.edge, entries: own.length });
  }
  return { goals };
}

const ABSENT: EdgeImage = { item: null, edge: null, why: "absent" };

/** Why an edge is gone does not matter: one that ended without a record belonged to a working item. */
const isSameEdge = (then: EdgeImage, now: EdgeImage): boolean => JSON.stringify(then.edge) === JSON.stringify(now.edge);

/** Changes, and the edges they restore or remove. */
interface EdgeStep {
  edges: EdgeGoal[];
  changes: Change[];
}

export interface EdgeSteps {
  /** To be applied before items are removed. */
  going: EdgeStep[];
  /** To be applied once items are back. */
  coming: EdgeStep[];
}

/** `missing`: the call that removed each absent item, by item id. */
export function planEdgeRollback(
  goals: readonly EdgeGoal[],
  items: readonly Goal[],
  missing: ReadonlyMap<string, string>,
): Outcome<EdgeSteps> {
  const becoming = new Map(items.map((goal) => [`${goal.shelf} ${goal.id}`, goal.to !== null]));
  const returning = new Set(items.filter(({ from, to }) => !from && to).map(({ shelf, id }) => `${shelf} ${id}`));
  const steps: EdgeSteps = { going: [], coming: [] };
  for (const goal of goals) {
    const { shelf, id, from, to } = goal;
    if (from) steps.going.push({ edges: to ? [] : [goal], changes: [{ kind: "remove_edge", shelf, id }] });
    if (!to) continue;
    const ends = [to.source, to.target];
    const other = ends.find((end) => !(becoming.get(`${shelf} ${end}`) ?? !missing.has(end)));
    const returnsWithItem = ends.some((end) => returning.has(`${shelf} ${end}`));
    if (other !== undefined && returnsWithItem) continue;
    if (other !== undefined)
      return { refusal: { why: "loose end", shelf, edge: edgeName(to), other, call: missing.get(other) ?? "" } };
    steps.coming.push({ edges: [goal], changes: [{ kind: "insert_edge", edge: to }] });
  }
  return steps;
}

/** Items that must exist for edges to return. */
export const endsOf = (goals: readonly EdgeGoal[]): { shelf: EdgeShelf; id: string }[] =>
  goals.flatMap(({ shelf, to }) => (to ? [to.source, to.target].map((id) => ({ shelf, id })) : []));
