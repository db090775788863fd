/** Finds an item by its full id, first in the project's store, then in the person's; active items take precedence. */
import { Failure } from "../errors.ts";
import type { Change } from "../journal/change.ts";
import { recall } from "../recall/recall.ts";
import type { ItemReads, Store } from "../store/store.ts";
import type { LookupWorld, World } from "../world.ts";
import { handleOf } from "./handles.ts";
import { isExpired, removing } from "./item-changes.ts";
import type { Item } from "./item.ts";
import {
  findId,
  type IdKind,
  isNearStoredHandle,
  itemsWithPrefix,
  readingOf,
  shelvesOf,
  unknownIdFailure,
} from "./resolve-id.ts";
import { type Shelf, SHELVES } from "./shelves.ts";

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

/** An item that a person may mean by words, or by the beginning of an id. */
export interface PossibleTarget extends Pick<Item, "id" | "scope" | "type" | "summary"> {
  relevance: number;
}

/**
 * What a person may mean by words, or by a prefix that several ids have.
 *
 * A mistyped id is an error, whatever a search for it would find.
 */
const RELEVANCE_LEAST = 0.1;
/** As many as a person takes in at a glance. */
const OFFERED = 9;

export async function possibleTargets(
  query: string,
  what: IdKind,
  limit: number,
  world: World,
): Promise<PossibleTarget[]> {
  if (await isMistypedId(query, what, world)) throw await unknownIdFailure(query, what, world);
  const { hits } = await recall({ query, limit, mode: "hybrid", threshold: RELEVANCE_LEAST, quiet: true }, world);
  const named = (await itemsWithPrefix(query, what, world)).map((item) => ({ ...item, relevance: 1 }));
  return [...named, ...hits.filter(({ id }) => !named.some((item) => item.id === id))].slice(0, limit).map(targetOf);
}

/** What to choose from; nothing if the text names one item, or is a mistyped id, which the verb itself reports. */
export async function targetsToChoose(
  typed: string,
  what: IdKind,
  world: World,
  { isWhole = false }: { isWhole?: boolean } = {},
): Promise<PossibleTarget[]> {
  try {
    if ((await findId(typed, what, world, { isWhole })) !== null) return [];
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== "conflict") throw thrown;
    return (await itemsWithPrefix(typed, what, world)).map((item) => targetOf({ ...item, relevance: 1 }));
  }
  if (await isMistypedId(typed, what, world)) return [];
  const { hits } = await recall(
    { query: typed, limit: OFFERED, mode: "hybrid", threshold: RELEVANCE_LEAST, quiet: true },
    world,
  );
  return hits.filter(({ shelf }) => shelvesOf(what).includes(shelf)).map(targetOf);
}

const isMistypedId = async (typed: string, what: IdKind, world: World): Promise<boolean> =>
  readingOf(typed) === "id" || isNearStoredHandle(typed, what, world);

const targetOf = ({ id, scope, type, summary, relevance }: PossibleTarget): PossibleTarget => ({
  id,
  scope,
  type,
  summary,
  relevance,
});
