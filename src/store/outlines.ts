/** What is read of an item for its outline, of the row `item`. */
import type { Shelf } from "../model/memory/shelf.ts";
import { MOST_INCOMING, inDegree } from "./in-degree.ts";
import { type Engine, either, raw } from "./sql.ts";

const FADES_SINCE: Partial<Record<Shelf, string>> = {
  document: "case when item.access_count > 0 then item.accessed_at else item.updated_at end",
  memory: "case when item.pinned = 1 then null else item.updated_at end",
};

/** Columns only some shelves need are null on the others: to reach the title, SQLite must read past the content. */
export function outlineColumns(shelf: Shelf, engine: Engine): string {
  const subject = shelf === "decision" || shelf === "proposal" ? "item.title" : "null";
  const rank = shelf === "document" ? "(select rank from document_rank where item_seq = item.seq)" : "null";
  const isMemory = shelf === "memory";
  const type = isMemory ? "item.type" : "null";
  const [incoming, most] = isMemory ? [inDegree(engine), MOST_INCOMING] : ["null", "null"];
  return `item.id, item.scope, item.priority, item.confidence, item.path, item.context, item.created_at, item.valid_from,
    ${subject}, ${rank}, ${FADES_SINCE[shelf] ?? "null"}, ${type}, item.access_count, ${incoming}, ${most}`;
}

export const outline = (shelf: Shelf) =>
  either(raw(outlineColumns(shelf, "sqlite")), raw(outlineColumns(shelf, "postgres")));
