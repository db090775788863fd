/** Finds an item by id in the project, then in the person's own space; an active row wins over a closed one. */
import { Failure } from "../errors.ts";
import type { Item } from "../model/item.ts";
import { SHELVES, type Shelf } from "../model/shelf.ts";
import type { Store, World } from "../ports.ts";

export interface Found {
  item: Item;
  shelf: Shelf;
  store: Store;
}

type Stores = Pick<World, "project" | "global">;

/** Every row with this id: an interrupted promotion may have left two. */
export async function findAll(id: string, world: Stores, shelves: readonly Shelf[] = SHELVES): Promise<Found[]> {
  const found: Found[] = [];
  for (const store of [world.project, world.global]) {
    for (const shelf of shelves) {
      const [item] = await store.items(shelf, [id]);
      if (item) found.push({ item, shelf, store });
    }
  }
  return found;
}

export async function findItem(id: string, world: Stores, shelves: readonly Shelf[] = SHELVES): Promise<Found | null> {
  const found = await findAll(id, world, shelves);
  return found.find(({ item }) => item.status === "active") ?? found[0] ?? null;
}

/** Refuses what would say the same thing twice in one scope. */
export async function refuseTwin(item: Pick<Item, "id" | "scope" | "hash">, store: Store): Promise<void> {
  const twin = await store.sameContent("memory", item.scope, item.hash);
  if (!twin || twin.id === item.id) return;
  throw new Failure(
    "conflict",
    `Memory ${twin.id} says the same in the ${item.scope} scope.`,
    `Forget ${item.id} instead.`,
  );
}

export async function needMemory(id: string, world: Stores): Promise<Found> {
  const found = await findItem(id, world, ["memory"]);
  if (found) return found;
  throw new Failure("not_found", `There is no memory ${id}.`, "Search for it, or list what is there.");
}
