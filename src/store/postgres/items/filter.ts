/** A filter as one fixed `where` clause: absent parts are null parameters, so statements are prepared once. */
import { filterParts } from "../../rows/items/filter-parts.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Filter } from "../../../model/recall/search.ts";
import type { Parameters } from "../connection/sql.ts";

export { isSelective } from "../../rows/items/filter-parts.ts";

/** Whether the project `visibleIn`, if given, sees a memory. */
export const IS_VISIBLE = `(@visibleIn::text is null or item.scope <> 'global' or item.type = 'preference'
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

export const filterParameters = (filter: Filter): Parameters => filterParts(filter);

/** Reachable items pass the filter or, with `viaPredecessors`, were replaced. */
export const reachable = (filter: Filter): Parameters => ({
  ...filterParameters(filter),
  via: filter.viaPredecessors ?? false,
});

/** Replaced by another item. One with a planned end counts as replaced once its validity window has ended. */
export const IS_REPLACED = `(item.status = 'superseded'
  or (item.status = 'active' and item.superseded_by is not null and coalesce(item.valid_until <= @now::bigint, false)))`;
