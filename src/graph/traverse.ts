/**
 * Walks from an item along edges, breadth first.
 *
 * The edges of a level are read at once, and so are the items in the end: the number of reads depends on the depth, not
 * on how many items there are. Of an item with very many edges the strongest are followed.
 */
import { findItem } from "../memory/find-item.ts";
import { isExpired } from "../memory/item-changes.ts";
import type { Item } from "../memory/item.ts";
import { resolveId, unknownIdFailure } from "../memory/resolve-id.ts";
import { type PlacesWorld, restrictingSpaceIn, searchPlaces } from "../recall/places.ts";
import type { Filter } from "../recall/search.ts";
import type { Store } from "../store/store.ts";
import type { LookupWorld } from "../world.ts";
import {
  type Direction,
  directionFrom,
  type Edge,
  EDGE_SHELVES,
  type EdgeShelf,
  hasEdges,
  nextLevel,
  type Reached,
  type Relation,
} from "./edges.ts";
import { currentEdgesOf, FOLLOWED, visibleAmong } from "./related.ts";

/** Followed from one item. */
const EDGES_MOST = 100;

export interface TraverseRequest {
  depth: number;
  relations?: readonly Relation[] | undefined;
  direction: Direction;
  minimumStrength: number;
  /** Maximum number of items, without the first. */
  limit: number;
}

interface Traversed {
  shelf: EdgeShelf;
  items: (Reached & { item: Item; direction: Direction | null })[];
  /** Whether the limit left items out. */
  isCut: boolean;
}

export async function traverse(typed: string, request: TraverseRequest, world: LookupWorld): Promise<Traversed> {
  const id = await resolveId(typed, "linkable", world);
  const found = await findItem(id, world, EDGE_SHELVES);
  if (!found || !hasEdges(found.shelf)) throw await unknownIdFailure(typed, "linkable", world);
  const { store, shelf } = found;
  const space = store === world.global ? restrictingSpaceIn(world) : undefined;
  const { reached, isCut } = await walk(id, request, { store, shelf, space });
  const items = await store.items(
    shelf,
    reached.map((one) => one.id),
  );
  const now = world.clock.now();
  const byId = new Map(items.filter((item) => !isExpired(item, now)).map((item) => [item.id, item]));
  const there = reached.filter((one) => byId.has(one.id));
  return { shelf, items: there.map((one) => ({ ...one, direction: wayTo(one), item: byId.get(one.id)! })), isCut };
}

const wayTo = ({ via, from }: Reached): Direction | null => (via && from ? directionFrom(from, via) : null);

interface Place {
  store: Store;
  shelf: EdgeShelf;
  /** The space that restricts what is visible. */
  space: string | undefined;
}

async function walk(
  id: string,
  { depth, relations, direction, minimumStrength, limit }: TraverseRequest,
  { store, shelf, space }: Place,
): Promise<{ reached: Reached[]; isCut: boolean }> {
  const reached: Reached[] = [{ id, depth: 0, via: null, from: null }];
  const seen = new Set([id]);
  let level = reached.slice();
  for (let step = 0; step < depth && level.length > 0; step += 1) {
    const edges = await currentEdgesOf(
      shelf,
      level.map((one) => one.id),
      {
        statuses: ["active"],
        neighbours: FOLLOWED,
        minimumStrength,
        limit: EDGES_MOST,
        ...(relations && { relations }),
        ...(direction !== "both" && { direction }),
      },
      store,
    );
    const room = limit + 1 - reached.length;
    const found = nextLevel(level, edges, seen, direction);
    const isVisible = new Set(
      await visibleAmong(
        found.map((one) => one.id),
        space,
        { store, shelf },
      ),
    );
    const next = found.filter((one) => isVisible.has(one.id));
    level = next.slice(0, room);
    for (const one of level) seen.add(one.id);
    reached.push(...level);
    if (next.length > room) return { reached, isCut: true };
  }
  return { reached, isCut: false };
}

/**
 * Gathers memories and decisions as a graph: what there is, how it is related, and which files it names.
 *
 * The newest are taken, up to a limit; or one item and what is reached from it; or only what a suggested relation
 * connects. The number of reads does not depend on how many items there are.
 */
interface GraphRequest {
  /** Only this item and what is reached from it. */
  id?: string | undefined;
  filter: Partial<Filter>;
  /** Only relations that wait for somebody to accept them. */
  suggested: boolean;
  /** Of items; with `suggested`, of relations. */
  limit: number;
}

interface Graph {
  items: { item: Item; shelf: EdgeShelf }[];
  edges: Edge[];
  files: { path: string; items: string[] }[];
  /** Whether there are more. */
  isCut: boolean;
}

/** The strongest of each item: more would be a knot that nobody can read. */
const EDGES_OF_EACH = 12;
const STEPS = 2;

type GraphWorld = LookupWorld & PlacesWorld;
type Placed = Graph["items"][number] & { store: Store };

export async function wholeGraph(request: GraphRequest, world: GraphWorld): Promise<Graph> {
  if (request.suggested) return suggestedGraph(request, world);
  const { placed, isCut } = await (request.id === undefined
    ? newestItems(request, world)
    : reachedItems(request.id, request, world));
  const edges: Edge[] = [];
  for (const [store, here] of Map.groupBy(placed, ({ store }) => store))
    for (const [shelf, own] of Map.groupBy(here, ({ shelf }) => shelf)) {
      const ids = new Set(own.map(({ item }) => item.id));
      const found = await store.edgesOf(shelf, [...ids], { statuses: ["active"], limit: EDGES_OF_EACH });
      edges.push(...found.filter(({ source, target }) => ids.has(source) && ids.has(target)));
    }
  return { ...graphOf(placed, edges), isCut };
}

async function newestItems({ filter, limit }: GraphRequest, world: GraphWorld) {
  const places = searchPlaces(EDGE_SHELVES, filter, world);
  const parts = await Promise.all(
    places.map(async ({ store, shelf, filter: passing }) => {
      const { items, total } = await store.list(shelf, passing, { limit, offset: 0, countMost: limit + 1 });
      return { total, placed: items.map((item) => ({ item, store, shelf: shelf as EdgeShelf })) };
    }),
  );
  const all = parts.flatMap(({ placed }) => placed).sort((one, two) => two.item.createdAt - one.item.createdAt);
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  return { placed: all.slice(0, limit), isCut: total > limit };
}

async function reachedItems(id: string, { limit }: GraphRequest, world: GraphWorld) {
  const request = { depth: STEPS, direction: "both", minimumStrength: 0, limit } as const;
  const { shelf, items, isCut } = await traverse(id, request, world);
  const storeOf = ({ scope }: Item) => (scope === "global" ? world.global : world.project);
  return { placed: items.map(({ item }) => ({ item, shelf, store: storeOf(item) })), isCut };
}

async function suggestedGraph({ limit }: GraphRequest, world: GraphWorld): Promise<Graph> {
  const [placed, edges]: [Placed[], Edge[]] = [[], []];
  let isCut = false;
  for (const store of [world.project, world.global])
    for (const shelf of EDGE_SHELVES) {
      const found = await store.newestEdges(shelf, "suggested", limit + 1);
      const ids = [...new Set(found.flatMap(({ source, target }) => [source, target]))];
      const space = store === world.global ? restrictingSpaceIn(world) : undefined;
      const isVisible = new Set(await visibleAmong(ids, space, { store, shelf }));
      const shown = found.filter(({ source, target }) => isVisible.has(source) && isVisible.has(target));
      const kept = shown.slice(0, limit - edges.length);
      isCut ||= shown.length > kept.length;
      edges.push(...kept);
      const items = await store.items(shelf, [...new Set(kept.flatMap(({ source, target }) => [source, target]))]);
      placed.push(...items.map((item) => ({ item, shelf, store })));
    }
  return { ...graphOf(placed, edges), files: [], isCut };
}

function graphOf(placed: readonly Placed[], edges: Edge[]): Omit<Graph, "isCut"> {
  const named = placed.flatMap(({ item }) => item.context.files.map((path) => ({ path, id: item.id })));
  const files = [...Map.groupBy(named, ({ path }) => path)].map(([path, own]) => ({
    path,
    items: own.map(({ id }) => id),
  }));
  return { items: placed.map(({ item, shelf }) => ({ item, shelf })), edges, files };
}
