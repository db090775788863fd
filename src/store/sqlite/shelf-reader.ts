/** Reads the items of one shelf: by identity, in lists and chains, and one after the other. */
import type { Item, Scope, Status } from "../../model/item.ts";
import type { Shelf } from "../../model/shelf.ts";
import type { Filter, ShelfCount, WholeItem } from "../../ports.ts";
import type { Database } from "./database.ts";
import { filterClause, filterParameters } from "./filter.ts";
import { ITEM_COLUMNS, type ItemRow, contentIndex, toItem } from "./item-row.ts";
import { passageReader } from "./passage-reader.ts";

const EXPIRED_AT_ONCE = 100;

export interface ShelfReader {
  items(ids: readonly string[]): Item[];
  sameContent(scope: Scope, hash: string): Item | null;
  fileAt(path: string): Item | null;
  list(filter: Filter, page: { limit: number; offset: number }): { items: Item[]; total: number };
  replacedBy(ids: readonly string[]): Item[];
  leaving(room: { session: string; capacity: number; now: number }): string[];
  walk(page: { after: string | null; limit: number }): WholeItem[];
  counts(): ShelfCount[];
}

export function shelfReader(db: Database, shelf: Shelf): ShelfReader {
  const statements = prepare(db, shelf);
  const passages = passageReader(db, shelf);

  return {
    items: (ids) => statements.byIds.all(JSON.stringify(ids)).map(toItem),
    sameContent(scope, hash) {
      const row = statements.byContent.get({ scope, hash });
      return row ? toItem(row) : null;
    },
    fileAt(path) {
      const row = statements.byPath.get(path);
      return row ? toItem(row) : null;
    },
    list(filter, { limit, offset }) {
      const parameters = filterParameters(filter);
      return {
        items: statements.page.all({ ...parameters, limit, offset }).map(toItem),
        total: statements.total.get(parameters)!.total,
      };
    },
    replacedBy: (ids) => statements.chain.all(JSON.stringify(ids)).map(toItem),
    leaving({ session, capacity, now }) {
      return [
        ...statements.expired.pluck().all(now, EXPIRED_AT_ONCE),
        ...statements.surplus.pluck().all(session, now, Math.max(0, capacity - 1)),
      ];
    },
    walk({ after, limit }) {
      const items = statements.behind.all(after ?? "", limit).map(toItem);
      const cut = passages.ofItems(items.map(({ id }) => id));
      return items.map((item) => ({ item, ...(cut.get(item.id) ?? { passages: [], embed: false }) }));
    },
    counts: () => statements.counts.all().map((count) => ({ shelf, ...count })),
  };
}

function prepare(db: Database, shelf: Shelf) {
  const columns = ITEM_COLUMNS.map((column) => `item.${column}`).join(", ");
  const where = filterClause(shelf);
  const byIds = db.prepare<[string], ItemRow>(
    `select item.seq, ${columns} from ${shelf}_item item where item.id in (select value from json_each(?))`,
  );
  const withContent = (status: Status) => `
    select item.seq, ${columns} from ${shelf}_item item indexed by ${contentIndex(shelf, status)}
    where item.scope = @scope and item.hash = @hash and item.status = '${status}'`;
  const byContent = db.prepare<[{ scope: string; hash: string }], ItemRow>(
    `${withContent("active")} union all ${withContent("pending")} limit 1`,
  );
  const byPath = db.prepare<[string], ItemRow>(`
    select item.seq, ${columns} from ${shelf}_item item indexed by ${shelf}_item_path
    where item.path = ? and item.path is not null and item.status = 'active'`);
  const page = db.prepare<[object], ItemRow>(`
    select item.seq, ${columns} from ${shelf}_item item where ${where}
    order by item.created_at desc, item.id desc limit @limit offset @offset`);
  const total = db.prepare<[object], { total: number }>(
    `select count(*) as total from ${shelf}_item item where ${where}`,
  );
  const chain = db.prepare<[string], ItemRow>(`
    with recursive older (id, depth) as (
      select item.id, 1 from ${shelf}_item item where item.superseded_by in (select value from json_each(?))
      union
      select item.id, older.depth + 1 from ${shelf}_item item join older on item.superseded_by = older.id
      where older.depth < 50
    )
    select item.seq, ${columns} from ${shelf}_item item
    join (select id, min(depth) as depth from older group by id) nearest on nearest.id = item.id
    order by nearest.depth, item.updated_at desc`);
  const expired = db.prepare<[number, number], string>(
    `select id from ${shelf}_item where scope = 'working' and expires_at <= ? order by expires_at limit ?`,
  );
  const surplus = db.prepare<[string, number, number], string>(`
    select id from ${shelf}_item
    where scope = 'working' and session = ? and expires_at > ?
    order by accessed_at desc, seq desc limit -1 offset ?`);
  const behind = db.prepare<[string, number], ItemRow>(
    `select item.seq, ${columns} from ${shelf}_item item where item.id > ? order by item.id limit ?`,
  );
  const counts = db.prepare<[], Omit<ShelfCount, "shelf">>(
    `select scope, type, status, count(*) as count from ${shelf}_item group by scope, type, status`,
  );
  return { byIds, byContent, byPath, page, total, chain, expired, surplus, behind, counts };
}
