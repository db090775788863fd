/** Changes to one item, as values: revise, close, remove, move between stores. Each expects the item as it was read. */
import type { Change } from "../../model/journal/change.ts";
import type { Item, Revision } from "../../model/memory/item.ts";
import { FIXED_FIELDS } from "../../model/memory/item-fields.ts";
import type { Passage, Shelf } from "../../model/memory/shelf.ts";

export const removing = (shelf: Shelf, { id, version, updatedAt }: Item): Change => ({
  kind: "remove_item",
  shelf,
  id,
  expectedVersion: version,
  expectedUpdatedAt: updatedAt,
});

/**
 * Working memories are inserted and removed without a record. One that moves between stores becomes global for a
 * moment, so that the move is recorded.
 */
export function removingOnRecord(shelf: Shelf, item: Item): Change[] {
  if (item.scope !== "working") return [removing(shelf, item)];
  const recorded = revising(shelf, item, { scope: "global", expiresAt: null });
  return [recorded, removing(shelf, { ...item, version: item.version + 1 })];
}

/** The inverse of `removingOnRecord`. */
export function insertingOnRecord(shelf: Shelf, item: Item, passages: Passage[], embed: boolean): Change[] {
  const insertion: Change = { kind: "insert_item", shelf, item, passages, embed };
  if (item.scope !== "working") return [insertion];
  const { version, scope, expiresAt } = item;
  return [
    { ...insertion, item: { ...item, scope: "global", expiresAt: null } },
    { ...revising(shelf, item, { scope, expiresAt }), version },
  ];
}

/** A revision that keeps the passages. */
export const revising = (
  shelf: Shelf,
  { id, version, updatedAt }: Item,
  set: Revision,
): Extract<Change, { kind: "revise_item" }> => ({
  kind: "revise_item",
  shelf,
  id,
  expectedVersion: version,
  expectedUpdatedAt: updatedAt,
  set,
  passages: null,
  embed: false,
});

/** The items after these changes; only insertions and revisions count. */
export function withChanges(items: readonly Item[], changes: readonly Change[]): Item[] {
  const after = new Map(items.map((item) => [item.id, item]));
  for (const change of changes) {
    if (change.kind === "insert_item") after.set(change.item.id, change.item);
    const item = change.kind === "revise_item" ? after.get(change.id) : undefined;
    if (item && change.kind === "revise_item") after.set(item.id, { ...item, ...change.set });
  }
  return [...after.values()];
}

/** The revision that gives an item the fields of this one. */
export const revisionTo = (item: Item): Revision => {
  const set: Partial<Item> = { ...item };
  for (const name of FIXED_FIELDS) delete set[name];
  return set;
};

/** Closes an item in favour of its successor, and records until when it held; `set` changes more of it. */
export function closing(item: Item, successor: string, now: number, set: Revision = {}): Change {
  const validFrom = item.validFrom ?? item.createdAt;
  const validUntil = Math.max(now, validFrom);
  const closed = { status: "superseded", supersededBy: successor, validFrom, validUntil, updatedAt: now } as const;
  return { ...revising("memory", item, { ...set, ...closed }), expectsSuccessor: true };
}
