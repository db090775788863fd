/** A filter as parameters of one fixed condition: absent parts are null, and so are empty lists. */
import type { Filter } from "../../../model/recall/search.ts";

export type FilterPart = string | number | readonly string[] | null;

const list = (values?: readonly string[]) => (values && values.length > 0 ? values : null);

export function filterParts(filter: Filter): Record<string, FilterPart> {
  return {
    statuses: filter.statuses,
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

const PASSED_BY_MOST: readonly string[] = ["statuses", "now", "validAt"];

/** Whether the filter has more than status and time, which nearly every item passes. */
export function isSelective(filter: Filter): boolean {
  return Object.entries(filterParts(filter)).some(([name, value]) => !PASSED_BY_MOST.includes(name) && value !== null);
}
