/** Reads the journal: changes with the state before and after, and the bare chain. */
import type { ChainEntry, ChainHead, ChangeRecord } from "../../../model/journal/journal.ts";
import type { EdgeShelf } from "../../../model/memory/edge.ts";
import type { JournalQuery } from "../../../ports/store/journal.ts";
import {
  type ChainRow,
  type CurrentRows,
  type RecordRow,
  currentIds,
  recordsOf,
  toChainEntry,
} from "../../rows/journal/journal-records.ts";
import type { Database } from "../connection/database.ts";
import { edgeReader } from "../graph/edge-reader.ts";
import { shelfReader } from "../items/shelf-reader.ts";

type Page = { limit: number; offset: number };

/** The page of records, all read at the same moment: `db` must see one. */
export async function changeRecords(
  db: Database,
  query: JournalQuery,
  page: Page,
): Promise<{ records: ChangeRecord[]; total: number }> {
  const names = (Object.keys(query) as (keyof JournalQuery)[]).filter((name) => query[name] !== undefined);
  const where = names.length > 0 ? `where ${names.map((name) => CONDITIONS[name]).join(" and ")}` : "";
  const parameters = Object.fromEntries(names.map((name) => [name, query[name]!]));
  const rows = await db.prepare<RecordRow>(recordSql(where)).all({ ...parameters, ...page });
  const total = await db.prepareColumn<number>(`select count(*) from journal entry ${where}`).get(parameters);
  const current: CurrentRows[] = [];
  for (const { shelf, items, edges } of currentIds(rows)) {
    current.push({
      shelf,
      items: await shelfReader(db, shelf).readable(items),
      edges: edges.length > 0 ? await edgeReader(db).edges(shelf as EdgeShelf, edges) : [],
    });
  }
  return { records: recordsOf(rows, current), total: total ?? 0 };
}

/** Read so many at once, from the newest back: the last calls are among the first of them. */
const ENTRIES_AT_ONCE = 500;

interface NewestRow {
  seq: number;
  call: string;
  at: number;
}

const asList = (calls: ReadonlyMap<string, number>) => [...calls].map(([call, at]) => ({ call, at }));

export function journalReader(db: Database) {
  const statements = prepare(db);
  return {
    async latestCalls(limit: number, space: string | null): Promise<{ call: string; at: number }[]> {
      const calls = new Map<string, number>();
      for (let before: number | null = null; ; ) {
        const rows: NewestRow[] = await statements.newest.all({ space, before });
        for (const { call, at } of rows) {
          if (calls.size === limit && !calls.has(call)) return asList(calls);
          if (!calls.has(call)) calls.set(call, at);
        }
        if (rows.length < ENTRIES_AT_ONCE) return asList(calls);
        before = rows.at(-1)!.seq;
      }
    },
    chain: async (from: number, limit: number): Promise<ChainEntry[]> =>
      (await statements.chain.all({ from, limit })).map(toChainEntry),
    head: async (): Promise<ChainHead> => (await statements.head.get()) ?? { length: 0, hash: "" },
    callsSince: async (verb: string, last: string): Promise<number> => (await statements.since.get({ verb, last }))!,
    length: async (): Promise<number> => (await statements.length.get()) ?? 0,
  };
}

const ENTRY = `entry.seq, entry.transaction_seq as "transaction", entry.at, entry.verb, entry.host, entry.session,
  entry.call, entry.space, entry.kind, entry.shelf, entry.item_id as "itemId"`;

const CONDITIONS: Record<keyof JournalQuery, string> = {
  itemIds: `entry.item_id = any (@itemIds::text[])`,
  calls: `entry.call = any (@calls::text[])`,
  verb: `entry.verb = @verb`,
  shelf: `entry.shelf = @shelf`,
  after: `entry.at >= @after`,
  before: `entry.at < @before`,
  through: `entry.seq <= @through`,
};

/** The page is selected first, so that only its rows are joined. */
const recordSql = (where: string) => `
  select ${ENTRY}, entry.role, entry.author, (entry.payload_hash is not null)::integer as "hasPayload", kept.payload,
    next.kind as "nextKind", (next.payload_hash is not null)::integer as "nextHasPayload",
    "nextKept".payload as "nextPayload",
    case when entry.kind = 'purge_items' then (
      select earlier.kind from journal earlier
      where earlier.item_id = entry.item_id and earlier.seq < entry.seq and earlier.shelf = entry.shelf
      order by earlier.seq desc limit 1) end as "previousKind"
  from (
    select entry.seq from journal entry ${where} order by entry.seq desc limit @limit offset @offset
  ) page
  join journal entry on entry.seq = page.seq
  left join journal_payload kept on kept.seq = entry.seq
  left join lateral (
    select later.seq, later.kind, later.payload_hash from journal later
    where later.item_id = entry.item_id and later.seq > entry.seq and later.shelf = entry.shelf
    order by later.seq limit 1) next on true
  left join journal_payload "nextKept" on "nextKept".seq = next.seq
  order by page.seq desc`;

function prepare(db: Database) {
  return {
    newest: db.prepare<NewestRow>(`
      select seq, call, at from journal
      where call <> '' and (@space::text is null or space = @space) and (@before::bigint is null or seq < @before)
      order by seq desc limit ${ENTRIES_AT_ONCE}`),
    chain: db.prepare<ChainRow>(`
      select ${ENTRY}, encode(entry.hash, 'hex') as hash, encode(entry.payload_hash, 'hex') as "payloadHash",
        encode(kept.salt, 'hex') as salt, kept.payload as text
      from journal entry left join journal_payload kept on kept.seq = entry.seq
      where entry.seq >= @from order by entry.seq limit @limit`),
    head: db.prepare<ChainHead>(`select length, encode(hash, 'hex') as hash from journal_head where one = 1`),
    length: db.prepareColumn<number>(`select length from journal_head where one = 1`),
    since: db.prepareColumn<number>(`
      select count(distinct call) from journal where verb = @verb and call <> ''
        and seq > coalesce((select max(seq) from journal where verb = @last), 0)`),
  };
}
