/**
 * Walks a ranking page by page until enough items have passed the filter.
 *
 * Rank first, filter afterwards: only a page's passages are joined to their items, and the
 * next, larger page is fetched only when too few remain. Each item stands in the answer
 * once, by its best passage. A superseded item leads to what replaced it.
 */
import type { Shelf } from "../../model/shelf.ts";
import type { Filter, Ranked } from "../../ports.ts";
import type { Database } from "./database.ts";
import { filterClause, filterParameters } from "./filter.ts";

const PAGES = [100, 400, 1_600, 6_400, 25_600, 102_400];

export interface Scored {
  passage: number;
  score: number;
}

/** Gives `limit` passages after the first `offset`, best first. */
export type FetchPage = (limit: number, offset: number) => Scored[];

export type PageWalk = (fetch: FetchPage, filter: Filter, limit: number) => Ranked[];

export function pageWalk(db: Database, shelf: Shelf): PageWalk {
  const statements = prepare(db, shelf);
  const successors = successorsOf(db, shelf);

  /** The items of a page that may be seen, by passage. Superseded ones lead to what replaced them. */
  function visible(passages: readonly number[], filter: Filter): Map<number, string> {
    const parameters = filterParameters(filter);
    const wanted = JSON.stringify(passages);
    const seen = new Map(
      statements.allowed.all({ ...parameters, passages: wanted }).map((row) => [row.passage, row.item_id]),
    );
    if (!filter.viaPredecessors || seen.size === passages.length) return seen;
    const replaced = statements.superseded.all(wanted);
    if (replaced.length === 0) return seen;
    const heads = successors(replaced.map(({ item_id }) => item_id));
    const ids = JSON.stringify([...new Set(heads.values())]);
    const holding = new Set(statements.allowedItems.all({ ...parameters, ids }));
    for (const { passage, item_id } of replaced) {
      const head = heads.get(item_id);
      if (head !== undefined && holding.has(head) && !seen.has(passage)) seen.set(passage, head);
    }
    return seen;
  }

  /** Fetches growing pages until `limit` distinct items have passed the filter. */
  function paged(fetch: FetchPage, filter: Filter, limit: number): Ranked[] {
    const found = new Map<string, Ranked>();
    let offset = 0;
    for (const size of PAGES) {
      const page = fetch(size, offset);
      const items = visible(
        page.map(({ passage }) => passage),
        filter,
      );
      for (const { passage, score } of page) {
        const itemId = items.get(passage);
        if (itemId !== undefined && !found.has(itemId)) found.set(itemId, { itemId, passage, score });
        if (found.size >= limit) return [...found.values()];
      }
      if (page.length < size) break;
      offset += size;
    }
    return [...found.values()];
  }

  return paged;
}

/** Where chains of replacement lead, each followed to its end, in one question. */
function successorsOf(db: Database, shelf: Shelf): (ids: readonly string[]) => Map<string, string> {
  const links = db.prepare<[string], { id: string; superseded_by: string }>(`
    with recursive link (id, superseded_by) as (
      select id, superseded_by from ${shelf}_item
      where id in (select value from json_each(?)) and status = 'superseded' and superseded_by is not null
      union
      select item.id, item.superseded_by from ${shelf}_item item join link on item.id = link.superseded_by
      where item.status = 'superseded' and item.superseded_by is not null
    )
    select id, superseded_by from link`);
  return (ids) => {
    const next = new Map(links.all(JSON.stringify(ids)).map((link) => [link.id, link.superseded_by]));
    const heads = new Map<string, string>();
    for (const id of ids) {
      let head = id;
      const passed = new Set<string>();
      while (next.has(head) && !passed.has(head)) {
        passed.add(head);
        head = next.get(head)!;
      }
      // A ring has no end, so nothing in it holds.
      if (!next.has(head)) heads.set(id, head);
    }
    return heads;
  };
}

function prepare(db: Database, shelf: Shelf) {
  const where = filterClause(shelf);
  const allowed = db.prepare<[object], { passage: number; item_id: string }>(`
    select passage.seq as passage, item.id as item_id
    from json_each(@passages) wanted
    join ${shelf}_passage passage on passage.seq = wanted.value
    join ${shelf}_item item on item.seq = passage.item_seq
    where ${where}`);
  const superseded = db.prepare<[string], { passage: number; item_id: string }>(`
    select passage.seq as passage, item.id as item_id
    from json_each(?) wanted
    join ${shelf}_passage passage on passage.seq = wanted.value
    join ${shelf}_item item on item.seq = passage.item_seq
    where item.status = 'superseded'`);
  const allowedItems = db
    .prepare<[object], string>(
      `
      select item.id from ${shelf}_item item where item.id in (select value from json_each(@ids)) and ${where}`,
    )
    .pluck();
  return { allowed, superseded, allowedItems };
}
