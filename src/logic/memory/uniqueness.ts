/**
 * Uniqueness: no two active items of a scope have the same content, and no two files the same path.
 *
 * Decisions are exempt: two subjects may be decided in the same words. Indexes in the schema enforce the same rule.
 */
import type { Item, Status } from "../../model/memory/item.ts";
import type { Shelf } from "../../model/memory/shelf.ts";

export const UNIQUE: Readonly<Record<Shelf, { status: Status; by: "hash" | "path" } | null>> = {
  memory: { status: "active", by: "hash" },
  decision: null,
  proposal: { status: "pending", by: "hash" },
  evidence: { status: "active", by: "hash" },
  document: { status: "active", by: "path" },
  code: { status: "active", by: "path" },
};

/** Whether content is unique on this shelf. */
export const isUniqueByContent = (shelf: Shelf): boolean => UNIQUE[shelf]?.by === "hash";

/** The slot that an item holds exclusively in its store, or null. */
export function uniqueSlotOf(shelf: Shelf, item: Item | null): string | null {
  const once = UNIQUE[shelf];
  if (!item || item.status !== once?.status || item[once.by] === null) return null;
  return `${shelf} ${item.scope} ${item[once.by]}`;
}

/** What two items have in common that may be there only once, in words. */
export const EQUAL = { hash: "content", path: "path" } as const;
