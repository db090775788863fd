/**
 * Records, after the answer, what of it counts as read, and which documents were found together.
 *
 * Every document that is returned counts. Of everything else only what stands first and clearly answers: the rest of an
 * answer may be noise, and what is read is given to the next session and does not fade. The log says of the rest that the
 * question found it, so that erasing any of it erases the question.
 */
import { ACCESS_BOOST } from "../../logic/corpus/document-confidence.ts";
import type { Change } from "../../model/journal/change.ts";
import type { Hit } from "../../model/recall/hit.ts";
import { CLEAR } from "../../model/recall/ranking.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { Store } from "../../ports/store/store.ts";
import type { World } from "../../ports/world.ts";
import { redactor } from "../redaction/redact.ts";

/** How many of the best hits count as found together. */
const FOUND_TOGETHER = 5;

/** `hits`: the whole answer, in its order. Records one access per item, however many of its passages were shown. */
export function noteAccess(
  hits: readonly Hit[],
  query: string,
  world: Pick<World, "project" | "clock" | "afterwards" | "origin">,
  storeOf: (hit: Hit) => Store = () => world.project,
): void {
  // The query is stored in the access log.
  const cleaned = redactor().clean(query);
  const answering = hits.slice(0, 1).filter(({ relevance }) => relevance >= CLEAR);
  for (const [store, there] of Map.groupBy(hits, storeOf)) {
    if (store.readOnly) continue;
    for (const [shelf, own] of Map.groupBy(there, (hit) => hit.shelf)) {
      const read = shelf === "document" ? own : own.filter(({ id }) => answering.some((one) => one.id === id));
      const besides = own.filter((hit) => !read.includes(hit));
      const changes = reading(read, besides, shelf, cleaned, world.clock.now());
      world.afterwards.add("note what was read", () => store.apply(changes, world.origin, { impatient: true }));
    }
  }
}

function reading(read: readonly Hit[], others: readonly Hit[], shelf: Shelf, query: string, at: number): Change[] {
  const touches = bestOf(read).map((one) => ({ ...one, how: "search" as const }));
  if (shelf !== "document") return [{ kind: "touch_items", shelf, touches, besides: bestOf(others), query, at }];
  const ids = touches.map(({ id }) => id).slice(0, FOUND_TOGETHER);
  const together: Change[] = ids.length > 1 ? [{ kind: "count_together", shelf, ids, at }] : [];
  return [{ kind: "touch_items", shelf, touches, query, at, boost: ACCESS_BOOST }, ...together];
}

/** Each item once, however many of its passages were found. */
function bestOf(hits: readonly Hit[]): { id: string; relevance: number }[] {
  const best = new Map<string, number>();
  for (const { id, relevance } of hits) best.set(id, Math.max(relevance, best.get(id) ?? 0));
  return [...best].map(([id, relevance]) => ({ id, relevance }));
}
