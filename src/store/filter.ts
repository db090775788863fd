/** A filter as a condition on the row `item`, of what is given only. */
import type { Shelf } from "../model/memory/shelf.ts";
import type { Filter } from "../model/recall/search.ts";
import { among, begins, each } from "./dialect.ts";
import { type Sql, allOf, either, raw, sql } from "./sql.ts";
import { isVisible } from "./visible.ts";

const LANGUAGE = either(raw("item.context ->> 'language'"), raw("item.language"));
const within = (column: Sql, list: readonly string[] | undefined) =>
  list !== undefined && list.length > 0 && sql`${column} ${among(list)}`;

export function passes(shelf: Shelf, filter: Filter): Sql {
  const { statuses, now, scopes, types, tags, labels, branch, pathPrefix, languages, session } = filter;
  const { minimumPriority, createdAfter, createdBefore, validAt, visibleIn } = filter;
  return allOf([
    sql`item.status ${among(statuses)}`,
    sql`(item.expires_at is null or item.expires_at > ${now})`,
    within(raw("item.scope"), scopes),
    within(raw("item.type"), types),
    within(raw("item.label"), labels),
    branch != null && sql`item.branch = ${branch}`,
    pathPrefix != null && begins("item.path", pathPrefix),
    within(LANGUAGE, languages),
    session != null && sql`item.session = ${session}`,
    minimumPriority != null && sql`item.priority >= ${minimumPriority}`,
    createdAfter != null && sql`item.created_at >= ${createdAfter}`,
    createdBefore != null && sql`item.created_at < ${createdBefore}`,
    validAt != null &&
      sql`(item.valid_from is null or item.valid_from <= ${validAt})
        and (item.valid_until is null or item.valid_until > ${validAt})`,
    isVisible(visibleIn),
    tags !== undefined &&
      tags.length > 0 &&
      sql`not exists (
        select 1 from ${each(tags, "wanted")}
        where not exists (
          select 1 from ${raw(shelf)}_tag tag where tag.tag = wanted.value and tag.item_seq = item.seq))`,
  ]);
}
