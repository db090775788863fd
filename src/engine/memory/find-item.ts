/** Finds an item by its full id, first in the project's store, then in the person's; active items take precedence. */
import { Failure } from "../../errors.ts";
import { isExpired } from "../../logic/memory/expiry.ts";
import { removing } from "../../logic/memory/item-changes.ts";
import type { Change } from "../../model/journal/change.ts";
import { handleOf } from "../../model/memory/handles.ts";
import type { Item } from "../../model/memory/item.ts";
import { SHELVES, type Shelf } from "../../model/memory/shelves.ts";
import type { ItemReads } from "../../ports/store/items.ts";
import type { Store } from "../../ports/store/store.ts";
import type { LookupWorld, World } from "../../ports/world.ts";
import { unknownIdFailure } from "./resolve-id.ts";

export interface Found {
  item: Item;
  shelf: Shelf;
  store: Store;
}

/** Every row with this id that has not expired: an interrupted move may have left two. */
export async function findAll(id: string, world: LookupWorld, shelves: readonly Shelf[] = SHELVES): Promise<Found[]> {
  const found: Found[] = [];
  for (const store of [world.project, world.global]) {
    for (const shelf of shelves) {
      const [item] = await store.items(shelf, [id]);
      if (item && !isExpired(item, world.clock.now())) found.push({ item, shelf, store });
    }
  }
  return found;
}

export async function findItem(
  id: string,
  world: LookupWorld,
  shelves: readonly Shelf[] = SHELVES,
): Promise<Found | null> {
  const found = await findAll(id, world, shelves);
  return found.find(({ item }) => item.status === "active") ?? found[0] ?? null;
}

/** The item and all its predecessors. The store limits the depth of one read, so it is read until nothing is new. */
export async function chainOf<Head extends Pick<Item, "id">>(
  item: Head,
  shelf: Shelf,
  store: ItemReads,
): Promise<(Head | Item)[]> {
  const chain = new Map<string, Head | Item>([[item.id, item]]);
  for (let ends = [item.id]; ends.length > 0; ) {
    const older = (await store.replacedBy(shelf, ends)).filter(({ id }) => !chain.has(id));
    for (const one of older) chain.set(one.id, one);
    ends = older.map(({ id }) => id);
  }
  return [...chain.values()];
}

/**
 * Changes that remove an expired memory with the same content and scope; refuses if that memory has not expired.
 * Those written `together` with the item make room by themselves.
 */
export async function clearDuplicate(
  item: Pick<Item, "id" | "scope" | "hash">,
  store: ItemReads,
  { clock }: Pick<World, "clock">,
  together: ReadonlySet<string> = new Set(),
): Promise<Change[]> {
  const twin = await store.sameContent("memory", item.scope, item.hash);
  if (!twin || twin.id === item.id || together.has(twin.id)) return [];
  if (isExpired(twin, clock.now())) return [removing("memory", twin)];
  throw new Failure(
    "conflict",
    `Memory ${handleOf(twin.id)} has the same content in the ${item.scope} scope.`,
    `Forget ${handleOf(item.id)} instead.`,
  );
}

export async function needMemory(id: string, world: LookupWorld): Promise<Found> {
  const found = await findItem(id, world, ["memory"]);
  if (found) return found;
  throw await unknownIdFailure(id, "memory", world);
}
