/** Adds to hits the items that edges connect them with. */
import { nearestWithin, neighboursOf } from "../../logic/graph/neighbours.ts";
import { isVisibleIn } from "../../logic/memory/visibility.ts";
import { type Edge, hasEdges } from "../../model/memory/edge.ts";
import type { Hit } from "../../model/recall/hit.ts";
import type { EdgeReads } from "../../ports/store/edges.ts";
import { FOLLOWED, leadingToday } from "./current-edges.ts";
import { type PlacedItem, type StoreShelf, byPlace } from "../recall/places.ts";

/** Maximum per hit; no others are read. */
export const RELATED_MOST = 5;
const CHOSEN = { statuses: ["active"], neighbours: FOLLOWED, limit: RELATED_MOST } as const;

/**
 * Also through a hit's predecessors: a relation outlives the wording it was made for. Memories that are two steps away
 * follow where there is room; a decision's neighbours speak for themselves.
 */
export async function withRelated(hits: readonly Hit[], entries: readonly PlacedItem[]): Promise<Hit[]> {
  const chains = new Map(hits.map(({ id, history }) => [id, new Set([id, ...history.map((past) => past.id)])]));
  const related = new Map<string, string[]>();
  for (const [place, here] of byPlace(entries.filter(({ id }) => chains.has(id)))) {
    const { store, shelf } = place;
    if (!hasEdges(shelf)) continue;
    const own = [...new Set(here.map(({ id }) => id))];
    const ids = own.flatMap((id) => [...(chains.get(id) ?? [])]);
    const stored = await store.edgesOf(shelf, ids, CHOSEN);
    if (stored.length === 0) continue;
    // A hit's predecessors stand for it.
    const fixed = new Map(own.flatMap((id) => [...chains.get(id)!].map((one) => [one, id] as const)));
    const first = await leadingToday(shelf, stored, fixed, store);
    const further =
      shelf === "memory"
        ? await leadingToday(
            shelf,
            await secondStep(
              own.map((id) => chains.get(id)!),
              first,
              store,
            ),
            fixed,
            store,
          )
        : [];
    const near = new Map(own.map((id) => [id, nearestWithin(chains.get(id)!, [first, further], RELATED_MOST)]));
    const shown = new Set(await visibleAmong([...new Set([...near.values()].flat())], place.filter?.visibleIn, place));
    for (const id of own) {
      const visible = near.get(id)!.filter((one) => shown.has(one));
      related.set(id, [...(related.get(id) ?? []), ...visible]);
    }
  }
  return hits.map((hit) => ({ ...hit, related: related.get(hit.id) ?? [] }));
}

/** The edges of neighbours, for hits with few of them. */
async function secondStep(
  chains: readonly ReadonlySet<string>[],
  first: readonly Edge[],
  store: EdgeReads,
): Promise<readonly Edge[]> {
  const near = chains.map((chain) => neighboursOf(chain, first)).filter(({ length }) => length < RELATED_MOST);
  const ids = [...new Set(near.flat().map(({ id }) => id))];
  // A neighbour may be a hit itself, whose edges are known.
  return [...first, ...(ids.length > 0 ? await store.edgesOf("memory", ids, CHOSEN) : [])];
}

/** Without items that a search from this space would not show; undefined restricts nothing. */
export async function visibleAmong(
  ids: readonly string[],
  space: string | undefined,
  { store, shelf }: StoreShelf,
): Promise<readonly string[]> {
  if (space === undefined || ids.length === 0) return ids;
  const items = new Map((await store.items(shelf, ids)).map((item) => [item.id, item]));
  return ids.filter((id) => items.has(id) && isVisibleIn(space, items.get(id)!));
}
