/**
 * The rules of a move to another scope: which copy counts, how an item looks in its new scope, and what is written.
 *
 * An interrupted move leaves two copies, and either may have been changed since.
 */
import type { Change } from "../../model/journal/change.ts";
import type { Item, LastingScope } from "../../model/memory/item.ts";
import { INDEXED_FIELDS } from "../../model/memory/item-fields.ts";
import type { Passage } from "../../model/memory/shelf.ts";
import { revising, revisionTo } from "./item-changes.ts";
import { isEmbedded } from "./shelving.ts";

/**
 * Whether the copy at the target counts, not that at the source: the one changed last does. Changes made while there
 * are two go to the project's, so that one counts if both are of the same time.
 */
export const isTargetLatest = (target: Item, source: Item, isTargetProject: boolean): boolean =>
  target.updatedAt > source.updatedAt || (target.updatedAt === source.updatedAt && isTargetProject);

/** The lifetime of a working memory ends with its scope; a stated end of any other memory stays. */
export const movedTo = (scope: LastingScope, item: Item): Item => ({
  ...item,
  scope,
  expiresAt: item.scope === "working" ? null : item.expiresAt,
  details: { ...item.details, routedBy: "caller" },
});

/** Closed items come first, because an active one may take their content. */
export const inWritingOrder = (items: readonly Item[]): Item[] =>
  items.toSorted((one, two) => Number(one.status === "active") - Number(two.status === "active"));

/** Whether writing `item` over the copy that is there, if any, needs new passages. */
export const isReindexed = (item: Item, there: Item | null): boolean => !there || indexed(there) !== indexed(item);

const indexed = (item: Item): string => JSON.stringify(INDEXED_FIELDS.map((name) => item[name]));

/** The change that makes the target's copy equal to `item`; null if it is already. */
export function writing(item: Item, there: Item | null, passages: Passage[] | null): Change | null {
  const embed = passages !== null && isEmbedded(item.type);
  if (!there) {
    const fresh = { ...item, version: 1 };
    return { kind: "insert_item", shelf: "memory", item: fresh, passages: passages ?? [], embed };
  }
  if (says(there) === says(item)) return null;
  return { ...revising("memory", there, revisionTo(item)), passages, embed };
}

/** Everything but the fields that differ between two copies anyway. */
const says = (item: Item): string => JSON.stringify({ ...item, version: 0, accessedAt: 0, accessCount: 0 });
