/**
 * Makes the journal end where its head says, which triggers keep so afterwards.
 *
 * By raw SQL a writer could once lower the head, or put entries beyond it. Entries that continue the chain are the record of
 * the team, so the head follows them. All others are moved to a table that no member reads. Nothing is deleted.
 */
import { Failure } from "../../../errors.ts";
import { CHAIN_START, entryHash } from "../../../logic/journal/journal-chain.ts";
import type { ChainEntry, ChainHead } from "../../../model/journal/journal.ts";
import type { Database } from "../connection/database.ts";
import { journalReads } from "../../journal.ts";

/** What stood beyond the head. */
export interface BeyondHead {
  continued: number;
  aside: number;
}

export const ASIDE_TABLE = "journal_aside";

const ENTRIES_AT_ONCE = 500;

/** Before the triggers are made: the one that keeps states of decisions would refuse a manager who is no ratifier. */
export async function mendJournalEnd(db: Database): Promise<BeyondHead> {
  const head = await db.drive(journalReads.chainHead());
  const end = await endOfChain(db, head);
  const beyond = db.prepareColumn<number>(`select count(*) from journal where seq > @length`);
  const aside = (await beyond.get({ length: end.length })) ?? 0;
  if (aside > 0) await setAside(db, end.length);
  const continued = end.length - head.length;
  const move = db.prepare(`update journal_head set length = @length, hash = decode(@hash, 'hex') where one = 1`);
  if (continued > 0) await move.run({ ...end });
  return { continued, aside };
}

async function endOfChain(db: Database, head: ChainHead): Promise<ChainHead> {
  const chain = (from: number, limit: number) => db.drive(journalReads.chain(from, limit));
  const [last] = await chain(head.length, 1);
  // A head that was lowered may still have the hash of the entry where it was.
  const hash = head.length === 0 ? CHAIN_START : last?.seq === head.length ? last.hash : head.hash;
  for (let end: ChainHead = { length: head.length, hash }; ; ) {
    const entries = await chain(end.length + 1, ENTRIES_AT_ONCE);
    const broken = entries.findIndex((entry, index) => !follows(entries[index - 1] ?? null, entry, end));
    const good = entries.at(broken === -1 ? -1 : broken - 1);
    if (broken !== 0 && good) end = { length: good.seq, hash: good.hash };
    if (broken !== -1 || entries.length < ENTRIES_AT_ONCE) return end;
  }
}

const follows = (before: ChainEntry | null, entry: ChainEntry, end: ChainHead): boolean =>
  entry.seq === (before?.seq ?? end.length) + 1 && entry.hash === entryHash(before?.hash ?? end.hash, entry);

async function setAside(db: Database, length: number): Promise<void> {
  await db.exec(`
    create table if not exists ${ASIDE_TABLE} (
      seq      bigint generated always as identity primary key,
      moved_at timestamptz not null default now(),
      entry    jsonb not null,
      payload  jsonb
    );
    drop trigger if exists ratified_state_kept on journal_payload`);
  for (const sql of MOVING) await db.prepare(sql).run({ length });
}

const MOVING = [
  `insert into ${ASIDE_TABLE} (entry, payload)
   select to_jsonb(journal), to_jsonb(kept) from journal left join journal_payload kept on kept.seq = journal.seq
   where journal.seq > @length order by journal.seq`,
  `delete from journal_payload where seq > @length`,
  `delete from journal where seq > @length`,
];

/** Said as a failure, so that no script passes over it, although the space is made by then. */
export function foundBeyond(schema: string, { continued, aside }: BeyondHead): Failure | null {
  if (continued + aside === 0) return null;
  const found = [
    ...(continued > 0 ? [`Entries beyond it that continue the chain, and count again: ${continued}.`] : []),
    ...(aside > 0 ? [`Entries that do not, moved to ${schema}.${ASIDE_TABLE}: ${aside}.`] : []),
  ];
  return new Failure(
    "conflict",
    `The journal of ${schema} did not end where its head said: somebody wrote to it without Stele. ${found.join(" ")}`,
    "Nothing was deleted, and the space is up to date. Look at those entries and the roles that wrote them, then run this again.",
  );
}
