/** Lists items of both stores by creation time, newest first. */
import { hasEdges } from "../graph/edges.ts";
import { type PlacesWorld, type SearchPlace, searchPlaces } from "../recall/places.ts";
import type { Filter } from "../recall/search.ts";
import { evidenceLeft } from "../sessions/absorb.ts";
import { turnIn, turnText } from "../sessions/turns.ts";
import type { LookupWorld, World } from "../world.ts";
import { findItem } from "./find-item.ts";
import { conditionsIn, conditionsOf, nearOfItems } from "./neighbours.ts";
import { resolveId, unknownIdFailure } from "./resolve-id.ts";
import type { Shelf } from "./shelves.ts";
import { memoryOf, otherSessionOf } from "./shown-item.ts";
import type { Memory } from "./view.ts";

interface ListRequest {
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
  const near = await nearOfItems(
    page.map(({ item }) => item.id),
    world,
  );
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

/** Reads one item in full, with its predecessors. Counts as access, unless it is only looked at. */
export async function getItem(
  { id: typed, quiet = false }: { id: string; quiet?: boolean },
  world: LookupWorld & Pick<World, "afterwards" | "origin">,
): Promise<{ memory: Memory; history: Memory[] }> {
  const id = await resolveId(typed, "item", world);
  const found = await findItem(id, world);
  if (!found) throw await unknownIdFailure(typed, "item", world);
  const { item, shelf, store } = found;
  if (!store.readOnly && !quiet) {
    const touches = [{ id, how: "get" as const, relevance: null }];
    const at = world.clock.now();
    world.afterwards.add("note what was read", () =>
      store.apply([{ kind: "touch_items", shelf, touches, query: null, at }], world.origin, { impatient: true }),
    );
  }
  const history = await store.replacedBy(shelf, [id]);
  const memory = memoryOf(shelf, item);
  // Whatever an imported memory says of itself, only evidence is a turn.
  const turn = shelf === "evidence" ? turnIn(item) : null;
  if (turn !== null) memory.content = turnText(turn);
  // Other memories may have been erased together with it.
  if (memory.evidence) memory.evidence = await evidenceLeft(memory.evidence, world.project);
  const beside = await nearOfItems([id], world);
  if (beside.has(id)) memory.near = beside.get(id)!;
  const besideOthers = hasEdges(shelf) ? ((await conditionsOf([id], shelf, world)).get(id) ?? []) : [];
  const conditions = [...conditionsIn(item), ...besideOthers];
  if (conditions.length > 0) memory.conditions = conditions;
  return { memory, history: history.map((past) => memoryOf(shelf, past)) };
}
