/** Reads which of some items are near others that nobody has settled yet, with those others. */
import { EDGE_SHELVES, type EdgeShelf } from "../graph/edges.ts";
import type { Store } from "../store/store.ts";
import { shownLine } from "../text/short-text.ts";
import type { World } from "../world.ts";
import { authorOf, isPersons } from "./authorship.ts";
import { besideEachOther } from "./beside.ts";
import { handleOf, identityOf } from "./handles.ts";
import { isExpired } from "./item-changes.ts";
import type { Item } from "./item.ts";
import type { Condition, NearKind, NearPair, NearShelf } from "./near-pair.ts";
import { isVerdict, SETTLED, type Verdict } from "./verdict.ts";
import type { Memory } from "./view.ts";
import { isVisibleIn, restrictingSpace } from "./visibility.ts";

// Neighbours: which of two unsettled items that are near each other stands above the other.
//
// The newer one does, unless it is an agent's and the older one a person's: that waits for the person. A decision stands
// above any memory.

export const settledIn = ({ details }: Pick<Item, "details">): Record<string, Verdict> =>
  Object.fromEntries(
    Object.entries(details[SETTLED] ?? {}).filter((entry): entry is [string, Verdict] => isVerdict(entry[1])),
  );

/** Under which conditions it holds beside decisions. */
export const conditionsIn = (item: Pick<Item, "details">): Condition[] =>
  conditionsBeside(Object.entries(settledIn(item)).map(([id, { when }]) => ({ id, when })));

type Said = Pick<Item, "id" | "createdAt" | "pinned" | "source" | "host" | "details">;

/** Whether a person typed, pinned or agreed to it. */
export const isOfPerson = (item: Omit<Said, "id" | "createdAt">): boolean => item.pinned || isPersons(authorOf(item));

/** Of two written at the same moment, ids tell the order. */
export const isEarlier = (one: Pick<Item, "id" | "createdAt">, other: Pick<Item, "id" | "createdAt">): boolean =>
  one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id);

/** The two items of a pair, the one that stands above first. */
function inOrder<One extends Said>(pair: NearPair, newer: One, older: One): [above: One, below: One] {
  if (pair.olderShelf === "decision" && pair.newerShelf !== "decision") return [older, newer];
  return isOfPerson(older) && !isOfPerson(newer) ? [older, newer] : [newer, older];
}

/** What stands above another that nobody has settled with it yet. */
interface Standing<One extends Said = Item> {
  above: One;
  below: One;
  contradicts: boolean;
}

/** Before the text of what stands below: `earlier than ab12cd34, not settled`. */
function besideWords({ above, below, contradicts }: Standing): string {
  const is = isEarlier(below, above) ? "earlier" : "later";
  return `${is} than ${handleOf(above.id)}${contradicts ? " and contradicts it" : ""}, not settled`;
}

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

type NeighbourWorld = Pick<World, "project" | "global" | "clock" | "place" | "settings">;

/** Of one item: nobody states so many, and among fewer a verdict could be missed. */
const EDGES_MOST = 1_000;

/** Nearest first, without pairs of which one no longer holds, or is not for this project. */
export async function unsettled(ids: readonly string[], world: NeighbourWorld): Promise<Neighbours[]> {
  if (ids.length === 0) return [];
  const found: Neighbours[] = [];
  for (const store of new Set([world.project, world.global])) {
    const pairs = await store.nearPairs(ids);
    if (pairs.length === 0) continue;
    const { seen, opposed } = await statedBetween(
      [...new Set(pairs.flatMap(({ newer, older }) => [newer, older]))],
      pairs.map(({ newerShelf }) => newerShelf),
      store,
    );
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

interface HeldBeside {
  id: string;
  when: string | undefined;
}

/** Beside which others each of these was said to hold, both under a condition or as two things that are unrelated. */
async function heldBeside(
  ids: readonly string[],
  shelf: EdgeShelf,
  { project, global }: Pick<World, "project" | "global">,
): Promise<Map<string, HeldBeside[]>> {
  const found = new Map<string, HeldBeside[]>();
  if (ids.length === 0) return found;
  for (const store of new Set([project, global]))
    for (const { source, target, verdict } of await store.edgesOf(shelf, ids, SETTLING)) {
      if (!verdict) continue;
      const when = verdict.as === "both" ? verdict.when : undefined;
      for (const [id, other] of [
        [source, target],
        [target, source],
      ] as const)
        found.set(id, [...(found.get(id) ?? []), { id: other, when }]);
    }
  return found;
}

const SETTLING = {
  made: false,
  statuses: ["active", "dismissed"],
  relations: ["relates_to"],
  limit: EDGES_MOST,
} as const;

/** Under which conditions these hold beside something that they are near. */
export async function conditionsOf(
  ids: readonly string[],
  shelf: EdgeShelf,
  world: Pick<World, "project" | "global">,
): Promise<Map<string, Condition[]>> {
  const found = new Map<string, Condition[]>();
  for (const [id, others] of await heldBeside(ids, shelf, world)) {
    const conditions = conditionsBeside(others);
    if (conditions.length > 0) found.set(id, conditions);
  }
  return found;
}

const conditionsBeside = (others: readonly HeldBeside[]): Condition[] =>
  others.flatMap(({ id, when }) => (when === undefined ? [] : [{ ...identityOf(id), when }]));

const WHEN_CHARACTERS = 200;

/** The condition is about both, so it is told with the other one's handle. */
export const conditionWords = ({ handle, when }: Condition): string =>
  `both hold with ${handle}: ${shownLine(when, WHEN_CHARACTERS)}`;

/** Which of these nobody has settled with this item yet. */
export async function unsettledWith<One extends { item: Item }>(
  id: string,
  others: readonly One[],
  store: Store,
): Promise<One[]> {
  if (others.length === 0) return [];
  const { seen } = await statedBetween([id], EDGE_SHELVES, store);
  const [memory] = await store.items("memory", [id]);
  const kept = memory ? settledIn(memory) : {};
  return others.filter(({ item }) => !seen.has(keyOf(id, item.id)) && !kept[item.id] && !settledIn(item)[id]);
}

/** Whoever stated anything about two of them has seen both; that they contradict each other settles nothing. */
async function statedBetween(
  ids: readonly string[],
  shelves: readonly NearShelf[],
  store: Store,
): Promise<{ seen: Set<string>; opposed: Set<string> }> {
  const [seen, opposed] = [new Set<string>(), new Set<string>()];
  for (const shelf of EDGE_SHELVES.filter((one) => shelves.includes(one))) {
    const edges = await store.edgesOf(shelf, ids, { made: false, limit: EDGES_MOST });
    for (const { source, target, relation, status } of edges)
      if (status !== "suggested") (relation === "contradicts" ? opposed : seen).add(keyOf(source, target));
  }
  return { seen, opposed };
}

async function itemsOf(
  pairs: Awaited<ReturnType<Store["nearPairs"]>>,
  store: Store,
  { clock, place, settings }: NeighbourWorld,
): Promise<Map<string, PlacedNear>> {
  const now = clock.now();
  const space = restrictingSpace(settings.routing.preset, place.spaceId);
  const places = new Map(
    pairs.flatMap(({ newer, newerShelf, older, olderShelf }) => [
      [newer, newerShelf] as const,
      [older, olderShelf] as const,
    ]),
  );
  const items = new Map<string, PlacedNear>();
  for (const [shelf, own] of Map.groupBy([...places], ([, shelf]) => shelf)) {
    const read = await store.items(
      shelf,
      own.map(([id]) => id),
    );
    for (const item of read)
      if (holds(item, now) && isVisibleIn(space, item)) items.set(item.id, { item, shelf, store });
  }
  return items;
}

const holds = (item: Item, now: number): boolean =>
  (item.status === "active" || item.status === "pending") &&
  !isExpired(item, now) &&
  (item.validUntil === null || item.validUntil > now);

/** Above which others each of some items stands; of several that stand above one, the nearest. */
export async function standingAmong(ids: readonly string[], world: NeighbourWorld): Promise<Map<string, Neighbours>> {
  const known = new Set(ids);
  const found = new Map<string, Neighbours>();
  for (const pair of await unsettled(ids, world)) {
    const { id } = pair.below.item;
    if (known.has(id) && !found.has(id)) found.set(id, pair);
  }
  return found;
}

/**
 * A list that somebody is told, in which nothing stands before what stands above it, and nothing alone that something stands
 * above: that is added. Nothing is left out.
 */
export async function toldBeside<Entry extends { id: string }>(
  list: readonly Entry[],
  added: (above: PlacedNear, below: Entry) => Entry,
  world: NeighbourWorld,
): Promise<{
  list: Entry[];
  above: ReadonlyMap<string, string>;
  /** With which others it was said to be no repetition. */
  apart: (id: string) => ReadonlySet<string>;
  wordsOf: (id: string) => string | null;
}> {
  const ids = list.map(({ id }) => id);
  const found = await standingAmong(ids, world);
  const known = new Set(ids);
  const held = new Map([...(await heldBeside(ids, "memory", world)), ...(await heldBeside(ids, "decision", world))]);
  const all = list.flatMap((entry) => {
    const above = found.get(entry.id)?.above;
    if (!above || known.has(above.item.id)) return [entry];
    known.add(above.item.id);
    return [added(above, entry), entry];
  });
  const pairs = [...found.values()].map(({ above, below }) => ({ above: above.item.id, below: below.item.id }));
  return {
    list: besideEachOther(all, pairs),
    above: new Map(pairs.map(({ above, below }) => [below, above])),
    apart: (id) => new Set(held.get(id)?.map((one) => one.id)),
    wordsOf(id) {
      const pair = found.get(id);
      const words = [
        ...(pair
          ? [besideWords({ above: pair.above.item, below: pair.below.item, contradicts: pair.kind === "contradicts" })]
          : []),
        ...conditionsBeside(held.get(id) ?? []).map(conditionWords),
      ];
      return words.length > 0 ? words.join("; ") : null;
    },
  };
}

type NearView = NonNullable<Memory["near"]>;

/** By the id of each item, what it is near, as an answer shows it. */
export async function nearOfItems(ids: readonly string[], world: NeighbourWorld): Promise<Map<string, NearView>> {
  const found = new Map<string, NearView>();
  for (const { above, below, kind } of await unsettled(ids, world))
    for (const [one, other] of [
      [above.item, below.item],
      [below.item, above.item],
    ] as const)
      found.set(one.id, [
        ...(found.get(one.id) ?? []),
        {
          ...identityOf(other.id),
          is: isEarlier(other, one) ? "earlier" : "later",
          contradicts: kind === "contradicts",
          createdAt: new Date(other.createdAt).toISOString(),
          summary: other.summary,
        },
      ]);
  return found;
}
