/** Walks a ranking page by page, and finds the items of its passages that the filter lets pass. */
import type { Shelf } from "../../memory/shelves.ts";
import type { Filter, Ranked } from "../../recall/search.ts";
import type { OutlineRow } from "../item-row.ts";
import { chainEnds, type PageLimits, type Scored, walkPages } from "../page-plan.ts";
import type { Database } from "./database.ts";
import { filterClause, IS_REPLACED, outlineColumns, reachable } from "./filter.ts";

/** An item that passes the filter, or one that was replaced and leads to another. */
type ReachedRow = [passage: number, isReplaced: boolean, ...OutlineRow];

export interface Page {
  scored: readonly Scored[];
  /** If their items were read with them: how many of the first, and which of these can be reached. */
  reached?: { first: number; rows: readonly ReachedRow[] };
}

/** Passages after the first `offset`, best first, fewer than `limit` only at the end. Earlier ones may recur. */
export type FetchPage = (limit: number, offset: number) => Promise<Page> | Page;

export type PageWalk = (fetch: FetchPage, filter: Filter, limits: PageLimits) => Promise<Ranked[]>;

/** For the row `item`: whether it can be reached, and what is read of it then, after the passage. */
export function reachedSql(shelf: Shelf): { where: string; columns: string } {
  const where = filterClause(shelf);
  return {
    where: `((${where}) or (@via::boolean and ${IS_REPLACED}))`,
    columns: `${IS_REPLACED} and not (${where}), ${outlineColumns(shelf)}`,
  };
}

export function pageWalk(db: Database, shelf: Shelf): PageWalk {
  const statements = prepare(db, shelf);
  const seen = visibleItems(statements);
  return async (fetch, filter, limits) => {
    const walk = walkPages(limits);
    const known = new Map<number, ReachedRow | null>();
    for (let step = walk.next(); ; ) {
      if (step.done) return step.value;
      const asked = step.value;
      if ("page" in asked) {
        const { scored, reached } = await fetch(asked.page.size, asked.page.offset);
        for (const { passage } of scored.slice(0, reached?.first ?? 0)) known.set(passage, null);
        for (const row of reached?.rows ?? []) known.set(row[0], row);
        step = walk.next(scored);
      } else {
        const passages = asked.visible.filter((passage) => !known.has(passage));
        const found = passages.length > 0 ? await statements.reachable.all({ ...reachable(filter), passages }) : [];
        const before = asked.visible.map((passage) => known.get(passage)).filter((row) => row != null);
        step = walk.next(await seen([...before, ...found], filter));
      }
    }
  };
}

type Statements = ReturnType<typeof prepare>;

/** The visible items of a page, by passage. Superseded ones are replaced by their successors. */
function visibleItems(
  statements: Statements,
): (rows: readonly ReachedRow[], filter: Filter) => Promise<Map<number, OutlineRow>> {
  return async (rows, filter) => {
    const seen = new Map<number, OutlineRow>();
    const replaced: [passage: number, id: string][] = [];
    for (const [passage, isReplaced, ...item] of rows) {
      if (isReplaced) replaced.push([passage, item[0]]);
      else seen.set(passage, item);
    }
    if (replaced.length === 0) return seen;
    const ids = replaced.map(([, id]) => id);
    const heads = chainEnds(ids, await statements.links.all({ ids, now: filter.now }));
    const ends = await statements.allowedItems.all({ ...reachable(filter), ids: [...new Set(heads.values())] });
    const holding = new Map(ends.map((item) => [item[0], item]));
    for (const [passage, id] of replaced) {
      const head = holding.get(heads.get(id) ?? "");
      if (head) seen.set(passage, head);
    }
    return seen;
  };
}

function prepare(db: Database, shelf: Shelf) {
  const { where, columns } = reachedSql(shelf);
  return {
    reachable: db.prepareRaw<ReachedRow>(`
      select passage.seq, ${columns}
      from ${shelf}_passage passage join ${shelf}_item item on item.seq = passage.item_seq
      where passage.seq = any (@passages::bigint[]) and ${where}`),
    allowedItems: db.prepareRaw<OutlineRow>(`
      select ${outlineColumns(shelf)} from ${shelf}_item item
      where item.id = any (@ids::text[]) and ${filterClause(shelf)}`),
    // The chains of replacement that begin at these ids.
    links: db.prepare<{ id: string; superseded_by: string }>(`
      with recursive link (id, superseded_by) as (
        select item.id, item.superseded_by from ${shelf}_item item
        where item.id = any (@ids::text[]) and ${IS_REPLACED} and item.superseded_by is not null
        union
        select item.id, item.superseded_by from ${shelf}_item item join link on item.id = link.superseded_by
        where ${IS_REPLACED} and item.superseded_by is not null
      )
      select id, superseded_by from link`),
  };
}
