/** What SQLite reads of an item for its outline, and the index that finds equal content. */
import { UNIQUE } from "../../../logic/memory/uniqueness.ts";
import type { Status } from "../../../model/memory/item.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import { MOST_INCOMING, inDegree as inDegreeIn } from "../../in-degree.ts";

export * from "../../rows/items/item-row.ts";

/** Columns only some shelves need are null on the others: to reach the title, SQLite must read past the content. */
export function outlineColumns(shelf: Shelf): string {
  const subject = shelf === "decision" || shelf === "proposal" ? "item.title" : "null";
  const rank = shelf === "document" ? "(select rank from document_rank where item_seq = item.seq)" : "null";
  const isMemory = shelf === "memory";
  const type = isMemory ? "item.type" : "null";
  const [inDegree, most] = isMemory ? [inDegreeIn("sqlite"), MOST_INCOMING] : ["null", "null"];
  return `item.id, item.scope, item.priority, item.confidence, item.path, item.context, item.created_at, item.valid_from,
    ${subject}, ${rank}, ${FADES_SINCE[shelf] ?? "null"}, ${type}, item.access_count, ${inDegree}, ${most}`;
}

const FADES_SINCE: Partial<Record<Shelf, string>> = {
  document: "iif(item.access_count > 0, item.accessed_at, item.updated_at)",
  memory: "iif(item.pinned = 1, null, item.updated_at)",
};

/** The index with the content hashes of a shelf's items in this status. */
export function contentIndex(shelf: Shelf, status: Status): string {
  const once = UNIQUE[shelf];
  return once?.by === "hash" && once.status === status ? `${shelf}_item_once` : `${shelf}_item_content`;
}
