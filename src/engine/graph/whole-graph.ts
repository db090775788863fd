/**
 * Gathers memories and decisions as a graph: what there is, how it is related, and which files it names.
 *
 * The newest are taken, up to a limit; or one item and what is reached from it; or only what a suggested relation
 * connects. The number of reads does not depend on how many items there are.
 */
import { EDGE_SHELVES, type Edge, type EdgeShelf } from "../../model/memory/edge.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Filter } from "../../model/recall/search.ts";
import type { Store } from "../../ports/store/store.ts";
import type { LookupWorld } from "../../ports/world.ts";
import { type PlacesWorld, restrictingSpaceIn, searchPlaces } from "../recall/places.ts";
import { visibleAmong } from "./related.ts";
import { traverse } from "./traverse.ts";

export interface GraphRequest {
  /** Only this item and what is reached from it. */
  id?: string | undefined;
  filter: Partial<Filter>;
  /** Only relations that wait for somebody to accept them. */
  suggested: boolean;
  /** Of items; with `suggested`, of relations. */
  limit: number;
}

export interface Graph {
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
