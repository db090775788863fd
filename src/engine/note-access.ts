/** What was shown is noted after the answer: that it was read, and which documents were found together. */
import { GROWTH } from "../logic/document-confidence.ts";
import type { Change } from "../model/change.ts";
import type { Hit } from "../model/hit.ts";
import type { Shelf } from "../model/shelf.ts";
import type { Store, World } from "../ports.ts";

/** So many of the best are counted as found together. */
const TOGETHER = 5;

export function noteAccess(
  hits: readonly Hit[],
  shelf: Shelf,
  query: string,
  world: World,
  store: Store = world.project,
): void {
  if (store.readOnly || hits.length === 0) return;
  const at = world.clock.now();
  const best = new Map<string, number>();
  for (const { id, relevance } of hits) best.set(id, Math.max(relevance, best.get(id) ?? 0));
  const touches = [...best].map(([id, relevance]) => ({ id, how: "read" as const, relevance }));
  const isDocument = shelf === "document";
  const touched: Change = { kind: "touch_items", shelf, touches, query, at, ...(isDocument && { boost: GROWTH }) };
  const ids = [...best.keys()].slice(0, TOGETHER);
  const together: Change[] = isDocument && ids.length > 1 ? [{ kind: "count_together", shelf, ids, at }] : [];
  world.afterwards.add("note what was read", () =>
    store.apply([touched, ...together], world.origin, { impatient: true }),
  );
}
