/**
 * Journal: the record of changes.
 *
 * The chain holds who, how, when and which item; the previous state is stored beside it and can be erased while the
 * chain stays valid. The state after a change is what the next change found, or the row itself.
 */
import type { Edge } from "../graph/edges.ts";
import type { Item } from "../memory/item.ts";
import type { Passage, Shelf } from "../memory/shelves.ts";

export const EDGE_KINDS = ["insert_edge", "remove_edge"] as const;
export const JOURNALED_KINDS = [
  ...(["insert_item", "revise_item", "remove_item", "purge_items", "redact_items"] as const),
  ...EDGE_KINDS,
  "drop_payloads",
] as const;
/** The kinds of changes that are journaled. */
export type JournaledKind = (typeof JOURNALED_KINDS)[number];

/** Previous states on these shelves are kept for a limited time; what people agreed to stays on record. */
export const LIMITED_SHELVES: readonly Shelf[] = ["memory", "evidence"];

/** The name of an entry which says that older states were dropped; it ends with the number of the last one. */
const DROPPED_THROUGH = "states-through-";
export const droppedName = (through: number): string => `${DROPPED_THROUGH}${through}`;
/** 0 if the name says nothing. */
export const droppedThrough = (name: string): number =>
  name.startsWith(DROPPED_THROUGH) ? Number(name.slice(DROPPED_THROUGH.length)) || 0 : 0;

export interface JournalEntry {
  seq: number;
  /** The number of the first entry of its transaction. */
  transaction: number;
  at: number;
  verb: string;
  host: string;
  session: string;
  call: string;
  /** The project it was made from; empty if not recorded. */
  space: string;
  kind: JournaledKind;
  shelf: Shelf;
  /** The id of an item or an edge. */
  itemId: string;
}

/** An entry as the chain links it; hashes and salts in hex. */
export interface ChainEntry extends JournalEntry {
  /** Null if there was nothing before. */
  payloadHash: string | null;
  hash: string;
  /** Null if there is none or it was erased. */
  payload: { salt: string; text: string } | null;
}

export interface ChainHead {
  length: number;
  hash: string;
}

/** The state of an item at one time, or why it is unknown. */
export type Image = { item: Item } | { item: null; why: Gone };
export type Gone = "absent" | "erased" | "not kept";

/** The same for an edge. */
export type EdgeImage = { item: null; edge: Edge } | { item: null; edge: null; why: Gone };

/** A change to an item, with the states before and after. */
export interface ItemRecord extends JournalEntry {
  before: Image;
  after: Image;
  /** The previous passages, if they cannot be rebuilt from the content. */
  passages: Passage[] | null;
  by?: Author;
}

/** Who made a change, in a store that several people write: the server says the role, the person's settings the name. */
export interface Author {
  role: string;
  name: string | null;
}

/** The insertion or removal of an edge. */
export interface EdgeRecord extends JournalEntry {
  before: EdgeImage;
  after: EdgeImage;
  passages: null;
  by?: Author;
}

export type ChangeRecord = ItemRecord | EdgeRecord;

export const isEdgeRecord = (record: ChangeRecord): record is EdgeRecord => "edge" in record.before;
