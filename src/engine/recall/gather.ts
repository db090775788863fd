/**
 * Gathering: every ranker's list, over all stores and shelves asked.
 *
 * Within one ranker, hits of all places merge by that ranker's own score. When words find
 * nothing, a bounded substring search stands in for them.
 */
import { toFailure } from "../../errors.ts";
import { type RankedList, sumByItem } from "../../logic/recall/fusion.ts";
import type { Ranker } from "../../model/recall/ranking.ts";
import type { Status } from "../../model/memory/item.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { Filter, Outline, Ranked, SoftQuery, VectorQuery } from "../../model/recall/search.ts";
import type { Store } from "../../ports/store.ts";
import type { World } from "../../ports/world.ts";

/** What may be found on each shelf when no status is asked for. */
const FINDABLE: Record<Shelf, readonly Status[]> = {
  memory: ["active"],
  decision: ["active"],
  proposal: ["pending"],
  evidence: ["active"],
  document: ["active"],
  code: ["active"],
};

/** A window ends by the clock alone, and the status stays: of decisions, and of memories that one of them will follow. */
const endsByClock = (shelf: Shelf, { statuses }: Partial<Filter>): boolean =>
  shelf === "decision" || (shelf === "memory" && statuses === undefined);

/** One shelf of one store, and what may be seen there. */
export interface Place {
  store: Store;
  shelf: Shelf;
  filter: Filter;
}

/** A candidate: where it was found, its passages that were found, the best first, and its cosine if known. */
export interface Candidate {
  place: Place;
  item: Outline;
  passages: number[];
  cosine: number | null;
}

export interface Gathered {
  lists: RankedList[];
  candidates: Map<string, Candidate>;
}

export interface Wanted {
  query: string;
  /** Null when words do not count. */
  terms: readonly string[] | null;
  /** The first line of a report, which says most. */
  opening: readonly string[] | null;
  /** Subjects of decisions; what those rest on is found too. */
  subjects: readonly { subject: string; share: number }[];
  /** Null when meaning does not count. */
  vector: VectorQuery | null;
  /** What finds words that mean the same where there is no vector to do so. */
  soft: SoftQuery | null;
  /** What could not be asked is told here. */
  missing: string[];
  count: number;
  /** Passages are ranked by themselves, rather than items by their best one. */
  eachPassage: boolean;
  /** By words an item counts by all its passages, rather than by its best one. */
  summed: boolean;
}

/** Where all passages of an item count, so many times more are looked at than there are to be candidates. */
const SUMMED_PER_ITEM = 16;

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
      filter: {
        statuses: FINDABLE[shelf],
        viaPredecessors: true,
        ...(endsByClock(shelf, filter) && { validAt: now }),
        ...filter,
        now,
      },
    })),
  );
}

/** Those where there is anything to find, or all when there is nothing anywhere. */
export async function filledPlaces(places: readonly Place[]): Promise<Place[]> {
  const stores = [...new Set(places.map(({ store }) => store))];
  const filled = new Map(
    await Promise.all(stores.map(async (store) => [store, new Set(await store.filledShelves())] as const)),
  );
  const kept = places.filter(({ store, shelf }) => filled.get(store)?.has(shelf));
  return kept.length > 0 ? kept : [...places];
}

export async function gather(places: readonly Place[], wanted: Wanted): Promise<Gathered> {
  const candidates = new Map<string, Candidate>();
  const { query, terms, opening, subjects, vector, soft, count, eachPassage, summed } = wanted;

  async function ranking(ranker: Ranker, ask: (place: Place) => Promise<Ranked[]>): Promise<RankedList> {
    const found = await Promise.all(
      places.map(async (place) => (await ask(place)).map((ranked) => ({ ranked, place }))),
    );
    const best = found
      .flat()
      .sort((a, b) => b.ranked.score - a.ranked.score)
      .slice(0, count);
    const entries = best.map(({ ranked: { itemId, item, passage, score }, place }) => {
      // After an interrupted promotion one id may stand in two stores, so the place is part of the key.
      const id = `${places.indexOf(place)}/${itemId}${eachPassage ? `/${passage}` : ""}`;
      const known = candidates.get(id) ?? { place, item, passages: [], cosine: null };
      candidates.set(id, withPassage(known, passage, ranker === "vector" ? score : null));
      return { id, score };
    });
    return { ranker, entries };
  }

  const lists: RankedList[] = [];
  const words = (ranker: Ranker, said: readonly string[]) =>
    ranking(ranker, async ({ store, shelf, filter }) => {
      if (!summed) return store.keyword(shelf, { terms: said, eachPassage }, filter, count);
      const asked = { terms: said, eachPassage: true };
      return sumByItem(await store.keyword(shelf, asked, filter, count * SUMMED_PER_ITEM));
    });
  if (terms) {
    const keyword = await words("keyword", terms);
    const isFound = keyword.entries.length > 0;
    const contained = (place: Place) => place.store.substring(place.shelf, query, place.filter, count);
    lists.push(isFound ? keyword : await ranking("substring", contained));
  }
  if (soft) {
    // It only finds: how well each candidate meets the question is judged with all the others.
    const asked = { ...soft, eachPassage };
    await ranking("soft", ({ store, shelf, filter }) =>
      orNothing(store.softest(shelf, asked, filter, count), [], wanted.missing),
    );
  }
  if (subjects.length > 0) {
    lists.push(await ranking("linked", (place) => linkedTo(subjects, place, count)));
  }
  if (terms && opening) lists.push(await words("opening", opening));
  if (vector) {
    const asked = { ...vector, eachPassage };
    const nearest = await ranking("vector", ({ store, shelf, filter }) => store.nearest(shelf, asked, filter, count));
    const rest = await scoreRest(candidates, vector);
    lists.push({ ranker: "vector", entries: [...nearest.entries, ...rest] });
  }
  return { lists: lists.filter(({ entries }) => entries.length > 0), candidates };
}

/** What rests on several counts by the one that the question is most about. */
async function linkedTo(subjects: Wanted["subjects"], { store, filter }: Place, count: number): Promise<Ranked[]> {
  const best = new Map<string, Ranked>();
  for (const { subject, share } of subjects.toSorted((a, b) => a.share - b.share)) {
    for (const ranked of await store.evidenceAbout([subject], filter, count))
      best.set(ranked.itemId, { ...ranked, score: share });
  }
  return [...best.values()];
}

/** Where the table of wordpieces is missing nothing is met softly, and all else still answers. */
export async function orNothing<T>(met: Promise<T>, nothing: T, missing: string[]): Promise<T> {
  return met.catch((thrown: unknown) => {
    const { code, message } = toFailure(thrown);
    if (code !== "unavailable") throw thrown;
    missing.push(`no soft keywords: ${message}`);
    return nothing;
  });
}

/** What is near in meaning explains a hit better than what shares a word with it. */
function withPassage({ place, item, passages, cosine }: Candidate, passage: number, near: number | null): Candidate {
  const others = passages.filter((other) => other !== passage);
  if (near !== null) return { place, item, passages: [passage, ...others], cosine: near };
  return { place, item, passages: passages.includes(passage) ? passages : [...passages, passage], cosine };
}

/** What other rankers found gets its cosine too, so that nothing counts as far only because it was not nearest. */
async function scoreRest(candidates: Map<string, Candidate>, query: VectorQuery): Promise<RankedList["entries"]> {
  const unscored = new Map([...candidates].filter(([, { cosine }]) => cosine === null));
  const entries = await cosinesOf(unscored, query);
  for (const { id, score } of entries) candidates.set(id, { ...candidates.get(id)!, cosine: score });
  return entries;
}

/** Best first; those without a vector are left out. */
export async function cosinesOf(
  candidates: ReadonlyMap<string, Candidate>,
  query: VectorQuery,
): Promise<{ id: string; score: number }[]> {
  const entries: { id: string; score: number }[] = [];
  for (const [{ store, shelf }, here] of Map.groupBy(candidates, ([, { place }]) => place)) {
    const passages = here.map(([, candidate]) => candidate.passages[0]!);
    const cosines = await store.cosines(shelf, query, passages);
    for (const [index, [id]] of here.entries()) {
      const cosine = cosines[index] ?? null;
      if (cosine !== null) entries.push({ id, score: cosine });
    }
  }
  return entries.sort((a, b) => b.score - a.score);
}
