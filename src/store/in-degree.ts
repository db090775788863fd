/**
 * How many memories lead to a memory by stated edges, as SQL.
 *
 * The schema keeps a count for each memory. What leads to a replaced memory leads to its successor as well, so the sources
 * of a memory that replaced others are counted when it is read, each once: there are few such memories, and few edges
 * lead to each of them.
 */
import type { Engine } from "./sql.ts";

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
