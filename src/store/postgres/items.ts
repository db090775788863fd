/** Reads the items of one shelf: by id, as lists, as chains of replacement, and page by page. */
import { Failure } from "../../errors.ts";
import type { Item, Scope } from "../../memory/item.ts";
import type { Shelf } from "../../memory/shelves.ts";
import type { Filter, Outline } from "../../recall/search.ts";
import { itemOn, type ItemRow, type OutlineRow, toOutline } from "../item-row.ts";
import type { ListedPage, ShelfCount, WholeItem } from "../store.ts";
import { archiveReader, itemIn } from "./archive.ts";
import type { Database } from "./database.ts";
import { filterClause, filterParameters, outlineColumns, READ_COLUMNS } from "./filter.ts";
import { passageReader } from "./passage-reader.ts";

const EXPIRED_AT_ONCE = 100;

export interface ShelfReader {
  items(ids: readonly string[]): Promise<Item[]>;
  outlines(ids: readonly string[]): Promise<Outline[]>;
  sameContent(scope: Scope, hash: string): Promise<Item | null>;
  fileAt(path: string): Promise<Item | null>;
  list(filter: Filter, page: ListedPage): Promise<{ items: Item[]; total: number }>;
  newest(filter: Filter, page: { limit: number; rows: number }): Promise<Item[]>;
  replacedBy(ids: readonly string[]): Promise<Item[]>;
  heads(ids: readonly string[]): Promise<Map<string, Pick<Item, "id" | "status">>>;
  leaving(room: { session: string; capacity: number; now: number }): Promise<string[]>;
  expired(now: number): Promise<string[]>;
  whole(ids: readonly string[]): Promise<WholeItem[]>;
  walk(page: { after: string | null; limit: number }): Promise<WholeItem[]>;
  counts(): Promise<ShelfCount[]>;
  /** Only items that are not damaged. */
  readable(ids: readonly string[]): Promise<Item[]>;
}

export function shelfReader(db: Database, shelf: Shelf): ShelfReader {
  const statements = prepare(db, shelf);
  const passages = passageReader(db, shelf);
  const archive = archiveReader(db, shelf);
  const first = async (rows: readonly ItemRow[]) => (await archive.items(rows))[0] ?? null;

  async function withPassages(rows: readonly ItemRow[]): Promise<WholeItem[]> {
    const cut = await passages.ofItems(rows.map(({ id }) => id));
    const bodies = await archive.bodies(rows);
    return rows.map((row) => {
      const body = bodies.get(row.seq)?.();
      if (!body) return { item: itemOn(shelf, row), ...(cut.get(row.id) ?? { passages: [], embed: false }) };
      const { content, ...packed } = body;
      return { item: { ...itemOn(shelf, row), content }, ...packed };
    });
  }

  return {
    items: async (ids) => archive.items(await statements.byIds.all({ ids })),
    outlines: async (ids) => (await statements.outlines.all({ ids })).map(toOutline),
    sameContent: async (scope, hash) => first(await statements.byContent.all({ scope, hash })),
    fileAt: async (path) => first(await statements.byPath.all({ path })),
    async list(filter, { limit, offset, countMost = null }) {
      const parameters = filterParameters(filter);
      return {
        items: await archive.items(await statements.page.all({ ...parameters, limit, offset })),
        total: (await statements.total.get({ ...parameters, countMost })) ?? 0,
      };
    },
    newest: async (filter, page) =>
      archive.items(await statements.newest.all({ ...filterParameters(filter), ...page })),
    replacedBy: async (ids) => archive.items(await statements.chain.all({ ids })),
    async heads(ids) {
      const rows = await statements.heads.all({ ids });
      // Nearest first, so the last one stays.
      return new Map(rows.map(({ start, id, status }) => [start, { id, status }]));
    },
    async leaving({ session, capacity, now }) {
      const expired = await statements.expired.all({ now, limit: EXPIRED_AT_ONCE });
      const surplus = await statements.surplus.all({ session, now, kept: Math.max(0, capacity - 1) });
      return [...expired, ...surplus];
    },
    expired: (now) => statements.expired.all({ now, limit: null }),
    whole: async (ids) => withPassages(await statements.byIds.all({ ids })),
    walk: async ({ after, limit }) => withPassages(await statements.behind.all({ after: after ?? "", limit })),
    async readable(ids) {
      const rows = await statements.byIds.all({ ids });
      const bodies = await archive.bodies(rows);
      return rows.flatMap((row) => unlessDamaged(() => itemIn(shelf, row, bodies)));
    },
    counts: async () => (await statements.counts.all()).map((count) => ({ shelf, ...count })),
  };
}

function unlessDamaged<T>(read: () => T): T[] {
  try {
    return [read()];
  } catch (thrown) {
    if (thrown instanceof Failure) return [];
    throw thrown;
  }
}

function prepare(db: Database, shelf: Shelf) {
  const from = `select ${READ_COLUMNS} from ${shelf}_item item`;
  const where = filterClause(shelf);
  // Archived evidence counts too, so that the same text is not kept twice.
  const other = shelf === "evidence" ? "archived" : "pending";
  return {
    byIds: db.prepare<ItemRow>(`${from} where item.id = any (@ids::text[]) order by item.seq`),
    outlines: db.prepareRaw<OutlineRow>(
      `select ${outlineColumns(shelf)} from ${shelf}_item item where item.id = any (@ids::text[])`,
    ),
    byContent: db.prepare<ItemRow>(`
      ${from} where item.scope = @scope and item.hash = @hash and item.status in ('active', '${other}')
      order by item.status = 'active' desc limit 1`),
    byPath: db.prepare<ItemRow>(`
      ${from} where md5(item.path) = md5(@path) and item.path = @path and item.status = 'active'`),
    page: db.prepare<ItemRow>(`
      ${from} where ${where} order by item.created_at desc, item.id desc limit @limit offset @offset`),
    newest: db.prepare<ItemRow>(`
      ${from} where item.seq in (select seq from ${shelf}_item order by created_at desc, id limit @rows) and ${where}
      order by item.created_at desc, item.id desc limit @limit`),
    total: db.prepareColumn<number>(
      `select count(*) from (select 1 from ${shelf}_item item where ${where} limit @countMost::bigint) passing`,
    ),
    behind: db.prepare<ItemRow>(`${from} where item.id > @after order by item.id limit @limit`),
    counts: db.prepare<Omit<ShelfCount, "shelf">>(
      `select scope, type, status, count(*) as count from ${shelf}_item group by 1, 2, 3 order by 1, 2, 3`,
    ),
    ...prepareChains(db, shelf, from),
    // Items whose removal makes room in a working scope.
    expired: db.prepareColumn<string>(`
      select id from ${shelf}_item where scope = 'working' and expires_at <= @now order by expires_at limit @limit`),
    surplus: db.prepareColumn<string>(`
      select id from ${shelf}_item
      where scope = 'working' and md5(session) = md5(@session) and session = @session and expires_at > @now
      order by accessed_at desc, seq desc offset @kept`),
  };
}

function prepareChains(db: Database, shelf: Shelf, from: string) {
  return {
    chain: db.prepare<ItemRow>(`
      with recursive older (id, depth) as (
        select item.id, 1 from ${shelf}_item item where item.superseded_by = any (@ids::text[])
        union
        select item.id, older.depth + 1 from ${shelf}_item item join older on item.superseded_by = older.id
        where older.depth < 50
      )
      ${from} join (select id, min(depth) as depth from older group by id) nearest on nearest.id = item.id
      order by nearest.depth, item.updated_at desc`),
    heads: db.prepare<{ start: string } & Pick<Item, "id" | "status">>(`
      with recursive newer (start, id, depth) as (
        select one, one collate "C", 1 from unnest(@ids::text[]) one
        union
        select newer.start, item.superseded_by, newer.depth + 1 from newer join ${shelf}_item item on item.id = newer.id
        where item.superseded_by is not null and newer.depth < 50
      )
      select newer.start, item.id, item.status from newer join ${shelf}_item item on item.id = newer.id
      order by newer.depth`),
  };
}
