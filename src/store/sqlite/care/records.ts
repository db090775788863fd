/**
 * Records that are kept for a limited time: the access log, and the previous states in the journal.
 *
 * Without them the chain of the journal still verifies, because an entry says that they were dropped. The states of
 * decisions and proposals stay: they show what people agreed to.
 */
import type { Change } from "../../../model/journal/change.ts";
import { LIMITED_SHELVES } from "../../../model/journal/journal.ts";
import type { CareReads, KeptState } from "../../../ports/store/care.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";
import type { Journal, TransactionOrigin } from "../journal/journal-writer.ts";

const IS_LIMITED = `shelf in (${LIMITED_SHELVES.map((shelf) => `'${shelf}'`).join(", ")})`;

export function recordReader(
  db: Database,
): Sync<Pick<CareReads, "agedAccesses" | "agedPayloads" | "keptStates" | "keptQuestions">> {
  const accesses = db
    .prepare<
      [number, number, number],
      number
    >(`select seq from access_log where seq > ? and at < ? order by seq limit ?`)
    .pluck();
  const payloads = db
    .prepare<[object], number>(
      `
      select kept.seq from journal_payload kept cross join journal entry on entry.seq = kept.seq
      where kept.seq > @after and kept.seq <= @through and entry.at < @before and entry.${IS_LIMITED}
      order by kept.seq limit @limit`,
    )
    .pluck();
  const states = db.prepare<[number, number], KeptState>(`
    select kept.seq, entry.shelf, entry.item_id as itemId, kept.payload
    from journal_payload kept cross join journal entry on entry.seq = kept.seq
    where kept.seq > ? order by kept.seq limit ?`);
  const questions = db.prepare<[number, number], { seq: number; query: string }>(
    `select seq, query from access_log where seq > ? and query is not null order by seq limit ?`,
  );
  const length = db.prepare<[], number>(`select coalesce(max(seq), 0) from journal`).pluck();
  const timeOf = db
    .prepare<[number], number>(`select at from journal where seq <= ? order by seq desc limit 1`)
    .pluck();

  /** The last entry from before this time. Entries follow each other in time, so few of them need to be read. */
  function lastBefore(before: number): number {
    let [known, beyond] = [0, (length.get() ?? 0) + 1];
    while (beyond - known > 1) {
      const middle = Math.floor((known + beyond) / 2);
      if ((timeOf.get(middle) ?? 0) < before) known = middle;
      else beyond = middle;
    }
    return known;
  }

  return {
    keptStates: ({ after, limit }) => states.all(after, limit),
    keptQuestions: ({ after, limit }) => questions.all(after, limit),
    agedAccesses: (before, { after, limit }) => accesses.all(after, before, limit),
    agedPayloads: (before, { after, limit }) => payloads.all({ after, through: lastBefore(before), before, limit }),
  };
}

type Of<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

export function recordWriter(db: Database, log: Journal) {
  const dropAccesses = db.prepare<[string]>(`delete from access_log where seq in (select value from json_each(?))`);
  const dropPayloads = db.prepare<[string]>(`
    delete from journal_payload where seq in (
      select entry.seq from journal entry where entry.${IS_LIMITED}
        and entry.seq in (select value from json_each(?)))`);
  return {
    drop_accesses({ numbers }: Of<"drop_accesses">): null {
      dropAccesses.run(JSON.stringify(numbers));
      return null;
    },
    drop_payloads({ numbers }: Of<"drop_payloads">, transaction: TransactionOrigin): null {
      if (numbers.length === 0) return null;
      dropPayloads.run(JSON.stringify(numbers));
      log.writeDrop(Math.max(...numbers), transaction);
      return null;
    },
  };
}
