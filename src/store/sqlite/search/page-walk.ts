/**
 * Walks a ranking page by page until enough items have passed the filter.
 *
 * Rank first, filter afterwards: only a page's passages are joined to their items, and the
 * next, larger page is fetched only when too few remain. Each item appears once, as its best
 * passage, unless passages are requested. A superseded item leads to its successor.
 */
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Filter, Ranked } from "../../../model/recall/search.ts";
import type { Database } from "../connection/database.ts";
import { IS_REPLACED, filterClause, filterParameters } from "../items/filter.ts";
import { type OutlineRow, outlineColumns, toOutline } from "../items/item-row.ts";

const FIRST_PAGE = 100;
const LATER_PAGES = [400, 1_600, 6_400, 25_600, 102_400];
/** A page is looked up in parts, because the first usually suffices; each further part is this much larger. */
const PART_GROWTH = 3;

export interface Scored {
  passage: number;
  score: number;
}

/** Passages after the first `offset`, best first, fewer than `limit` only at the end. Earlier ones may recur. */
export type FetchPage = (limit: number, offset: number) => Scored[];

export interface PageLimits {
  limit: number;
  eachPassage?: boolean | undefined;
}

export type PageWalk = (fetch: FetchPage, filter: Filter, limits: PageLimits) => Ranked[];

export function pageWalk(db: Database, shelf: Shelf): PageWalk {
  const visible = visibleItems(db, shelf);

  /** Fetches growing pages until `limit` distinct items, or passages, have passed the filter. */
  function paged(fetch: FetchPage, filter: Filter, { limit, eachPassage }: PageLimits): Ranked[] {
    const found = new Map<string | number, Ranked>();
    const passed = new Set<number>();
    let partSize = limit;
    let offset = 0;
    const first = Math.max(FIRST_PAGE, limit);
    for (const size of [first, ...LATER_PAGES.filter((later) => later > first)]) {
      const fetched = fetch(size, offset);
      const page = offset === 0 ? fetched : fetched.filter(({ passage }) => !passed.has(passage));
      for (const { passage } of page) passed.add(passage);
      for (let start = 0; start < page.length && found.size < limit; ) {
        const part = page.slice(start, start + partSize);
        start += partSize;
        partSize *= PART_GROWTH;
        const items = visible(
          part.map(({ passage }) => passage),
          filter,
        );
        for (const { passage, score } of part) {
          const item = items.get(passage);
          const key = eachPassage ? passage : item?.[0];
          if (item && key !== undefined && !found.has(key)) {
            found.set(key, { itemId: item[0], item: toOutline(item), passage, score });
          }
          if (found.size >= limit) break;
        }
      }
      if (found.size >= limit || fetched.length < size) break;
      offset += fetched.length;
    }
    return [...found.values()];
  }

  return paged;
}

/** The visible items of a page, by passage. Superseded ones are replaced by their successors. */
function visibleItems(
  db: Database,
  shelf: Shelf,
): (passages: readonly number[], filter: Filter) => Map<number, OutlineRow> {
  const statements = prepare(db, shelf);
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
    const next = new Map(links.all({ ids: JSON.stringify(ids), now }).map((link) => [link.id, link.superseded_by]));
    const heads = new Map<string, string>();
    for (const id of ids) {
      let head = id;
      const passed = new Set<string>();
      while (next.has(head) && !passed.has(head)) {
        passed.add(head);
        head = next.get(head)!;
      }
      // A cycle has no end, so no item in it is current.
      if (!next.has(head)) heads.set(id, head);
    }
    return heads;
  };
}

function prepare(db: Database, shelf: Shelf) {
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
