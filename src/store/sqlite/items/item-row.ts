/** What SQLite reads of an item for its outline, and the index that finds equal content. */
import { UNIQUE } from "../../../logic/memory/uniqueness.ts";
import type { Status } from "../../../model/memory/item.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import { outlineColumns as columns } from "../../outlines.ts";

export * from "../../rows/items/item-row.ts";

export const outlineColumns = (shelf: Shelf): string => columns(shelf, "sqlite");

/** The index with the content hashes of a shelf's items in this status. */
export function contentIndex(shelf: Shelf, status: Status): string {
  const once = UNIQUE[shelf];
  return once?.by === "hash" && once.status === status ? `${shelf}_item_once` : `${shelf}_item_content`;
}
