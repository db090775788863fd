/** Reads one shelf by identity: items, lists, chains, passages and word statistics. */
import type { Item, Scope } from "../../model/item.ts";
import type { Shelf, StoredPassage } from "../../model/shelf.ts";
import type { Filter, ShelfCount, WholeItem } from "../../ports.ts";
import type { Database } from "./database.ts";
import { filterClause, filterParameters } from "./filter.ts";
import { ITEM_COLUMNS, type ItemRow, toItem } from "./item-row.ts";
import { passageTotal, wordpiecesOf } from "./wordpieces.ts";

const EXPIRED_AT_ONCE = 100;

interface PassageRow {
  number: number;
  item_id: string;
  embed: number;
  ordinal: number;
  heading: string | null;
  start_line: number | null;
  end_line: number | null;
  text: string;
  tokens: Buffer | null;
}

export interface ShelfReader {
  items(ids: readonly string[]): Item[];
  sameContent(scope: Scope, hash: string): Item | null;
  list(filter: Filter, page: { limit: number; offset: number }): { items: Item[]; total: number };
  replacedBy(ids: readonly string[]): Item[];
  leaving(room: { session: string; capacity: number; now: number }): string[];
  passages(numbers: readonly number[]): StoredPassage[];
  wordStatistics(stems: readonly string[]): { total: number; frequency: Map<string, number> };
  walk(page: { after: string | null; limit: number }): WholeItem[];
  counts(): ShelfCount[];
}

export function shelfReader(db: Database, shelf: Shelf): ShelfReader {
  const statements = prepare(db, shelf);
  const passageCount = passageTotal(db, shelf);

  return {
    items: (ids) => statements.byIds.all(JSON.stringify(ids)).map(toItem),
    sameContent(scope, hash) {
      const row = statements.byContent.get(scope, hash);
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
    passages: (numbers) => statements.passages.all(JSON.stringify(numbers)).map(toPassage),
    wordStatistics(stems) {
      const total = passageCount();
      // An empty shelf knows no word, and most shelves are empty.
      const found = total === 0 ? [] : stems.map((stem) => [stem, statements.frequency.get(stem)?.doc ?? 0] as const);
      return { total, frequency: new Map(found) };
    },
    walk({ after, limit }) {
      const items = statements.behind.all(after ?? "", limit).map(toItem);
      const rows = statements.passagesOf.all(JSON.stringify(items.map(({ id }) => id)));
      const passages = Map.groupBy(rows, ({ item_id }) => item_id);
      return items.map((item) => {
        const own = passages.get(item.id) ?? [];
        return { item, passages: own.map(toPassage), embed: own.some(({ embed }) => embed === 1) };
      });
    },
    counts: () => statements.counts.all().map((count) => ({ shelf, ...count })),
  };
}

function toPassage(row: PassageRow): StoredPassage {
  return {
    passage: row.number,
    itemId: row.item_id,
    ordinal: row.ordinal,
    heading: row.heading,
    startLine: row.start_line,
    endLine: row.end_line,
    text: row.text,
    tokens: row.tokens ? wordpiecesOf(row.tokens) : null,
  };
}

function prepare(db: Database, shelf: Shelf) {
  const columns = ITEM_COLUMNS.map((column) => `item.${column}`).join(", ");
  const where = filterClause(shelf);
  const byIds = db.prepare<[string], ItemRow>(
    `select item.seq, ${columns} from ${shelf}_item item where item.id in (select value from json_each(?))`,
  );
  const byContent = db.prepare<[string, string], ItemRow>(`
    select item.seq, ${columns} from ${shelf}_item item indexed by ${shelf}_item_content
    where item.scope = ? and item.hash = ? and item.status in ('active', 'pending')`);
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
  const passageColumns = `passage.seq as number, item.id as item_id, passage.ordinal, passage.heading,
    passage.start_line, passage.end_line, passage.text, passage.tokens, passage.embed`;
  const passages = db.prepare<[string], PassageRow>(`
    select ${passageColumns} from ${shelf}_passage passage join ${shelf}_item item on item.seq = passage.item_seq
    where passage.seq in (select value from json_each(?))`);
  const behind = db.prepare<[string, number], ItemRow>(
    `select item.seq, ${columns} from ${shelf}_item item where item.id > ? order by item.id limit ?`,
  );
  const passagesOf = db.prepare<[string], PassageRow>(`
    select ${passageColumns} from ${shelf}_item item join ${shelf}_passage passage on passage.item_seq = item.seq
    where item.id in (select value from json_each(?)) order by item.id, passage.ordinal`);
  const frequency = db.prepare<[string], { doc: number }>(`select doc from ${shelf}_vocabulary where term = ?`);
  const counts = db.prepare<[], Omit<ShelfCount, "shelf">>(
    `select scope, type, status, count(*) as count from ${shelf}_item group by scope, type, status`,
  );
  return { byIds, byContent, page, total, chain, expired, surplus, passages, behind, passagesOf, frequency, counts };
}
