/**
 * Records that are kept for a limited time: the access log, and the previous states in the journal.
 *
 * Without them the chain of the journal still verifies, because an entry says that they were dropped. The states of
 * decisions and proposals stay: they show what people agreed to.
 */
import type { Change } from "../../../model/journal/change.ts";
import { LIMITED_SHELVES } from "../../../model/journal/journal.ts";
import type { CareReads, KeptState } from "../../../ports/store/care.ts";
import type { TransactionOrigin } from "../../rows/journal/journal-link.ts";
import type { Database } from "../connection/database.ts";
import type { Journal } from "../journal/journal-writer.ts";

const IS_LIMITED = `shelf in (${LIMITED_SHELVES.map((shelf) => `'${shelf}'`).join(", ")})`;

export function recordReader(
  db: Database,
): Pick<CareReads, "agedAccesses" | "agedPayloads" | "keptStates" | "keptQuestions"> {
  const accesses = db.prepareColumn<number>(
    `select seq from access_log where seq > @after and at < @before order by seq limit @limit`,
  );
  const payloads = db.prepareColumn<number>(`
    select kept.seq from journal_payload kept join journal entry on entry.seq = kept.seq
    where kept.seq > @after and entry.at < @before and entry.${IS_LIMITED} order by kept.seq limit @limit`);
  const states = db.prepare<KeptState>(`
    select kept.seq, entry.shelf, entry.item_id as "itemId", kept.payload
    from journal_payload kept join journal entry on entry.seq = kept.seq
    where kept.seq > @after order by kept.seq limit @limit`);
  const questions = db.prepare<{ seq: number; query: string }>(
    `select seq, query from access_log where seq > @after and query is not null order by seq limit @limit`,
  );
  return {
    keptStates: (page) => states.all(page),
    keptQuestions: (page) => questions.all(page),
    agedAccesses: (before, page) => accesses.all({ before, ...page }),
    agedPayloads: (before, page) => payloads.all({ before, ...page }),
  };
}

type Of<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

export function recordWriter(db: Database, log: Journal) {
  const dropAccesses = db.prepare(`delete from access_log where seq = any (@numbers::bigint[])`);
  const dropPayloads = db.prepare(`
    delete from journal_payload where seq in (
      select entry.seq from journal entry where entry.${IS_LIMITED} and entry.seq = any (@numbers::bigint[]))`);
  return {
    async drop_accesses({ numbers }: Of<"drop_accesses">): Promise<null> {
      await dropAccesses.run({ numbers });
      return null;
    },
    async drop_payloads({ numbers }: Of<"drop_payloads">, transaction: TransactionOrigin): Promise<null> {
      if (numbers.length === 0) return null;
      await log.flush();
      await dropPayloads.run({ numbers });
      log.writeDrop(Math.max(...numbers), transaction);
      return null;
    },
  };
}
