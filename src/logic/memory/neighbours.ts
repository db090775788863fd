/**
 * Neighbours: which of two unsettled items that are near each other stands above the other.
 *
 * The newer one does, unless it is an agent's and the older one a person's: that waits for the person. A decision stands
 * above any memory.
 */
import type { Item } from "../../model/memory/item.ts";
import type { NearPair, Verdict } from "../../model/memory/near.ts";
import { cutLine } from "../../model/text/cut.ts";
import { authorOf, isPersons, whoSaid } from "./authorship.ts";

/** Where a memory keeps what was settled about it and decisions, by their ids. */
export const SETTLED = "settled";

export const settledIn = ({ details }: Pick<Item, "details">): Record<string, Verdict> =>
  (details[SETTLED] ?? {}) as Record<string, Verdict>;

type Said = Pick<Item, "id" | "createdAt" | "pinned" | "source" | "host" | "details">;

const isOfPerson = (item: Said): boolean => item.pinned || isPersons(authorOf(item));

/** Of two written at the same moment, ids tell the order. */
export const isEarlier = (one: Pick<Item, "id" | "createdAt">, other: Pick<Item, "id" | "createdAt">): boolean =>
  one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id);

/** The two items of a pair, the one that stands above first. */
export function inOrder<One extends Said>(pair: NearPair, newer: One, older: One): [above: One, below: One] {
  if (pair.olderShelf === "decision" && pair.newerShelf !== "decision") return [older, newer];
  return isOfPerson(older) && !isOfPerson(newer) ? [older, newer] : [newer, older];
}

/** Two unsettled items, the one that stands above first. */
export interface Standing<One extends Said = Item> {
  above: One;
  below: One;
  contradicts: boolean;
}

/** By the id of what stands above all its neighbours: those that are told with it, nearest first. Pairs nearest first. */
export function folded<One extends Said>(pairs: readonly Standing<One>[]): Map<string, Standing<One>[]> {
  const leads = new Map<string, Standing<One>>();
  const rootOf = (one: One): One => (leads.has(one.id) ? rootOf(leads.get(one.id)!.above) : one);
  for (const pair of pairs)
    if (!leads.has(pair.below.id) && rootOf(pair.above).id !== pair.below.id) leads.set(pair.below.id, pair);
  return Map.groupBy(
    [...leads.values()].map((pair) => ({ ...pair, above: rootOf(pair.above) })),
    ({ above }) => above.id,
  );
}

const TOLD_CHARACTERS = 100;
const TOLD_MOST = 2;

/** Behind the text of an item: what it is near, in brackets. */
export function toldWith(pairs: readonly Standing[] | undefined, dayOf: (at: number) => string): string {
  const told = (pairs ?? []).slice(0, TOLD_MOST).map(({ above, below, contradicts }) => {
    const when = isEarlier(below, above) ? "earlier" : "later";
    const who = when === "later" ? `, ${whoSaid(authorOf(below))}` : "";
    const text = cutLine(below.content.replace(/\s+/g, " ").trim(), TOLD_CHARACTERS);
    return `${when}, ${dayOf(below.createdAt)}${who}${contradicts ? ", contradicts" : ""}: ${text}`;
  });
  return told.length === 0 ? "" : ` (not settled; ${told.join("; ")})`;
}
