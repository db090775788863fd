/** Whether an item passes a filter: the same rule as the store's, for items that were reached another way. */
import { isExpired } from "../logic/plan-remember.ts";
import type { Item } from "../model/item.ts";
import type { Filter } from "../ports.ts";

export function matches(item: Item, filter: Filter): boolean {
  const within = (list: readonly string[] | undefined, value: string | null) =>
    !list || list.length === 0 || (value !== null && list.includes(value));
  return (
    within(filter.statuses, item.status) &&
    !isExpired(item, filter.now) &&
    within(filter.scopes, item.scope) &&
    within(filter.types, item.type) &&
    within(filter.labels, item.label) &&
    (filter.tags ?? []).every((tag) => item.tags.includes(tag)) &&
    (filter.branch === undefined || item.context.branch === filter.branch) &&
    (filter.session === undefined || item.session === filter.session) &&
    item.priority >= (filter.minimumPriority ?? 0) &&
    item.createdAt >= (filter.createdAfter ?? -Infinity) &&
    item.createdAt < (filter.createdBefore ?? Infinity)
  );
}
