/** Counts calls in the journal. Rarely asked, so it scans: an index by verb would slow down every write. */
import type { JournalReads } from "../../../ports/store/journal.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";

export function callCounts(db: Database): Pick<Sync<JournalReads>, "callsSince"> {
  const since = db
    .prepare<[object], number>(
      `
    select count(distinct call) from journal where verb = @verb and call <> ''
      and seq > coalesce((select max(seq) from journal where verb = @last), 0)`,
    )
    .pluck();
  return { callsSince: (verb, last) => since.get({ verb, last })! };
}
