/** Plans the rollback of edges: reads the history of those that the calls touched. */
import type { Goal, Outcome } from "../../logic/journal/plan-rollback.ts";
import {
  type EdgeGoal,
  type EdgeSteps,
  edgeGoalsOf,
  endsOf,
  planEdgeRollback,
} from "../../logic/journal/plan-rollback-edges.ts";
import { EDGE_SHELVES, type Edge, type EdgeShelf } from "../../model/memory/edge.ts";
import { type EdgeRecord, isEdgeRecord } from "../../model/journal/journal.ts";
import type { EdgeReads } from "../../ports/store/edges.ts";
import type { ItemReads } from "../../ports/store/items.ts";
import type { JournalReads } from "../../ports/store/journal.ts";
import { PORTION, recordsOf } from "./records.ts";

/** `items` are the goals for items of the same store. */
export async function planEdges(
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
