/**
 * Records, after the answer, what of it counts as read, and which documents were found together.
 *
 * Every document that is returned counts. Of everything else only what stands first and clearly answers: the rest of an
 * answer may be noise, and what is read is given to the next session and does not fade.
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
  const read = hits.filter(({ shelf, relevance }, at) => shelf === "document" || (at === 0 && relevance >= CLEAR));
  for (const [store, there] of Map.groupBy(read, storeOf)) {
    if (store.readOnly) continue;
    for (const [shelf, own] of Map.groupBy(there, (hit) => hit.shelf)) {
      const changes = reading(own, shelf, cleaned, world.clock.now());
      world.afterwards.add("note what was read", () => store.apply(changes, world.origin, { impatient: true }));
    }
  }
}

function reading(hits: readonly Hit[], shelf: Shelf, query: string, at: number): Change[] {
  const best = new Map<string, number>();
  for (const { id, relevance } of hits) best.set(id, Math.max(relevance, best.get(id) ?? 0));
  const touches = [...best].map(([id, relevance]) => ({ id, how: "search" as const, relevance }));
  if (shelf !== "document") return [{ kind: "touch_items", shelf, touches, query, at }];
  const ids = [...best.keys()].slice(0, FOUND_TOGETHER);
  const together: Change[] = ids.length > 1 ? [{ kind: "count_together", shelf, ids, at }] : [];
  return [{ kind: "touch_items", shelf, touches, query, at, boost: ACCESS_BOOST }, ...together];
}
