/** The store's items, on all shelves. */
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { ItemReads } from "../../../ports/store/items.ts";
import type { ShelfReader } from "./shelf-reader.ts";

export function itemReads(
  on: (shelf: Shelf) => ShelfReader,
): Omit<ItemReads, "idsWithPrefix" | "newestIds" | "queriesFor"> {
  return {
    items: (shelf, ids) => on(shelf).items(ids),
    outlines: (shelf, ids) => on(shelf).outlines(ids),
    sameContent: (shelf, scope, hash) => on(shelf).sameContent(scope, hash),
    fileAt: (shelf, path) => on(shelf).fileAt(path),
    list: (shelf, filter, page) => on(shelf).list(filter, page),
    newest: (shelf, filter, page) => on(shelf).newest(filter, page),
    replacedBy: (shelf, ids) => on(shelf).replacedBy(ids),
    heads: (shelf, ids) => on(shelf).heads(ids),
    leaving: (shelf, room) => on(shelf).leaving(room),
    expired: (shelf, now) => on(shelf).expired(now),
    whole: (shelf, ids) => on(shelf).whole(ids),
    walk: (shelf, page) => on(shelf).walk(page),
  };
}
