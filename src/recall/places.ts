/** Decides which shelves of which stores are searched, and which of their items are visible. */
import type { Item, Status } from "../memory/item.ts";
import type { Shelf, StoredPassage } from "../memory/shelves.ts";
import { restrictingSpace } from "../memory/visibility.ts";
import type { Store } from "../store/store.ts";
import type { World } from "../world.ts";
import type { Hit } from "./hit.ts";
import type { Mode, RecipeName } from "./ranking.ts";
import type { Candidate, Filter, VectorQuery } from "./search.ts";

/** One shelf of one store. */
export interface StoreShelf {
  store: Store;
  shelf: Shelf;
  /** What a search finds there. */
  filter?: Filter;
}

export interface SearchPlace extends StoreShelf {
  filter: Filter;
}

export type PlacedCandidate = Candidate<SearchPlace>;

/** An item and where it is kept. */
export interface PlacedItem {
  id: string;
  place: StoreShelf;
}

/** The statuses found on each shelf by default. */
const FINDABLE: Record<Shelf, readonly Status[]> = {
  memory: ["active"],
  decision: ["active"],
  proposal: ["pending"],
  evidence: ["active"],
  document: ["active"],
  code: ["active"],
};

/** When a window ends the status stays the same, for decisions and for memories that a decision will replace. */
const endsByClock = (shelf: Shelf, { statuses }: Partial<Filter>): boolean =>
  shelf === "decision" || (shelf === "memory" && statuses === undefined);

/** The space that restricts which global memories are visible, if any. */
export const restrictingSpaceIn = ({ place, settings }: Pick<World, "place" | "settings">): string | undefined =>
  restrictingSpace(settings.routing.preset, place.spaceId);

export type PlacesWorld = Pick<World, "project" | "global" | "clock" | "place" | "settings">;

export function searchPlaces(shelves: readonly Shelf[], filter: Partial<Filter>, world: PlacesWorld): SearchPlace[] {
  const { scopes } = filter;
  const wantsProject = !scopes || scopes.includes("project") || scopes.includes("working");
  const wantsGlobal = !scopes || scopes.includes("global");
  const stores = [...(wantsProject ? [world.project] : []), ...(wantsGlobal ? [world.global] : [])];
  const now = world.clock.now();
  const visibleIn = restrictingSpaceIn(world);
  return stores.flatMap((store) =>
    shelves.map((shelf) => ({
      store,
      shelf,
      filter: {
        statuses: FINDABLE[shelf],
        viaPredecessors: true,
        ...(endsByClock(shelf, filter) && { validAt: now }),
        ...filter,
        ...(store === world.global && visibleIn !== undefined && { visibleIn }),
        now,
      },
    })),
  );
}

/** The places that hold any items; all of them if none does. */
export async function filledPlaces(places: readonly SearchPlace[]): Promise<SearchPlace[]> {
  const stores = [...new Set(places.map(({ store }) => store))];
  const filled = new Map(
    await Promise.all(stores.map(async (store) => [store, new Set(await store.filledShelves())] as const)),
  );
  const kept = places.filter(({ store, shelf }) => filled.get(store)?.has(shelf));
  return kept.length > 0 ? kept : [...places];
}

export const byPlace = <Entry extends { place: StoreShelf }>(entries: readonly Entry[]): Map<Entry["place"], Entry[]> =>
  Map.groupBy(entries, ({ place }) => place);

// Reads data of candidates from their stores, place by place.

/** Without items that were removed in the meantime. */
export const itemsOf = (candidates: readonly PlacedCandidate[]): Promise<Map<PlacedCandidate, Item>> =>
  readEach(
    candidates,
    ({ id }) => id,
    async ({ store, shelf }, ids) => new Map((await store.items(shelf, ids)).map((item) => [item.id, item])),
  );

export const bestPassages = (candidates: readonly PlacedCandidate[]): Promise<Map<PlacedCandidate, StoredPassage>> =>
  readEach(candidates, bestPassage, async ({ store, shelf }, numbers) => {
    const passages = await store.passages(shelf, numbers);
    return new Map(passages.map((passage) => [passage.passage, passage]));
  });

/** Cosines of the best passages, without those that have no vector. */
export const cosinesOf = (
  candidates: readonly PlacedCandidate[],
  query: VectorQuery,
): Promise<Map<PlacedCandidate, number>> =>
  readEach(candidates, bestPassage, async ({ store, shelf }, numbers) => {
    const cosines = await store.cosines(shelf, query, numbers);
    return new Map(numbers.flatMap((number, index) => (cosines[index] == null ? [] : [[number, cosines[index]]])));
  });

const bestPassage = ({ passages }: PlacedCandidate): number => passages[0]!;

async function readEach<Key, Value>(
  candidates: readonly PlacedCandidate[],
  keyOf: (candidate: PlacedCandidate) => Key,
  read: (place: SearchPlace, keys: Key[]) => Promise<Map<Key, Value>>,
): Promise<Map<PlacedCandidate, Value>> {
  const answers = new Map<PlacedCandidate, Value>();
  for (const [place, here] of byPlace(candidates)) {
    const values = await read(place, here.map(keyOf));
    for (const candidate of here) {
      const value = values.get(keyOf(candidate));
      if (value !== undefined) answers.set(candidate, value);
    }
  }
  return answers;
}

/** Request and answer of a recall. */
export interface RecallRequest {
  query: string;
  mode: Mode;
  limit: number;
  /** Minimum relevance. */
  threshold: number;
  recipe?: RecipeName | undefined;
  /** Memories, decisions and proposals when omitted. */
  shelves?: readonly Shelf[] | undefined;
  filter?: Partial<Filter> | undefined;
  /** Ranks individual passages instead of items by their best passage. */
  eachPassage?: boolean | undefined;
  /** A hit shows the passage that was found, not the whole content. */
  isQuoted?: boolean | undefined;
  /** Passages that nearly repeat another are left out. */
  isDistinct?: boolean | undefined;
  /** Reads no other shelf, not even to embed its passages. */
  isRouted?: boolean | undefined;
  /** Access is not recorded. */
  quiet?: boolean | undefined;
}

export interface RecallAnswer {
  mode: Mode;
  degraded: string | null;
  hits: Hit[];
}
