/** Columns of items in Postgres: those of every store, and parts of JSON that conditions need. */
import type { Item } from "../../../model/memory/item.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import { ITEM_COLUMNS, toValues } from "../../rows/items/item-row.ts";
import type { Parameters } from "../connection/sql.ts";
import { MOST_INCOMING, inDegree as inDegreeIn } from "../../in-degree.ts";

export * from "../../rows/items/item-row.ts";

const EXTRACTED = ["language", "routed_by", "routed_space"] as const;

export const WRITTEN_COLUMNS: readonly string[] = [...ITEM_COLUMNS, ...EXTRACTED];

/** Of the row `item`. */
export const READ_COLUMNS = ["seq", ...ITEM_COLUMNS].map((column) => `item.${column}`).join(", ");

const textOr = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** By column. */
export function toParameters(item: Item): Parameters {
  const values = toValues(item);
  const plain = Object.fromEntries(ITEM_COLUMNS.map((column, index) => [column, values[index]!]));
  const { routedBy, space } = item.details as { routedBy?: unknown; space?: unknown };
  return { ...plain, language: item.context.language, routed_by: textOr(routedBy), routed_space: textOr(space) };
}

export function outlineColumns(shelf: Shelf): string {
  const subject = shelf === "decision" || shelf === "proposal" ? "item.title" : "null";
  const rank = shelf === "document" ? "(select rank from document_rank where item_seq = item.seq)" : "null";
  const isMemory = shelf === "memory";
  const type = isMemory ? "item.type" : "null";
  const [inDegree, most] = isMemory ? [inDegreeIn("postgres"), MOST_INCOMING] : ["null", "null"];
  return `item.id, item.scope, item.priority, item.confidence, item.path, item.context, item.created_at, item.valid_from,
    ${subject}, ${rank}, ${FADES_SINCE[shelf] ?? "null"}, ${type}, item.access_count, ${inDegree}, ${most}`;
}

const FADES_SINCE: Partial<Record<Shelf, string>> = {
  document: "case when item.access_count > 0 then item.accessed_at else item.updated_at end",
  memory: "case when item.pinned = 1 then null else item.updated_at end",
};
