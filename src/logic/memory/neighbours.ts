/**
 * Neighbours: which of two unsettled items that are near each other stands above the other.
 *
 * The newer one does, unless it is an agent's and the older one a person's: that waits for the person. A decision stands
 * above any memory.
 */
import type { Item } from "../../model/memory/item.ts";
import type { NearPair, Verdict } from "../../model/memory/near.ts";
import { authorOf, isPersons } from "./authorship.ts";

/** Where a memory keeps what was settled about it and decisions, by their ids. */
export const SETTLED = "settled";

export const settledIn = ({ details }: Pick<Item, "details">): Record<string, Verdict> =>
  (details[SETTLED] ?? {}) as Record<string, Verdict>;

type Said = Pick<Item, "id" | "createdAt" | "pinned" | "source" | "host" | "details">;

const isOfPerson = (item: Said): boolean => item.pinned || isPersons(authorOf(item));

/** The two items of a pair, the one that stands above first. */
export function inOrder<One extends Said>(pair: NearPair, newer: One, older: One): [above: One, below: One] {
  if (pair.olderShelf === "decision" && pair.newerShelf !== "decision") return [older, newer];
  return isOfPerson(older) && !isOfPerson(newer) ? [older, newer] : [newer, older];
}
