/** Lists items of both stores by creation time, newest first. */
import type { Memory } from "../../model/memory/memory-view.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { Filter } from "../../model/recall/search.ts";
import type { World } from "../../ports/world.ts";
import { type PlacesWorld, type SearchPlace, searchPlaces } from "../recall/places.ts";
import { nearOfItems } from "./neighbours.ts";
import { memoryOf, otherSessionOf } from "./view.ts";

export interface ListRequest {
  shelves: readonly Shelf[];
  filter: Partial<Filter>;
  limit: number;
  offset: number;
  countMost?: number | undefined;
}

export async function listItems(
  { shelves, filter, limit, offset, countMost }: ListRequest,
  world: PlacesWorld & Pick<World, "origin">,
): Promise<{ items: Memory[]; total: number }> {
  const statuses = filter.statuses ?? (["active", "pending"] as const);
  const places = searchPlaces(shelves, { ...filter, statuses }, world).map(withoutWindow(filter));
  // A page of the merged list may come entirely from one store, so both return a full page.
  const parts = await Promise.all(
    places.map((place) => place.store.list(place.shelf, place.filter, { limit: offset + limit, offset: 0, countMost })),
  );
  const merged = parts
    .flatMap((part, index) => part.items.map((item) => ({ item, shelf: places[index]!.shelf })))
    .sort((a, b) => b.item.createdAt - a.item.createdAt || (a.item.id < b.item.id ? 1 : -1));
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  const page = merged.slice(offset, offset + limit);
  const near = await nearOfItems(page.map(({ item }) => item.id), world); // prettier-ignore
  return {
    items: page.map(({ item, shelf }) => ({
      ...memoryOf(shelf, item),
      ...otherSessionOf(item, world),
      ...(near.has(item.id) && { near: near.get(item.id)! }),
    })),
    total: Math.min(total, countMost ?? total),
  };
}

/** An explicit status filter returns every item with that status, whether it holds now or not. */
const withoutWindow =
  (asked: Partial<Filter>) =>
  ({ filter: { validAt, ...filter }, ...place }: SearchPlace): SearchPlace => ({
    ...place,
    filter: asked.statuses || validAt === undefined ? filter : { ...filter, validAt },
  });
