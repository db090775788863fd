/** The store's items: by id, by content, in lists, whole, and by the beginning of an id. */
import type { Item, Scope } from "../model/memory/item.ts";
import type { Passage, Shelf } from "../model/memory/shelf.ts";
import type { Filter, Outline } from "../model/recall/search.ts";

/** An item with everything that hangs on it, as it leaves for another store. */
export interface WholeItem {
  item: Item;
  passages: Passage[];
  embed: boolean;
}

export interface ItemReads {
  items(shelf: Shelf, ids: readonly string[]): Promise<Item[]>;
  /** As much of them as a ranking weighs; also of what can no longer be read whole. */
  outlines(shelf: Shelf, ids: readonly string[]): Promise<Outline[]>;
  /** The active or pending item of this content, if any, even when it has expired; of evidence the archived one too. */
  sameContent(shelf: Shelf, scope: Scope, hash: string): Promise<Item | null>;
  /** The active file under this path. */
  fileAt(shelf: Shelf, path: string): Promise<Item | null>;
  list(
    shelf: Shelf,
    filter: Filter,
    page: { limit: number; offset: number },
  ): Promise<{ items: Item[]; total: number }>;
  /** What the given items replaced, nearest first, and what those replaced, and so on. */
  replacedBy(shelf: Shelf, ids: readonly string[]): Promise<Item[]>;
  /** Expired items, then the least recently used ones of a session that must go before one more fits in. */
  leaving(shelf: Shelf, room: { session: string; capacity: number; now: number }): Promise<string[]>;
  /** Working items whose time is over, the longest first. */
  expired(shelf: Shelf, now: number): Promise<string[]>;
  /** Items with everything that hangs on them. */
  whole(shelf: Shelf, ids: readonly string[]): Promise<WholeItem[]>;
  /** Items in the order of their ids, those behind `after`. */
  walk(shelf: Shelf, page: { after: string | null; limit: number }): Promise<WholeItem[]>;
  /** Ids that start with this text, or whose handle does; without items that have expired by `now`, if given. */
  idsWithPrefix(shelf: Shelf, text: string, query: { now: number | null; limit: number }): Promise<string[]>;
  /** Newest first, expired or not. */
  newestIds(shelf: Shelf, limit: number): Promise<string[]>;
  /** Questions for which these items were shown or read. */
  queriesFor(ids: readonly string[]): Promise<string[]>;
}
