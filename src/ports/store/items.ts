/** Reads items: by id, content or id prefix, in lists, and with everything that belongs to them. */
import type { Item, Scope } from "../../model/memory/item.ts";
import type { Passage, Shelf } from "../../model/memory/shelf.ts";
import type { Filter, Outline } from "../../model/recall/search.ts";

/** An item with everything that belongs to it, ready for another store. */
export interface WholeItem {
  item: Item;
  passages: Passage[];
  embed: boolean;
}

export interface ListedPage {
  limit: number;
  offset: number;
  /** The highest total that matters: one that is reached means so many or more. */
  countMost?: number | undefined;
}

export interface ItemReads {
  items(shelf: Shelf, ids: readonly string[]): Promise<Item[]>;
  /** Only the fields a ranking uses; also for items that can no longer be read completely. */
  outlines(shelf: Shelf, ids: readonly string[]): Promise<Outline[]>;
  /** The active or pending item with this content, if any, even when expired; for evidence also the archived one. */
  sameContent(shelf: Shelf, scope: Scope, hash: string): Promise<Item | null>;
  /** The active file at this path. */
  fileAt(shelf: Shelf, path: string): Promise<Item | null>;
  /** Newest first. Counting all that pass takes as long as there are many; it stops at `countMost`, if given. */
  list(shelf: Shelf, filter: Filter, page: ListedPage): Promise<{ items: Item[]; total: number }>;
  /** Among the last `rows` items of the shelf, those that pass the filter, newest first: its cost does not grow. */
  newest(shelf: Shelf, filter: Filter, page: { limit: number; rows: number }): Promise<Item[]>;
  /** The predecessors of these items, nearest first: what they replaced, what those replaced, and so on. */
  replacedBy(shelf: Shelf, ids: readonly string[]): Promise<Item[]>;
  /** For each of these items the end of the chain of its successors; itself if nothing replaced it. */
  heads(shelf: Shelf, ids: readonly string[]): Promise<Map<string, Pick<Item, "id" | "status">>>;
  /** Items to remove before one more fits: expired ones, then the session's least recently used. */
  leaving(shelf: Shelf, room: { session: string; capacity: number; now: number }): Promise<string[]>;
  /** Expired working items, the longest expired first. */
  expired(shelf: Shelf, now: number): Promise<string[]>;
  /** Items with everything that belongs to them. */
  whole(shelf: Shelf, ids: readonly string[]): Promise<WholeItem[]>;
  /** Items after `after`, ordered by id. */
  walk(shelf: Shelf, page: { after: string | null; limit: number }): Promise<WholeItem[]>;
  /** Ids that start with this text, or whose handle does; without items that have expired by `now`, if given. */
  idsWithPrefix(shelf: Shelf, text: string, query: { now: number | null; limit: number }): Promise<string[]>;
  /** Newest first, expired or not. */
  newestIds(shelf: Shelf, limit: number): Promise<string[]>;
  /** Queries that led to these items being shown or read. */
  queriesFor(ids: readonly string[]): Promise<string[]>;
}
