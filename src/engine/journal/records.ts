/** Reads all changes that match a query from the journal. */
import { setImmediate as immediate } from "node:timers/promises";
import type { ChangeRecord } from "../../model/journal/journal.ts";
import type { JournalQuery, JournalReads } from "../../ports/store/journal.ts";

export const PORTION = 500;

/** Newest first, in portions: the store works synchronously, and other work must get its turn. */
export async function* recordsOf(store: JournalReads, query: JournalQuery): AsyncGenerator<ChangeRecord> {
  for (let through = Number.MAX_SAFE_INTEGER; ; ) {
    const { records } = await store.journal({ ...query, through }, { limit: PORTION, offset: 0 });
    yield* records;
    if (records.length < PORTION) return;
    through = records.at(-1)!.seq - 1;
    await immediate();
  }
}
