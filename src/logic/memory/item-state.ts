/**
 * Which state an item is in, apart from what it says.
 *
 * Of evidence the journal keeps hashes, never words. Where a change left the words alone, the
 * state before it and a fingerprint of all the rest are enough to tell what was there: the item
 * itself still says it. An item that has another fingerprint by now tells nothing of the past.
 */
import { hash } from "node:crypto";
import type { Item } from "../../model/memory/item.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import { itemLine } from "../transfer/export-encode.ts";

export type ItemState = Pick<Item, "status" | "version" | "updatedAt">;

export interface StateChange {
  state: ItemState;
  /** Of everything else that the item said before and says after. */
  rest: string;
}

const NO_STATE: ItemState = { status: "active", version: 1, updatedAt: 0 };

/** Spelt as in an export, so that it is the same in whichever store the item lies. */
function fingerprint(shelf: Shelf, item: Item): string {
  return hash("sha256", itemLine(shelf, { item: { ...item, ...NO_STATE }, passages: [], embed: false }));
}

/** The state before a change of nothing but the state; null where more was changed. */
export function stateChange(shelf: Shelf, before: Item, after: Item): StateChange | null {
  const rest = fingerprint(shelf, before);
  const { status, version, updatedAt } = before;
  return rest === fingerprint(shelf, after) ? { state: { status, version, updatedAt }, rest } : null;
}

/** The item as it was in that state; null where it is not the one that was changed. */
export function inState(shelf: Shelf, item: Item, { state, rest }: StateChange): Item | null {
  return fingerprint(shelf, item) === rest ? { ...item, ...state } : null;
}
