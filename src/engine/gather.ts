/**
 * Gathering: every ranker's list, over all stores and shelves asked.
 *
 * Within one ranker, hits of all places merge by that ranker's own score. When words find
 * nothing, a bounded substring search stands in for them.
 */
import type { RankedList } from "../logic/fusion.ts";
import type { Ranker } from "../model/hit.ts";
import type { Status } from "../model/item.ts";
import type { Shelf } from "../model/shelf.ts";
import type { Filter, Ranked, Store, World } from "../ports.ts";

/** What may be found on each shelf. Superseded items lead to their successors; they are never hits themselves. */
const FINDABLE: Record<Shelf, readonly Status[]> = {
  memory: ["active", "superseded"],
  decision: ["active", "superseded"],
  proposal: ["pending"],
  evidence: ["active"],
  document: ["active"],
  code: ["active"],
};

/** One shelf of one store, and what may be seen there. */
export interface Place {
  store: Store;
  shelf: Shelf;
  filter: Filter;
}

/** A candidate: where it was found, its best passage, and its cosine if the vectors found it. */
export interface Candidate {
  place: Place;
  itemId: string;
  passage: number;
  cosine: number | null;
}

export interface Gathered {
  lists: RankedList[];
  candidates: Map<string, Candidate>;
}

export interface Wanted {
  query: string;
  terms: readonly string[];
  vector: Float32Array | null;
  embedder: string;
  count: number;
}

export function placesFor(shelves: readonly Shelf[], filter: Partial<Filter>, world: World): Place[] {
  const { scopes } = filter;
  const wantsProject = !scopes || scopes.includes("project") || scopes.includes("working");
  const wantsGlobal = !scopes || scopes.includes("global");
  const stores = [...(wantsProject ? [world.project] : []), ...(wantsGlobal ? [world.global] : [])];
  const now = world.clock.now();
  return stores.flatMap((store) =>
    shelves.map((shelf) => ({ store, shelf, filter: { statuses: FINDABLE[shelf], ...filter, now } })),
  );
}

export async function gather(places: readonly Place[], wanted: Wanted): Promise<Gathered> {
  const candidates = new Map<string, Candidate>();
  // After an interrupted promotion one id may stand in two stores, so the place is part of the key.
  const keyOf = (place: Place, itemId: string) => `${places.indexOf(place)}/${itemId}`;
  const { query, terms, vector, embedder, count } = wanted;

  async function ranking(ranker: Ranker, ask: (place: Place) => Promise<Ranked[]>): Promise<RankedList> {
    const found = await Promise.all(
      places.map(async (place) => (await ask(place)).map((ranked) => ({ ...ranked, place }))),
    );
    const best = found
      .flat()
      .sort((a, b) => b.score - a.score)
      .slice(0, count);
    for (const { place, itemId, passage, score } of best) {
      const key = keyOf(place, itemId);
      const known = candidates.get(key) ?? { place, itemId, passage, cosine: null };
      if (ranker === "vector") Object.assign(known, { passage, cosine: score });
      candidates.set(key, known);
    }
    return { ranker, entries: best.map(({ place, itemId, score }) => ({ id: keyOf(place, itemId), score })) };
  }

  const lists: RankedList[] = [];
  if (terms.length > 0) {
    const keyword = await ranking("keyword", ({ store, shelf, filter }) =>
      store.keyword(shelf, { terms }, filter, count),
    );
    if (keyword.entries.length > 0) lists.push(keyword);
    else
      lists.push(
        await ranking("substring", ({ store, shelf, filter }) => store.substring(shelf, query, filter, count)),
      );
  }
  if (vector) {
    lists.push(
      await ranking("vector", ({ store, shelf, filter }) => store.nearest(shelf, { embedder, vector }, filter, count)),
    );
  }
  return { lists: lists.filter(({ entries }) => entries.length > 0), candidates };
}
