/**
 * Journal: the account of what was changed.
 *
 * The chain holds who, how, when and which item; what was there before lies beside it and
 * can be erased while the chain still holds. What an item became is what the next change
 * found, or the row itself.
 */
import type { Edge } from "../memory/edge.ts";
import type { Item } from "../memory/item.ts";
import type { Passage, Shelf } from "../memory/shelf.ts";

export const EDGE_KINDS = ["insert_edge", "remove_edge"] as const;
export const JOURNALED_KINDS = ["insert_item", "revise_item", "remove_item", "purge_items", ...EDGE_KINDS] as const;
/** The changes that leave an entry. */
export type JournaledKind = (typeof JOURNALED_KINDS)[number];

export interface JournalEntry {
  seq: number;
  /** The number of the first entry of its transaction. */
  transaction: number;
  at: number;
  verb: string;
  host: string;
  session: string;
  call: string;
  /** The project from which it was made; empty where it was not noted. */
  space: string;
  kind: JournaledKind;
  shelf: Shelf;
  /** Of an item or of an edge. */
  itemId: string;
}

/** An entry as the chain links it; hashes and salts in hex. */
export interface ChainEntry extends JournalEntry {
  /** Null where there was nothing before. */
  payloadHash: string | null;
  hash: string;
  /** Null where there is none, or where it was erased. */
  payload: { salt: string; text: string } | null;
}

export interface ChainHead {
  length: number;
  hash: string;
}

/** How an item was at one time, or why that cannot be said. */
export type Image = { item: Item } | { item: null; why: Gone };
export type Gone = "absent" | "erased" | "not kept";

/** The same of an edge, which is no item. */
export type EdgeImage = { item: null; edge: Edge } | { item: null; edge: null; why: Gone };

/** A change of an item with both sides of it. */
export interface ItemRecord extends JournalEntry {
  before: Image;
  after: Image;
  /** Passages that no rule could cut again, as they were before. */
  passages: Passage[] | null;
}

/** The coming or going of an edge. */
export interface EdgeRecord extends JournalEntry {
  before: EdgeImage;
  after: EdgeImage;
  passages: null;
}

export type ChangeRecord = ItemRecord | EdgeRecord;

export const isEdgeRecord = (record: ChangeRecord): record is EdgeRecord => "edge" in record.before;
