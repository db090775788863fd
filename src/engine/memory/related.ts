/** Adds to hits the items that edges connect them with. */
import { neighboursOf } from "../../logic/memory/neighbours.ts";
import { isVisibleIn } from "../../logic/memory/visibility.ts";
import { hasEdges } from "../../model/memory/edge.ts";
import type { Hit } from "../../model/recall/hit.ts";
import type { Status } from "../../model/memory/item.ts";
import { type PlacedItem, type StoreShelf, byPlace } from "../recall/places.ts";

/** Maximum per hit; no others are read. */
export const RELATED_MOST = 5;
/** A superseded item still leads to its successor; forgotten items are left out. */
const SHOWN: readonly Status[] = ["active", "superseded"];

/** Also through a hit's predecessors: a relation outlives the wording it was made for. */
export async function withRelated(hits: readonly Hit[], entries: readonly PlacedItem[]): Promise<Hit[]> {
  const chains = new Map(hits.map(({ id, history }) => [id, new Set([id, ...history.map((past) => past.id)])]));
  const related = new Map<string, string[]>();
  for (const [place, here] of byPlace(entries.filter(({ id }) => chains.has(id)))) {
    const { store, shelf } = place;
    if (!hasEdges(shelf)) continue;
    const own = [...new Set(here.map(({ id }) => id))];
    const ids = own.flatMap((id) => [...(chains.get(id) ?? [])]);
    const edges = await store.edgesOf(shelf, ids, { statuses: ["active"], neighbours: SHOWN, limit: RELATED_MOST });
    if (edges.length === 0) continue;
    for (const id of own) {
      const near = neighboursOf(chains.get(id) ?? new Set(), edges).slice(0, RELATED_MOST);
      const ids = near.map((one) => one.id);
      related.set(id, [...(related.get(id) ?? []), ...(await visible(ids, place))]);
    }
  }
  return hits.map((hit) => ({ ...hit, related: related.get(hit.id) ?? [] }));
}

/** Without items that a search there would not show. */
async function visible(ids: readonly string[], { store, shelf, filter }: StoreShelf): Promise<readonly string[]> {
  const space = filter?.visibleIn;
  if (space === undefined) return ids;
  const items = new Map((await store.items(shelf, ids)).map((item) => [item.id, item]));
  return ids.filter((id) => isVisibleIn(space, items.get(id)!));
}
