/** Walks a ranking page by page, and finds the items of its passages that the filter lets pass. */
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Filter, Ranked } from "../../../model/recall/search.ts";
import { type PageLimits, type Scored, chainEnds, walkPages } from "../../rows/page-plan.ts";
import type { Database } from "../connection/database.ts";
import { IS_REPLACED, filterClause, reachable } from "../items/filter.ts";
import { type OutlineRow, outlineColumns } from "../items/item-row.ts";

/** Passages after the first `offset`, best first, fewer than `limit` only at the end. Earlier ones may recur. */
export type FetchPage = (limit: number, offset: number) => Promise<readonly Scored[]> | readonly Scored[];

export type PageWalk = (fetch: FetchPage, filter: Filter, limits: PageLimits) => Promise<Ranked[]>;

export function pageWalk(db: Database, shelf: Shelf): PageWalk {
  const visible = visibleItems(db, shelf);
  return async (fetch, filter, limits) => {
    const walk = walkPages(limits);
    for (let step = walk.next(); ; ) {
      if (step.done) return step.value;
      const asked = step.value;
      const answer =
        "page" in asked ? await fetch(asked.page.size, asked.page.offset) : await visible(asked.visible, filter);
      step = walk.next(answer);
    }
  };
}

/** The visible items of a page, by passage. Superseded ones are replaced by their successors. */
function visibleItems(
  db: Database,
  shelf: Shelf,
): (passages: readonly number[], filter: Filter) => Promise<Map<number, OutlineRow>> {
  const statements = prepare(db, shelf);
  return async (passages, filter) => {
    const parameters = reachable(filter);
    const seen = new Map<number, OutlineRow>();
    const replaced: [passage: number, id: string][] = [];
    const rows = await statements.reachable.all({ ...parameters, passages });
    for (const [passage, isReplaced, ...item] of rows) {
      if (isReplaced) replaced.push([passage, item[0]]);
      else seen.set(passage, item);
    }
    if (replaced.length === 0) return seen;
    const ids = replaced.map(([, id]) => id);
    const heads = chainEnds(ids, await statements.links.all({ ids, now: filter.now }));
    const ends = await statements.allowedItems.all({ ...parameters, ids: [...new Set(heads.values())] });
    const holding = new Map(ends.map((item) => [item[0], item]));
    for (const [passage, id] of replaced) {
      const head = holding.get(heads.get(id) ?? "");
      if (head) seen.set(passage, head);
    }
    return seen;
  };
}

function prepare(db: Database, shelf: Shelf) {
  const where = filterClause(shelf);
  return {
    reachable: db.prepareRaw<[passage: number, isReplaced: boolean, ...OutlineRow]>(`
      select passage.seq, ${IS_REPLACED} and not (${where}), ${outlineColumns(shelf)}
      from ${shelf}_passage passage join ${shelf}_item item on item.seq = passage.item_seq
      where passage.seq = any (@passages::bigint[]) and ((${where}) or (@via::boolean and ${IS_REPLACED}))`),
    allowedItems: db.prepareRaw<OutlineRow>(`
      select ${outlineColumns(shelf)} from ${shelf}_item item where item.id = any (@ids::text[]) and ${where}`),
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
