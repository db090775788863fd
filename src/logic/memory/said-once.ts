/**
 * What stands once: equal memories, proposals and evidence in a scope, files under a path.
 *
 * Decisions may agree on a text for two subjects. The schema has the same rule as indexes.
 */
import type { Item, Status } from "../../model/memory/item.ts";
import type { Shelf } from "../../model/memory/shelf.ts";

export const ONCE: Readonly<Record<Shelf, { status: Status; by: "hash" | "path" } | null>> = {
  memory: { status: "active", by: "hash" },
  decision: null,
  proposal: { status: "pending", by: "hash" },
  evidence: { status: "active", by: "hash" },
  document: { status: "active", by: "path" },
  code: { status: "active", by: "path" },
};

/** Whether equal content stands once on this shelf. */
export const isSaidOnce = (shelf: Shelf): boolean => ONCE[shelf]?.by === "hash";

/** The place that an item holds alone in its store, or null. */
export function slotOf(shelf: Shelf, item: Item | null): string | null {
  const once = ONCE[shelf];
  if (!item || item.status !== once?.status || item[once.by] === null) return null;
  return `${shelf} ${item.scope} ${item[once.by]}`;
}
