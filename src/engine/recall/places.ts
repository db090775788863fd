/** Decides which shelves of which stores are searched, and which of their items are visible. */
import { restrictingSpace } from "../../logic/memory/visibility.ts";
import type { Candidate } from "../../model/recall/candidate.ts";
import type { Status } from "../../model/memory/item.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { Filter } from "../../model/recall/search.ts";
import type { Store } from "../../ports/store/store.ts";
import type { World } from "../../ports/world.ts";

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
