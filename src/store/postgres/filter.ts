/** A filter as one fixed `where` clause: absent parts are null parameters, so statements are prepared once. */
import type { Item } from "../../memory/item.ts";
import type { Shelf } from "../../memory/shelves.ts";
import type { Filter } from "../../recall/search.ts";
import { outlineColumns as columns } from "../filter.ts";
import { filterParts, ITEM_COLUMNS, toValues } from "../item-row.ts";
import type { NamedParameters } from "./statements.ts";

export { isSelective } from "../item-row.ts";

/** Whether the project `visibleIn`, if given, sees a memory. */
const IS_VISIBLE = `(@visibleIn::text is null or item.scope <> 'global' or item.type = 'preference'
  or item.routed_by is distinct from 'type' or coalesce(item.routed_space, @visibleIn) = @visibleIn)`;

export function filterClause(shelf: Shelf): string {
  return `
    item.status = any (@statuses::text[])
    and (item.expires_at is null or item.expires_at > @now::bigint)
    and (@scopes::text[] is null or item.scope = any (@scopes))
    and (@types::text[] is null or item.type = any (@types))
    and (@labels::text[] is null or item.label = any (@labels))
    and (@branch::text is null or item.branch = @branch)
    and (@pathPrefix::text is null or starts_with(item.path, @pathPrefix))
    and (@languages::text[] is null or item.language = any (@languages))
    and (@session::text is null or item.session = @session)
    and (@minimumPriority::integer is null or item.priority >= @minimumPriority)
    and (@createdAfter::bigint is null or item.created_at >= @createdAfter)
    and (@createdBefore::bigint is null or item.created_at < @createdBefore)
    and (@validAt::bigint is null or item.valid_from is null or item.valid_from <= @validAt)
    and (@validAt::bigint is null or item.valid_until is null or item.valid_until > @validAt)
    and ${IS_VISIBLE}
    and (@tags::text[] is null or not exists (
      select 1 from unnest(@tags) wanted (tag)
      where not exists (select 1 from ${shelf}_tag tag where tag.tag = wanted.tag and tag.item_seq = item.seq)
    ))`;
}

export const filterParameters = (filter: Filter): NamedParameters => filterParts(filter);

/** Reachable items pass the filter or, with `viaPredecessors`, were replaced. */
export const reachable = (filter: Filter): NamedParameters => ({
  ...filterParameters(filter),
  via: filter.viaPredecessors ?? false,
});

/** Replaced by another item. One with a planned end counts as replaced once its validity window has ended. */
export const IS_REPLACED = `(item.status = 'superseded'
  or (item.status = 'active' and item.superseded_by is not null and coalesce(item.valid_until <= @now::bigint, false)))`;

/** Columns of items in Postgres: those of every store, and parts of JSON that conditions need. */
const EXTRACTED = ["language", "routed_by", "routed_space"] as const;

export const WRITTEN_COLUMNS: readonly string[] = [...ITEM_COLUMNS, ...EXTRACTED];

/** Of the row `item`. */
export const READ_COLUMNS = ["seq", ...ITEM_COLUMNS].map((column) => `item.${column}`).join(", ");

const textOr = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** By column. */
export function toParameters(item: Item): NamedParameters {
  const values = toValues(item);
  const plain = Object.fromEntries(ITEM_COLUMNS.map((column, index) => [column, values[index]!]));
  const { routedBy, space } = item.details as { routedBy?: unknown; space?: unknown };
  return { ...plain, language: item.context.language, routed_by: textOr(routedBy), routed_space: textOr(space) };
}

export const outlineColumns = (shelf: Shelf): string => columns(shelf, "postgres");
