/**
 * Gathering: every ranker's list, over all stores and shelves asked.
 *
 * Within one ranker, hits of all places merge by that ranker's own score. When words find
 * nothing, a bounded substring search stands in for them.
 */
import type { RankedList } from "../logic/fusion.ts";
import { queryTerms } from "../logic/words.ts";
import type { Ranker } from "../model/hit.ts";
import type { Status } from "../model/item.ts";
import type { Shelf } from "../model/shelf.ts";
import type { Filter, Ranked, Store, VectorQuery, World } from "../ports.ts";

/** What may be found on each shelf when no status is asked for. */
const FINDABLE: Record<Shelf, readonly Status[]> = {
  memory: ["active"],
  decision: ["active"],
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
  /** Whether words count. */
  words: boolean;
  /** Null when meaning does not count. */
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
    shelves.map((shelf) => ({
      store,
      shelf,
      filter: { statuses: FINDABLE[shelf], viaPredecessors: true, ...filter, now },
    })),
  );
}

export async function gather(places: readonly Place[], wanted: Wanted): Promise<Gathered> {
  const candidates = new Map<string, Candidate>();
  const { query, vector, embedder, count } = wanted;

  async function ranking(ranker: Ranker, ask: (place: Place) => Promise<Ranked[]>): Promise<RankedList> {
    const found = await Promise.all(
      places.map(async (place) => (await ask(place)).map((ranked) => ({ ...ranked, place }))),
    );
    const best = found
      .flat()
      .sort((a, b) => b.score - a.score)
      .slice(0, count);
    // After an interrupted promotion one id may stand in two stores, so the place is part of the key.
    const entries = best.map((ranked) => ({ ...ranked, id: `${places.indexOf(ranked.place)}/${ranked.itemId}` }));
    for (const { id, place, itemId, passage, score } of entries) {
      const known = candidates.get(id) ?? { place, itemId, passage, cosine: null };
      candidates.set(id, ranker === "vector" ? { ...known, passage, cosine: score } : known);
    }
    return { ranker, entries: entries.map(({ id, score }) => ({ id, score })) };
  }

  const lists: RankedList[] = [];
  if (wanted.words) {
    const terms = queryTerms(query);
    const keyword = await ranking("keyword", (place) =>
      place.store.keyword(place.shelf, { terms }, place.filter, count),
    );
    const found = keyword.entries.length > 0;
    lists.push(
      found
        ? keyword
        : await ranking("substring", (place) => place.store.substring(place.shelf, query, place.filter, count)),
    );
  }
  if (vector) {
    const nearest = await ranking("vector", (place) =>
      place.store.nearest(place.shelf, { embedder, vector }, place.filter, count),
    );
    const rest = await scoreRest(candidates, { embedder, vector });
    lists.push({ ranker: "vector", entries: [...nearest.entries, ...rest] });
  }
  return { lists: lists.filter(({ entries }) => entries.length > 0), candidates };
}

/** What other rankers found gets its cosine too, so that nothing counts as far only because it was not nearest. */
async function scoreRest(candidates: Map<string, Candidate>, query: VectorQuery): Promise<RankedList["entries"]> {
  const entries: { id: string; score: number }[] = [];
  const unscored = [...candidates].filter(([, { cosine }]) => cosine === null);
  for (const [{ store, shelf }, here] of Map.groupBy(unscored, ([, { place }]) => place)) {
    const cosines = await store.cosines(
      shelf,
      query,
      here.map(([, { passage }]) => passage),
    );
    for (const [index, [id, candidate]] of here.entries()) {
      const cosine = cosines[index] ?? null;
      if (cosine === null) continue;
      candidates.set(id, { ...candidate, cosine });
      entries.push({ id, score: cosine });
    }
  }
  return entries.sort((a, b) => b.score - a.score);
}
