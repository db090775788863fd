/** Reads which of some items are near others that nobody has settled yet, with those others. */
import { inOrder, settledIn } from "../../logic/memory/neighbours.ts";
import { isExpired } from "../../logic/memory/expiry.ts";
import { EDGE_SHELVES } from "../../model/memory/edge.ts";
import type { Item } from "../../model/memory/item.ts";
import type { NearKind, NearShelf } from "../../model/memory/near.ts";
import type { Store } from "../../ports/store/store.ts";
import type { World } from "../../ports/world.ts";

export interface PlacedNear {
  item: Item;
  shelf: NearShelf;
  store: Store;
}

/** Two that are near each other: which of them stands above the other, and what is sure about them. */
export interface Neighbours {
  above: PlacedNear;
  below: PlacedNear;
  nearness: number;
  kind: NearKind | null;
}

type NeighbourWorld = Pick<World, "project" | "global" | "clock">;

const EDGES_MOST = 100;

/** Nearest first, without pairs of which one no longer holds. */
export async function unsettled(ids: readonly string[], world: NeighbourWorld): Promise<Neighbours[]> {
  if (ids.length === 0) return [];
  const found: Neighbours[] = [];
  for (const store of new Set([world.project, world.global])) {
    const pairs = await store.nearPairs(ids);
    if (pairs.length === 0) continue;
    const { seen, opposed } = await statedBetween([...new Set(pairs.flatMap(({ newer, older }) => [newer, older]))], store); // prettier-ignore
    const items = await itemsOf(pairs, store, world);
    for (const pair of pairs) {
      const [newer, older] = [items.get(pair.newer), items.get(pair.older)];
      const key = keyOf(pair.newer, pair.older);
      if (!newer || !older || seen.has(key)) continue;
      if (settledIn(newer.item)[older.item.id] || settledIn(older.item)[newer.item.id]) continue;
      const [above] = inOrder(pair, newer.item, older.item);
      const [first, second] = above === newer.item ? [newer, older] : [older, newer];
      const kind = opposed.has(key) ? "contradicts" : pair.kind;
      found.push({ above: first, below: second, nearness: pair.nearness, kind });
    }
  }
  return found.sort((one, two) => two.nearness - one.nearness || (one.below.item.id < two.below.item.id ? -1 : 1));
}

const keyOf = (one: string, two: string): string => [one, two].sort().join(" ");

/** Which of these nobody has settled with this item yet. */
export async function unsettledWith<One extends { item: Item }>(
  id: string,
  others: readonly One[],
  store: Store,
): Promise<One[]> {
  if (others.length === 0) return [];
  const { seen } = await statedBetween([id], store);
  const [memory] = await store.items("memory", [id]);
  const kept = memory ? settledIn(memory) : {};
  return others.filter(({ item }) => !seen.has(keyOf(id, item.id)) && !kept[item.id] && !settledIn(item)[id]);
}

/** Whoever stated anything about two of them has seen both; that they contradict each other settles nothing. */
async function statedBetween(
  ids: readonly string[],
  store: Store,
): Promise<{ seen: Set<string>; opposed: Set<string> }> {
  const [seen, opposed] = [new Set<string>(), new Set<string>()];
  for (const shelf of EDGE_SHELVES)
    for (const {
      source,
      target,
      relation,
      status,
    } of await store.edgesOf(shelf, ids, { made: false, limit: EDGES_MOST })) // prettier-ignore
      if (status !== "suggested") (relation === "contradicts" ? opposed : seen).add(keyOf(source, target));
  return { seen, opposed };
}

async function itemsOf(
  pairs: Awaited<ReturnType<Store["nearPairs"]>>,
  store: Store,
  { clock }: Pick<World, "clock">,
): Promise<Map<string, PlacedNear>> {
  const now = clock.now();
  const places = new Map(
    pairs.flatMap(({ newer, newerShelf, older, olderShelf }) => [
      [newer, newerShelf] as const,
      [older, olderShelf] as const,
    ]),
  );
  const items = new Map<string, PlacedNear>();
  for (const [shelf, own] of Map.groupBy([...places], ([, shelf]) => shelf)) {
    const read = await store.items(shelf, own.map(([id]) => id)); // prettier-ignore
    for (const item of read) if (holds(item, now)) items.set(item.id, { item, shelf, store });
  }
  return items;
}

const holds = (item: Item, now: number): boolean =>
  (item.status === "active" || item.status === "pending") &&
  !isExpired(item, now) &&
  (item.validUntil === null || item.validUntil > now);
