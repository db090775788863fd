/**
 * The ledger of remote providers. Only the global store has the table; elsewhere these changes are a defect.
 *
 * A request is noted with its largest possible size before it is made, and again with its true one afterwards. So two
 * processes cannot exceed a cap together, and a request that never came back stays counted.
 */
import type { Change } from "../../../model/journal/change.ts";
import { dayOf } from "../../../model/care/usage.ts";
import type { LedgerReads } from "../../../ports/store/ledger.ts";
import { CAPPED, type UsageSumRow, toUsageSum } from "../../rows/care/usage-row.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";

export function ledgerReads(db: Database): Sync<LedgerReads> {
  const used = db
    .prepare<[object], number>(
      `
      select coalesce(sum(input_tokens + output_tokens), 0) from usage
      where ${CAPPED} and (@session is null or session = @session) and at >= @since`,
    )
    .pluck();
  const sums = db.prepare<[object], UsageSumRow>(`
    select provider, model, purpose,
      sum(iif(at >= @since, input_tokens, 0)) as recentInput, sum(iif(at >= @since, output_tokens, 0)) as recentOutput,
      sum(input_tokens) as totalInput, sum(output_tokens) as totalOutput
    from usage group by provider, model, purpose order by provider, model, purpose`);
  return {
    usedTokens: ({ session = null, since = 0 }) => used.get({ session, since }) ?? 0,
    usage: (since) => sums.all({ since }).map(toUsageSum),
  };
}

export function ledgerWriter(db: Database) {
  const note = db.prepare<[object]>(`
    insert into usage (id, provider, model, purpose, session, input_tokens, output_tokens, at)
    values (@id, @provider, @model, @purpose, @session, @inputTokens, @outputTokens, @at)
    on conflict (id) do update set input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens`);
  const reads = ledgerReads(db);
  return {
    note_usage({ usage, caps }: Extract<Change, { kind: "note_usage" }>): string | null {
      note.run(usage);
      if (caps === undefined) return null;
      if (reads.usedTokens({ session: usage.session }) > caps.sessionTokens) return "the session's tokens are used up";
      return reads.usedTokens({ since: dayOf(usage.at) }) > caps.dayTokens ? "the day's tokens are used up" : null;
    },
  };
}
