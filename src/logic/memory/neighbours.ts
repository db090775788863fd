/**
 * Neighbours: which of two unsettled items that are near each other stands above the other.
 *
 * The newer one does, unless it is an agent's and the older one a person's: that waits for the person. A decision stands
 * above any memory.
 */
import type { Item } from "../../model/memory/item.ts";
import type { NearPair, Verdict } from "../../model/memory/near.ts";
import { handleOf } from "../../model/memory/handles.ts";
import { authorOf, isPersons } from "./authorship.ts";

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

/** What stands above another that nobody has settled with it yet. */
export interface Standing<One extends Said = Item> {
  above: One;
  below: One;
  contradicts: boolean;
}

/** Before the text of what stands below: `earlier than ab12cd34, not settled`. */
export function besideWords({ above, below, contradicts }: Standing): string {
  const is = isEarlier(below, above) ? "earlier" : "later";
  return `${is} than ${handleOf(above.id)}${contradicts ? " and contradicts it" : ""}, not settled`;
}

/** Puts what stands above directly before what stands below it, where it came behind; nothing else changes its order. */
export function besideEachOther<Entry extends { id: string }>(
  list: readonly Entry[],
  pairs: readonly { above: string; below: string }[],
): Entry[] {
  let ordered = [...list];
  const placeOf = (id: string): number => ordered.findIndex((one) => one.id === id);
  // What was moved may have neighbours above it in its turn.
  for (let round = 0, isMoved = pairs.length > 0; isMoved && round < list.length; round += 1) {
    isMoved = false;
    for (const { above, below } of pairs) {
      const [upper, lower] = [placeOf(above), placeOf(below)];
      if (lower < 0 || upper <= lower) continue;
      const moved = ordered[upper]!;
      ordered = ordered.toSpliced(upper, 1).toSpliced(lower, 0, moved);
      isMoved = true;
    }
  }
  return ordered;
}
