/** A filter as one fixed `where` clause: absent parts are null parameters, so statements are prepared once. */
import type { Status } from "../../memory/item.ts";
import { UNIQUE } from "../../memory/remember-rules.ts";
import type { Shelf } from "../../memory/shelves.ts";
import type { Filter } from "../../recall/search.ts";
import { outlineColumns as columns } from "../filter.ts";
import { type FilterPart, filterParts } from "../item-row.ts";

type FilterParameters = Record<string, string | number | null>;
export { isSelective } from "../item-row.ts";

/** Whether the project `visibleIn`, if given, sees a memory. */
const IS_VISIBLE = `(@visibleIn is null or item.scope <> 'global' or item.type = 'preference'
  or item.details ->> 'routedBy' is not 'type' or coalesce(item.details ->> 'space', @visibleIn) = @visibleIn)`;

export function filterClause(shelf: Shelf): string {
  return `
    item.status in (select value from json_each(@statuses))
    and (item.expires_at is null or item.expires_at > @now)
    and (@scopes is null or item.scope in (select value from json_each(@scopes)))
    and (@types is null or item.type in (select value from json_each(@types)))
    and (@labels is null or item.label in (select value from json_each(@labels)))
    and (@branch is null or item.branch = @branch)
    and (@pathPrefix is null or substr(item.path, 1, length(@pathPrefix)) = @pathPrefix)
    and (@languages is null or item.context ->> 'language' in (select value from json_each(@languages)))
    and (@session is null or item.session = @session)
    and (@minimumPriority is null or item.priority >= @minimumPriority)
    and (@createdAfter is null or item.created_at >= @createdAfter)
    and (@createdBefore is null or item.created_at < @createdBefore)
    and (@validAt is null or item.valid_from is null or item.valid_from <= @validAt)
    and (@validAt is null or item.valid_until is null or item.valid_until > @validAt)
    and ${IS_VISIBLE}
    and (@tags is null or not exists (
      select 1 from json_each(@tags) wanted
      where not exists (select 1 from ${shelf}_tag tag where tag.tag = wanted.value and tag.item_seq = item.seq)
    ))`;
}

/** Lists travel as JSON. */
export function filterParameters(filter: Filter): FilterParameters {
  const asJson = (value: FilterPart) => (typeof value === "object" && value !== null ? JSON.stringify(value) : value);
  return Object.fromEntries(Object.entries(filterParts(filter)).map(([name, part]) => [name, asJson(part)]));
}

/** Replaced by another item. One with a planned end counts as replaced once its validity window has ended. */
export const IS_REPLACED = `(item.status = 'superseded'
  or (item.status = 'active' and item.superseded_by is not null and item.valid_until <= @now))`;

/** What SQLite reads of an item for its outline, and the index that finds equal content. */
export const outlineColumns = (shelf: Shelf): string => columns(shelf, "sqlite");

/** The index with the content hashes of a shelf's items in this status. */
export function contentIndex(shelf: Shelf, status: Status): string {
  const once = UNIQUE[shelf];
  return once?.by === "hash" && once.status === status ? `${shelf}_item_once` : `${shelf}_item_content`;
}
