/**
 * How many memories lead to a memory by stated edges, as SQL.
 *
 * The schema keeps a count for each memory. What leads to a replaced memory leads to its successor as well, so the sources
 * of a memory that replaced others are counted when it is read, each once: there are few such memories, and few edges
 * lead to each of them.
 */

const PREDECESSORS = `memory_item old indexed by memory_item_superseded`;

/** For the row \`item\` of memories; null or 0 if none leads to it. */
export const IN_DEGREE = `iif(exists (select 1 from ${PREDECESSORS} where old.superseded_by = item.id), (
  with recursive chain (id) as (
    select item.id union select old.id from chain join ${PREDECESSORS} on old.superseded_by = chain.id)
  select count(distinct edge.source) from chain cross join edge indexed by edge_target cross join memory_item source
  where edge.target = chain.id and edge.shelf = 'memory' and edge.made = 0 and edge.status = 'active' and edge.source <> item.id
    and source.id = edge.source and source.status = 'active' and source.scope <> 'working'
), (select edges from in_degree where item_id = item.id))`;

/** The most that lead to any memory. */
export const MOST_INCOMING = `(select max(edges) from in_degree)`;
