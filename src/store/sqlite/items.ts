/** Reads the items of one shelf: by id, as lists, as chains of replacement, and page by page. */
import { Failure } from "../../errors.ts";
import type { Item, Scope, Status } from "../../memory/item.ts";
import type { Shelf } from "../../memory/shelves.ts";
import type { Filter, Outline } from "../../recall/search.ts";
import { ITEM_COLUMNS, itemOn, type ItemRow, type OutlineRow, toOutline } from "../item-row.ts";
import type { ListedPage, ShelfCount, WholeItem } from "../store.ts";
import { archiveReader } from "./archive.ts";
import type { Database } from "./database.ts";
import { contentIndex, filterClause, filterParameters, outlineColumns } from "./filter.ts";
import { passageReader } from "./passage-reader.ts";

const EXPIRED_AT_ONCE = 100;
const NO_LIMIT = -1;

export interface ShelfReader {
  items(ids: readonly string[]): Item[];
  outlines(ids: readonly string[]): Outline[];
  sameContent(scope: Scope, hash: string): Item | null;
  fileAt(path: string): Item | null;
  list(filter: Filter, page: ListedPage): { items: Item[]; total: number };
  newest(filter: Filter, page: { limit: number; rows: number }): Item[];
  replacedBy(ids: readonly string[]): Item[];
  heads(ids: readonly string[]): Map<string, Pick<Item, "id" | "status">>;
  leaving(room: { session: string; capacity: number; now: number }): string[];
  expired(now: number): string[];
  whole(ids: readonly string[]): WholeItem[];
  walk(page: { after: string | null; limit: number }): WholeItem[];
  counts(): ShelfCount[];
  /** Only items that are not damaged. */
  readable(ids: readonly string[]): Item[];
}

export function shelfReader(db: Database, shelf: Shelf): ShelfReader {
  const statements = prepare(db, shelf);
  const working = prepareWorking(db, shelf);
  const passages = passageReader(db, shelf);
  const archive = archiveReader(db, shelf);

  function withPassages(rows: readonly ItemRow[]): WholeItem[] {
    const cut = passages.ofItems(rows.map(({ id }) => id));
    return rows.map((row) => {
      const body = row.status === "archived" ? archive.body(row) : null;
      if (!body) return { item: itemOn(shelf, row), ...(cut.get(row.id) ?? { passages: [], embed: false }) };
      const { content, ...packed } = body;
      return { item: { ...itemOn(shelf, row), content }, ...packed };
    });
  }

  return {
    items: (ids) => statements.byIds.all(JSON.stringify(ids)).map(archive.item),
    outlines: (ids) => statements.outlines.all(JSON.stringify(ids)).map(toOutline),
    sameContent(scope, hash) {
      const row = statements.byContent.get({ scope, hash });
      return row ? archive.item(row) : null;
    },
    fileAt(path) {
      const row = statements.byPath.get(path);
      return row ? itemOn(shelf, row) : null;
    },
    list(filter, { limit, offset, countMost = NO_LIMIT }) {
      const parameters = filterParameters(filter);
      return {
        items: statements.page.all({ ...parameters, limit, offset }).map(archive.item),
        total: statements.total.get({ ...parameters, countMost })!.total,
      };
    },
    newest: (filter, page) => statements.newest.all({ ...filterParameters(filter), ...page }).map(archive.item),
    replacedBy: (ids) => statements.chain.all(JSON.stringify(ids)).map(archive.item),
    heads(ids) {
      const rows = statements.heads.all(JSON.stringify(ids));
      // Nearest first, so the last one stays.
      return new Map(rows.map(({ start, id, status }) => [start, { id, status }]));
    },
    leaving({ session, capacity, now }) {
      return [
        ...working.expired.all(now, EXPIRED_AT_ONCE),
        ...working.surplus.all(session, now, Math.max(0, capacity - 1)),
      ];
    },
    expired: (now) => working.expired.all(now, NO_LIMIT),
    whole: (ids) => withPassages(statements.byIds.all(JSON.stringify(ids))),
    walk: ({ after, limit }) => withPassages(statements.behind.all(after ?? "", limit)),
    readable: (ids) =>
      statements.byIds.all(JSON.stringify(ids)).flatMap((row) => {
        try {
          return archive.item(row);
        } catch (thrown) {
          if (thrown instanceof Failure) return [];
          throw thrown;
        }
      }),
    counts: () => statements.counts.all().map((count) => ({ shelf, ...count })),
  };
}

function prepare(db: Database, shelf: Shelf) {
  const columns = ITEM_COLUMNS.map((column) => `item.${column}`).join(", ");
  const where = filterClause(shelf);
  const byIds = db.prepare<[string], ItemRow>(
    `select item.seq, ${columns} from ${shelf}_item item where item.id in (select value from json_each(?))`,
  );
  const outlines = db
    .prepare<
      [string],
      OutlineRow
    >(`select ${outlineColumns(shelf)} from ${shelf}_item item where item.id in (select value from json_each(?))`)
    .raw();
  const withContent = (status: Status) => `
    select item.seq, ${columns} from ${shelf}_item item indexed by ${contentIndex(shelf, status)}
    where item.scope = @scope and item.hash = @hash and item.status = '${status}'`;
  // Archived evidence counts too, so that the same text is not kept twice.
  const other = shelf === "evidence" ? "archived" : "pending";
  const byContent = db.prepare<[{ scope: string; hash: string }], ItemRow>(
    `${withContent("active")} union all ${withContent(other)} limit 1`,
  );
  const byPath = db.prepare<[string], ItemRow>(`
    select item.seq, ${columns} from ${shelf}_item item indexed by ${shelf}_item_path
    where item.path = ? and item.path is not null and item.status = 'active'`);
  const page = db.prepare<[object], ItemRow>(`
    select item.seq, ${columns} from ${shelf}_item item where ${where}
    order by item.created_at desc, item.id desc limit @limit offset @offset`);
  const newest = db.prepare<[object], ItemRow>(`
    select item.seq, ${columns} from (
      select seq from ${shelf}_item order by created_at desc, id limit @rows
    ) recent cross join ${shelf}_item item on item.seq = recent.seq
    where ${where} order by item.created_at desc, item.id desc limit @limit`);
  const total = db.prepare<[object], { total: number }>(
    `select count(*) as total from (select 1 from ${shelf}_item item where ${where} limit @countMost)`,
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
  const heads = db.prepare<[string], { start: string } & Pick<Item, "id" | "status">>(`
    with recursive newer (start, id, depth) as (
      select value, value, 1 from json_each(?)
      union
      select newer.start, item.superseded_by, newer.depth + 1 from newer join ${shelf}_item item on item.id = newer.id
      where item.superseded_by is not null and newer.depth < 50
    )
    select newer.start, item.id, item.status from newer join ${shelf}_item item on item.id = newer.id
    order by newer.depth`);
  const behind = db.prepare<[string, number], ItemRow>(
    `select item.seq, ${columns} from ${shelf}_item item where item.id > ? order by item.id limit ?`,
  );
  const counts = db.prepare<[], Omit<ShelfCount, "shelf">>(
    `select scope, type, status, count(*) as count from ${shelf}_item group by 1, 2, 3 order by 1, 2, 3`,
  );
  return { byIds, outlines, byContent, byPath, page, newest, total, chain, heads, behind, counts };
}

/** Items whose removal makes room in a working scope. */
function prepareWorking(db: Database, shelf: Shelf) {
  const expired = db
    .prepare<
      [number, number],
      string
    >(`select id from ${shelf}_item where scope = 'working' and expires_at <= ? order by expires_at limit ?`)
    .pluck();
  const surplus = db
    .prepare<[string, number, number], string>(
      `
    select id from ${shelf}_item
    where scope = 'working' and session = ? and expires_at > ?
    order by accessed_at desc, seq desc limit -1 offset ?`,
    )
    .pluck();
  return { expired, surplus };
}
