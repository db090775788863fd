/** A filter as a condition on the row `item`, of what is given only. */
import type { Shelf } from "../memory/shelves.ts";
import type { Filter } from "../recall/search.ts";
import { among, begins, each } from "./dialect.ts";
import { allOf, either, type Engine, raw, type Sql, sql } from "./sql.ts";

// What the details of an item say, where conditions ask for it, and who sees a memory.

/** Postgres keeps both in columns of their own, because it refuses some of what JSON may hold. */
const ROUTED_BY = either(raw(`item.details ->> 'routedBy'`), raw("item.routed_by"));
const ROUTED_SPACE = either(raw(`item.details ->> 'space'`), raw("item.routed_space"));

/** Whether the project `visibleIn`, if given, sees a memory. */
export const isVisible = (visibleIn: string | null | undefined) =>
  visibleIn == null
    ? raw("true")
    : sql`(item.scope <> 'global' or item.type = 'preference' or ${ROUTED_BY} is distinct from 'type'
      or coalesce(${ROUTED_SPACE}, ${visibleIn}) = ${visibleIn})`;

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

// How many memories lead to a memory by stated edges, as SQL.
//
// The schema keeps a count for each memory. What leads to a replaced memory leads to its successor as well, so the sources
// of a memory that replaced others are counted when it is read, each once: there are few such memories, and few edges
// lead to each of them.

/** For the row `item` of memories; null or 0 if none leads to it. */
export function inDegree(engine: Engine): string {
  const hint = (words: string) => (engine === "sqlite" ? words : "");
  const predecessors = `memory_item old ${hint("indexed by memory_item_superseded")}`;
  return `case when exists (select 1 from ${predecessors} where old.superseded_by = item.id) then (
    with recursive chain (id) as (
      select item.id union select old.id from chain join ${predecessors} on old.superseded_by = chain.id)
    select count(distinct edge.source) from chain cross join edge ${hint("indexed by edge_target")}
    cross join memory_item source
    where edge.target = chain.id and edge.shelf = 'memory' and edge.made = 0 and edge.status = 'active'
      and edge.source <> item.id
      and source.id = edge.source and source.status = 'active' and source.scope <> 'working'
  ) else (select edges from in_degree where item_id = item.id) end`;
}

/** The most that lead to any memory. */
export const MOST_INCOMING = `(select max(edges) from in_degree)`;

/** What is read of an item for its outline, of the row `item`. */
const FADES_SINCE: Partial<Record<Shelf, string>> = {
  document: "case when item.access_count > 0 then item.accessed_at else item.updated_at end",
  memory: "case when item.pinned = 1 then null else item.updated_at end",
};

/** Columns only some shelves need are null on the others: to reach the title, SQLite must read past the content. */
export function outlineColumns(shelf: Shelf, engine: Engine): string {
  const subject = shelf === "decision" || shelf === "proposal" ? "item.title" : "null";
  const rank = shelf === "document" ? "(select rank from document_rank where item_seq = item.seq)" : "null";
  const isMemory = shelf === "memory";
  const type = isMemory ? "item.type" : "null";
  const [incoming, most] = isMemory ? [inDegree(engine), MOST_INCOMING] : ["null", "null"];
  return `item.id, item.scope, item.priority, item.confidence, item.path, item.context, item.created_at, item.valid_from,
    ${subject}, ${rank}, ${FADES_SINCE[shelf] ?? "null"}, ${type}, item.access_count, ${incoming}, ${most}`;
}

export const outline = (shelf: Shelf) =>
  either(raw(outlineColumns(shelf, "sqlite")), raw(outlineColumns(shelf, "postgres")));
