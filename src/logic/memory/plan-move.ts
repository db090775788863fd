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

/**
 * The source's copy as it is written over an older one at the target that was replaced there: the change made at the
 * source since stays in the history, and the successor in force.
 */
export function stillReplaced(source: Item, there: Item): Item {
  if (source.status !== "active" || there.status !== "superseded") return source;
  const { status, supersededBy, validFrom, validUntil } = there;
  return { ...source, status, supersededBy, validFrom, validUntil };
}

/**
 * The change that makes the target's copy equal to `item`. Null if it is already and nothing leaves the source; otherwise
 * its version exceeds that of either copy, so that whoever read one of them before can no longer remove it.
 */
export function writing(
  item: Item,
  there: Item | null,
  source: Item | null,
  passages: Passage[] | null,
): Extract<Change, { kind: "insert_item" | "revise_item" }> | null {
  const embed = passages !== null && isEmbedded(item.type);
  const version = source && Math.max(source.version, there?.version ?? 0) + 1;
  if (!there) {
    const fresh = { ...item, version: version ?? 1 };
    return { kind: "insert_item", shelf: "memory", item: fresh, passages: passages ?? [], embed };
  }
  if (version === null && says(there) === says(item)) return null;
  return { ...revising("memory", there, revisionTo(item)), ...(version !== null && { version }), passages, embed };
}

/**
 * What a move has inserted at the target, with the versions it wrote, after these changes. What somebody else wrote to in
 * between is no longer its own.
 */
export function insertedAfter(
  changes: readonly Change[],
  before: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const inserted = new Map(before);
  for (const change of changes) {
    if (change.kind === "insert_item") inserted.set(change.item.id, change.item.version);
    if (change.kind !== "revise_item") continue;
    const isOwn = before.get(change.id) === change.expectedVersion;
    if (isOwn) inserted.set(change.id, change.version ?? change.expectedVersion + 1);
    else inserted.delete(change.id);
  }
  return inserted;
}

/** Everything but the fields that differ between two copies anyway. */
const says = (item: Item): string => JSON.stringify({ ...item, version: 0, accessedAt: 0, accessCount: 0 });
