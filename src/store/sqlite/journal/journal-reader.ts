/** Reads the journal: changes with the state before and after, and the bare chain. */
import type { Edge, EdgeShelf } from "../../../model/memory/edge.ts";
import type { Item } from "../../../model/memory/item.ts";
import type { ChainEntry, ChainHead, ChangeRecord } from "../../../model/journal/journal.ts";
import type { Shelf } from "../../../model/memory/shelves.ts";
import type { JournalQuery } from "../../../ports/store/journal.ts";
import {
  type ChainRow,
  type RecordRow,
  currentIds,
  recordsOf,
  toChainEntry,
} from "../../rows/journal/journal-records.ts";
import type { Database } from "../connection/database.ts";

/** The current state of items and edges. */
interface CurrentState {
  items(shelf: Shelf, ids: readonly string[]): Item[];
  edges(shelf: EdgeShelf, ids: readonly string[]): Edge[];
}
type Page = { limit: number; offset: number };

export type JournalReader = ReturnType<typeof journalReader>;

export function journalReader(db: Database, current: CurrentState) {
  const statements = prepare(db);
  const search = searches(db);

  // In one transaction, because an entry and its current row must be read at the same moment.
  const records = db.transaction((query: JournalQuery, page: Page): { records: ChangeRecord[]; total: number } => {
    const { rows, total } = search(query, page);
    const now = currentIds(rows).map(({ shelf, items, edges }) => ({
      shelf,
      items: current.items(shelf, items),
      edges: edges.length > 0 ? current.edges(shelf as EdgeShelf, edges) : [],
    }));
    return { records: recordsOf(rows, now), total };
  });

  return {
    records: (query: JournalQuery, page: Page) => records(query, page),
    latestCalls(limit: number, space: string | null): { call: string; at: number }[] {
      const calls = new Map<string, number>();
      for (const { call, at } of statements.newest.iterate({ space })) {
        if (calls.size === limit && !calls.has(call)) break;
        if (!calls.has(call)) calls.set(call, at);
      }
      return [...calls].map(([call, at]) => ({ call, at }));
    },
    chain: (from: number, limit: number): ChainEntry[] => statements.chain.all(from, limit).map(toChainEntry),
    head: (): ChainHead => statements.head.get() ?? { length: 0, hash: "" },
  };
}

const ENTRY = `entry.seq, entry.transaction_seq as "transaction", entry.at, entry.verb, entry.host, entry.session,
  entry.call, entry.space, entry.kind, entry.shelf, entry.item_id as itemId`;

const CONDITIONS: Record<keyof JournalQuery, string> = {
  itemIds: `entry.item_id in (select value from json_each(@itemIds))`,
  calls: `entry.call in (select value from json_each(@calls))`,
  verb: `entry.verb = @verb`,
  shelf: `entry.shelf = @shelf`,
  after: `entry.at >= @after`,
  before: `entry.at < @before`,
  through: `entry.seq <= @through`,
};

/** One pair of statements per combination of conditions, so that an absent condition costs nothing. */
function searches(db: Database) {
  const prepared = new Map<string, ReturnType<typeof prepareSearch>>();
  return (query: JournalQuery, page: Page): { rows: RecordRow[]; total: number } => {
    const { itemIds, calls, ...rest } = query;
    const lists = { itemIds: itemIds && JSON.stringify(itemIds), calls: calls && JSON.stringify(calls) };
    const given = Object.entries({ ...lists, ...rest }).filter(([, value]) => value !== undefined);
    const names = given.map(([name]) => name as keyof JournalQuery);
    const key = names.join(" ");
    const statements = prepared.get(key) ?? prepareSearch(db, names);
    prepared.set(key, statements);
    const parameters = Object.fromEntries(given);
    return {
      rows: statements.page.all({ ...parameters, ...page }),
      total: statements.total.get(parameters) ?? 0,
    };
  };
}

function prepareSearch(db: Database, names: readonly (keyof JournalQuery)[]) {
  const index = names.includes("itemIds") ? "indexed by journal_item" : "";
  const where = names.length > 0 ? `where ${names.map((name) => CONDITIONS[name]).join(" and ")}` : "";
  return {
    // The page is selected first, and the cross join keeps it first, so that only its rows are joined.
    page: db.prepare<[object], RecordRow>(`
      select ${ENTRY}, entry.payload_hash is not null as hasPayload, kept.payload,
        next.kind as nextKind, next.payload_hash is not null as nextHasPayload, nextKept.payload as nextPayload,
        iif(entry.kind = 'purge_items', (
          select earlier.kind from journal earlier indexed by journal_item
          where earlier.item_id = entry.item_id and earlier.seq < entry.seq and earlier.shelf = entry.shelf
          order by earlier.seq desc limit 1), null) as previousKind
      from (
        select entry.seq from journal entry ${index} ${where}
        order by entry.seq desc limit @limit offset @offset
      ) page
      cross join journal entry on entry.seq = page.seq
      left join journal_payload kept on kept.seq = entry.seq
      left join journal next on next.seq = (
        select later.seq from journal later indexed by journal_item
        where later.item_id = entry.item_id and later.seq > entry.seq and later.shelf = entry.shelf
        order by later.seq limit 1)
      left join journal_payload nextKept on nextKept.seq = next.seq
      order by page.seq desc`),
    total: db.prepare<[object], number>(`select count(*) from journal entry ${index} ${where}`).pluck(),
  };
}

function prepare(db: Database) {
  return {
    newest: db.prepare<[object], { call: string; at: number }>(
      `select call, at from journal where call <> '' and (@space is null or space = @space) order by seq desc`,
    ),
    chain: db.prepare<[number, number], ChainRow>(`
      select ${ENTRY}, lower(hex(entry.hash)) as hash,
        iif(entry.payload_hash is null, null, lower(hex(entry.payload_hash))) as payloadHash,
        iif(kept.salt is null, null, lower(hex(kept.salt))) as salt, kept.payload as text
      from journal entry left join journal_payload kept on kept.seq = entry.seq
      where entry.seq >= ? order by entry.seq limit ?`),
    head: db.prepare<[], ChainHead>(`select length, lower(hex(hash)) as hash from journal_head where one = 1`),
  };
}

export function journalLength(db: Database): number {
  return db.prepare<[], number>(`select length from journal_head where one = 1`).pluck().get() ?? 0;
}
