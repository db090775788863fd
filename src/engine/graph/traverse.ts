/**
 * Walks from an item along edges, breadth first.
 *
 * The edges of a level are read at once, and so are the items in the end: the number of reads depends on the depth, not
 * on how many items there are. Of an item with very many edges the strongest are followed.
 */
import { type Direction, type Reached, directionFrom, nextLevel } from "../../logic/graph/breadth-first.ts";
import { EDGE_SHELVES, type EdgeShelf, type Relation, hasEdges } from "../../model/memory/edge.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Store } from "../../ports/store/store.ts";
import type { LookupWorld } from "../../ports/world.ts";
import { isExpired } from "../../logic/memory/expiry.ts";
import { findItem } from "../memory/find-item.ts";
import { restrictingSpaceIn } from "../recall/places.ts";
import { FOLLOWED, currentEdgesOf } from "./current-edges.ts";
import { visibleAmong } from "./related.ts";
import { resolveId, unknownIdFailure } from "../memory/resolve-id.ts";

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

export interface Traversed {
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
        ...{ statuses: ["active"], neighbours: FOLLOWED, minimumStrength, limit: EDGES_MOST },
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
