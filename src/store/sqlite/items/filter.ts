/** A filter as one fixed `where` clause: absent parts are null parameters, so statements are prepared once. */
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Filter } from "../../../model/recall/search.ts";

export type FilterParameters = Record<string, string | number | null>;

/** Whether the project `visibleIn`, if given, sees a memory. */
export const IS_VISIBLE = `(@visibleIn is null or item.scope <> 'global' or item.type = 'preference'
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

const list = (values?: readonly string[]) => (values && values.length > 0 ? JSON.stringify(values) : null);

export function filterParameters(filter: Filter): FilterParameters {
  return {
    statuses: JSON.stringify(filter.statuses),
    now: filter.now,
    scopes: list(filter.scopes),
    types: list(filter.types),
    tags: list(filter.tags),
    labels: list(filter.labels),
    branch: filter.branch ?? null,
    pathPrefix: filter.pathPrefix ?? null,
    languages: list(filter.languages),
    session: filter.session ?? null,
    minimumPriority: filter.minimumPriority ?? null,
    createdAfter: filter.createdAfter ?? null,
    createdBefore: filter.createdBefore ?? null,
    validAt: filter.validAt ?? null,
    visibleIn: filter.visibleIn ?? null,
  };
}

/** Replaced by another item. One with a planned end counts as replaced once its validity window has ended. */
export const IS_REPLACED = `(item.status = 'superseded'
  or (item.status = 'active' and item.superseded_by is not null and item.valid_until <= @now))`;

const PASSED_BY_MOST: readonly string[] = ["statuses", "now", "validAt"];

/** Whether the filter has more than status and time, which nearly every item passes. */
export function isSelective(filter: Filter): boolean {
  return Object.entries(filterParameters(filter)).some(
    ([name, value]) => !PASSED_BY_MOST.includes(name) && value !== null,
  );
}
