/** Reads the journal: its calls, and the bare chain. */
import type { ChainEntry, ChainHead, JournalEntry } from "../journal/journal.ts";
import { hexOf, upTo } from "./dialect.ts";
import { journaledIds } from "./ids.ts";
import { allOf, raw, type Room, row, rows, rowsAs, sql, value } from "./sql.ts";
import type { JournalReads } from "./store.ts";

export const ENTRY =
  raw(`entry.seq, entry.transaction_seq as "transaction", entry.at, entry.verb, entry.host, entry.session,
  entry.call, entry.space, entry.kind, entry.shelf, entry.item_id as "itemId"`);

interface ChainRow extends JournalEntry {
  payloadHash: string | null;
  hash: string;
  salt: string | null;
  text: string | null;
}

const toChainEntry = ({ salt, text, ...entry }: ChainRow): ChainEntry => ({
  ...entry,
  payload: salt === null || text === null ? null : { salt, text },
});

/** Read so many at once, from the newest back: the last calls are among the first of them. */
const ENTRIES_AT_ONCE = 500;

interface NewestRow {
  seq: number;
  call: string;
  at: number;
}

export const journalReads: Room<Omit<JournalReads, "journal">> = {
  *latestCalls(limit, space) {
    const calls = new Map<string, number>();
    for (let before: number | null = null; calls.size <= limit; ) {
      const page: NewestRow[] = yield* rows<NewestRow>(sql`
        select seq, call, at from journal
        where ${allOf([
          raw("call <> ''"),
          space != null && sql`space = ${space}`,
          before !== null && sql`seq < ${before}`,
        ])} order by seq desc ${upTo(ENTRIES_AT_ONCE)}`);
      for (const { call, at } of page) if (!calls.has(call)) calls.set(call, at);
      if (page.length < ENTRIES_AT_ONCE) break;
      before = page.at(-1)!.seq;
    }
    return [...calls].slice(0, limit).map(([call, at]) => ({ call, at }));
  },
  // Rarely asked, so it scans: an index by verb would slow down every write.
  *callsSince(verb, last) {
    return (yield* value<number>(sql`
      select count(distinct call) from journal where verb = ${verb} and call <> ''
        and seq > coalesce((select max(seq) from journal where verb = ${last}), 0)`))!;
  },
  chain: (from, limit) =>
    rowsAs(
      toChainEntry,
      sql`select ${ENTRY}, ${hexOf("entry.hash")} as hash, ${hexOf("entry.payload_hash")} as "payloadHash",
        ${hexOf("kept.salt")} as salt, kept.payload as text
      from journal entry left join journal_payload kept on kept.seq = entry.seq
      where entry.seq >= ${from} order by entry.seq ${upTo(limit)}`,
    ),
  *chainHead() {
    return (
      (yield* row<ChainHead>(sql`select length, ${hexOf("hash")} as hash from journal_head where one = 1`)) ?? {
        length: 0,
        hash: "",
      }
    );
  },
  ...journaledIds,
};
