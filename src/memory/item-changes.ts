/** Changes to one item, as values: revise, close, remove, move between stores. Each expects the item as it was read. */
import { hash } from "node:crypto";
import type { Change, Origin } from "../journal/change.ts";
import { summaryOf } from "../text/short-text.ts";
import { itemLine } from "../transfer/export-text.ts";
import { FIELDS, FIXED_FIELDS, LATER_FIELDS, type Marked, SAID_FIELDS, type SaidField } from "./item-fields.ts";
import type { Item, MemoryType, Revision } from "./item.ts";
import type { Passage, Shelf } from "./shelves.ts";

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

// Decides which shelf a type of memory belongs on, and whether it gets vectors.

/** Decisions stay on the proposal shelf until a person ratifies them. */
export const shelfFor = (type: MemoryType): Shelf => (type === "decision" ? "proposal" : "memory");

/** Raw code is found through its description; embedding it would only add noise. */
export const isEmbedded = (type: string): boolean => type !== "code";

/** Defaults of a new item, in one place so that all kinds start alike. */
export interface Provenance {
  id: string;
  now: number;
  origin: Pick<Origin, "host" | "session">;
}

type Given = Pick<Item, "type" | "content" | "hash" | "source" | "context" | "details"> & Partial<Item>;

type DefaultedField = Marked<{ nullable: true }> | Marked<{ initial: unknown }>;
const DEFAULTS = Object.fromEntries(
  FIELDS.filter(([, field]) => field.nullable || "initial" in field).map(([name, { initial = null }]) => [
    name,
    initial,
  ]),
) as Pick<Item, DefaultedField>;

export function newItem(given: Given, { id, now, origin }: Provenance): Item {
  return {
    ...DEFAULTS,
    id,
    host: origin.host,
    session: origin.session,
    createdAt: now,
    updatedAt: now,
    accessedAt: now,
    tags: [],
    ...given,
    summary: given.summary ?? summaryOf(given.content),
  };
}

type Said = Partial<Pick<Item, SaidField>>;

/** The fields that a caller gave, without those left undefined. */
export function saidIn(part: Said): Said {
  return Object.fromEntries(SAID_FIELDS.flatMap((name) => (part[name] === undefined ? [] : [[name, part[name]]])));
}

/** Adds fields that did not exist when the item was recorded, in their usual order. */
export function withLaterFields(kept: Item): Item {
  if (LATER_FIELDS.every((name) => name in kept)) return kept;
  return Object.fromEntries(FIELDS.map(([name]) => [name, kept[name] ?? null])) as unknown as Item;
}

/**
 * The state of an item, apart from its content.
 *
 * For evidence the journal keeps hashes, never text. If a change left the text alone, the previous state and a
 * fingerprint of everything else are enough to reconstruct the item, because the item itself still has the text. If its
 * fingerprint has changed since, the past cannot be reconstructed.
 */
type ItemState = Pick<Item, "status" | "version" | "updatedAt">;

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

/** Whether an item has expired. */
export const isExpired = (item: Item, now: number): boolean => item.expiresAt !== null && item.expiresAt <= now;
