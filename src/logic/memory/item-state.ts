/**
 * The state of an item, apart from its content.
 *
 * For evidence the journal keeps hashes, never text. If a change left the text alone, the previous state and a
 * fingerprint of everything else are enough to reconstruct the item, because the item itself still has the text. If its
 * fingerprint has changed since, the past cannot be reconstructed.
 */
import { hash } from "node:crypto";
import type { Item } from "../../model/memory/item.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import { itemLine } from "../transfer/export-encode.ts";

export type ItemState = Pick<Item, "status" | "version" | "updatedAt">;

export interface StateChange {
  state: ItemState;
  /** Fingerprint of everything else, the same before and after. */
  rest: string;
}

const NO_STATE: ItemState = { status: "active", version: 1, updatedAt: 0 };

/** Encoded as in an export, so that it is the same in every store. */
function fingerprint(shelf: Shelf, item: Item): string {
  return hash("sha256", itemLine(shelf, { item: { ...item, ...NO_STATE }, passages: [], embed: false }));
}

/** The state before a change that affected only the state; null if more changed. */
export function stateChange(shelf: Shelf, before: Item, after: Item): StateChange | null {
  const rest = fingerprint(shelf, before);
  const { status, version, updatedAt } = before;
  return rest === fingerprint(shelf, after) ? { state: { status, version, updatedAt }, rest } : null;
}

/** The item in that state; null if it is not the item that was changed. */
export function inState(shelf: Shelf, item: Item, { state, rest }: StateChange): Item | null {
  return fingerprint(shelf, item) === rest ? { ...item, ...state } : null;
}

/** A rollback lowers the version, so a later change can reach the same number again; `updatedAt` tells them apart. */
export function isExpected(
  { version, updatedAt }: Item,
  { expectedVersion, expectedUpdatedAt = updatedAt }: { expectedVersion: number; expectedUpdatedAt?: number },
): boolean {
  return version === expectedVersion && updatedAt === expectedUpdatedAt;
}
