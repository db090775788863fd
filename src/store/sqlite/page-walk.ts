/** Walks a ranking page by page, and finds the items of its passages that the filter lets pass. */
import type { Shelf } from "../../memory/shelves.ts";
import type { Filter, Ranked } from "../../recall/search.ts";
import type { OutlineRow } from "../item-row.ts";
import { chainEnds, type PageLimits, type Scored, walkPages } from "../page-plan.ts";
import type { Database } from "./database.ts";
import { filterClause, filterParameters, IS_REPLACED, outlineColumns } from "./filter.ts";

/** Passages after the first `offset`, best first, fewer than `limit` only at the end. Earlier ones may recur. */
export type FetchPage = (limit: number, offset: number) => Scored[];

type PageWalk = (fetch: FetchPage, filter: Filter, limits: PageLimits) => Ranked[];

export function pageWalk(db: Database, shelf: Shelf): PageWalk {
  const visible = visibleItems(db, shelf);

  return (fetch, filter, limits) => {
    const walk = walkPages(limits);
    for (let step = walk.next(); ; ) {
      if (step.done) return step.value;
      const asked = step.value;
      step = walk.next("page" in asked ? fetch(asked.page.size, asked.page.offset) : visible(asked.visible, filter));
    }
  };
}

/** The visible items of a page, by passage. Superseded ones are replaced by their successors. */
function visibleItems(
  db: Database,
  shelf: Shelf,
): (passages: readonly number[], filter: Filter) => Map<number, OutlineRow> {
  const statements = prepareWalk(db, shelf);
  const successors = successorsOf(db, shelf);
  return (passages, filter) => {
    const parameters = { ...filterParameters(filter), via: filter.viaPredecessors ? 1 : 0 };
    const seen = new Map<number, OutlineRow>();
    const replaced: [passage: number, id: string][] = [];
    const rows = statements.reachable.all({ ...parameters, passages: JSON.stringify(passages) });
    for (const [passage, isReplaced, ...item] of rows) {
      if (isReplaced) replaced.push([passage, item[0]]);
      else seen.set(passage, item);
    }
    if (replaced.length === 0) return seen;
    const heads = successors(
      replaced.map(([, id]) => id),
      filter.now,
    );
    const ids = JSON.stringify([...new Set(heads.values())]);
    const holding = new Map(statements.allowedItems.all({ ...parameters, ids }).map((item) => [item[0], item]));
    for (const [passage, id] of replaced) {
      const head = holding.get(heads.get(id) ?? "");
      if (head) seen.set(passage, head);
    }
    return seen;
  };
}

/** The ends of chains of replacement, found in one query. */
function successorsOf(db: Database, shelf: Shelf): (ids: readonly string[], now: number) => Map<string, string> {
  const links = db.prepare<[object], { id: string; superseded_by: string }>(`
    with recursive link (id, superseded_by) as (
      select item.id, item.superseded_by from ${shelf}_item item
      where item.id in (select value from json_each(@ids)) and ${IS_REPLACED} and item.superseded_by is not null
      union
      select item.id, item.superseded_by from ${shelf}_item item join link on item.id = link.superseded_by
      where ${IS_REPLACED} and item.superseded_by is not null
    )
    select id, superseded_by from link`);
  return (ids, now) => {
    return chainEnds(ids, links.all({ ids: JSON.stringify(ids), now }));
  };
}

function prepareWalk(db: Database, shelf: Shelf) {
  const where = filterClause(shelf);
  const reachable = db
    .prepare<[object], [passage: number, isReplaced: number, ...OutlineRow]>(
      `
      select passage.seq, ${IS_REPLACED} and not (${where}), ${outlineColumns(shelf)}
      from json_each(@passages) wanted
      join ${shelf}_passage passage on passage.seq = wanted.value
      join ${shelf}_item item on item.seq = passage.item_seq
      where (${where}) or (@via = 1 and ${IS_REPLACED})`,
    )
    .raw();
  const allowedItems = db
    .prepare<[object], OutlineRow>(
      `
      select ${outlineColumns(shelf)} from ${shelf}_item item
      where item.id in (select value from json_each(@ids)) and ${where}`,
    )
    .raw();
  return { reachable, allowedItems };
}
