/** Columns of items in Postgres: those of every store, and parts of JSON that conditions need. */
import type { Item } from "../../../model/memory/item.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import { ITEM_COLUMNS, toValues } from "../../rows/items/item-row.ts";
import type { Parameters } from "../connection/sql.ts";
import { outlineColumns as columns } from "../../outlines.ts";

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

export const outlineColumns = (shelf: Shelf): string => columns(shelf, "postgres");
