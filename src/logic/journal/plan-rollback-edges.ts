/**
 * The edge changes that roll back calls.
 *
 * Edges are removed before the items they connect and return after them. An edge removed along with an item returns
 * with it if its other end exists: that end may have been removed for a reason of its own. An edge removed by itself is
 * refused without its ends, and an edge to an erased item is gone for good.
 */
import type { Change } from "../../model/journal/change.ts";
import { type Edge, type EdgeShelf, edgeName, hasEdges } from "../../model/memory/edge.ts";
import type { EdgeImage, EdgeRecord } from "../../model/journal/journal.ts";
import { type Goal, type Outcome, laterChange } from "./plan-rollback.ts";

/** One store's records of the edges that the calls touched. */
export interface EdgePast {
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
    if (isSame(before, now) || (!before.edge && before.why !== "absent")) continue;
    const later = laterChange<EdgeImage, EdgeRecord>(history, now, calls, isSame);
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
const isSame = (then: EdgeImage, now: EdgeImage): boolean => JSON.stringify(then.edge) === JSON.stringify(now.edge);

/** Changes, and the edges they restore or remove. */
export interface EdgeStep {
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
