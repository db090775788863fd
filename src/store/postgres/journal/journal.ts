/** The store's journal. */
import type { JournalReads } from "../../../ports/store/journal.ts";
import type { OpenDatabase } from "../connection/database.ts";
import { journaledIds } from "../items/id-reader.ts";
import { changeRecords, journalReader } from "./journal-reader.ts";

export function journalReads(db: OpenDatabase): JournalReads {
  const { latestCalls, chain, head, callsSince } = journalReader(db);
  return {
    journal: (query, page) => db.atOneMoment((within) => changeRecords(within, query, page)),
    latestCalls: (limit, space) => latestCalls(limit, space ?? null),
    callsSince,
    chain,
    chainHead: head,
    ...journaledIds(db),
  };
}
