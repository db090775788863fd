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

export function ledgerReads(db: Database): LedgerReads {
  const used = db.prepareColumn<number>(`
    select coalesce(sum(input_tokens + output_tokens), 0) from usage
    where ${CAPPED} and (@session::text is null or session = @session) and at >= @since`);
  const sums = db.prepare<UsageSumRow>(`
    select provider, model, purpose,
      coalesce(sum(input_tokens) filter (where at >= @since::bigint), 0) as "recentInput",
      coalesce(sum(output_tokens) filter (where at >= @since::bigint), 0) as "recentOutput",
      sum(input_tokens) as "totalInput", sum(output_tokens) as "totalOutput"
    from usage group by provider, model, purpose order by provider, model, purpose`);
  return {
    usedTokens: async ({ session, since = 0 }) => (await used.get({ session, since })) ?? 0,
    usage: async (since) => (await sums.all({ since })).map(toUsageSum),
  };
}

export function ledgerWriter(db: Database) {
  const note = db.prepare(`
    insert into usage (id, provider, model, purpose, session, input_tokens, output_tokens, at)
    values (@id, @provider, @model, @purpose, @session, @inputTokens, @outputTokens, @at)
    on conflict (id) do update set input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens`);
  const reads = ledgerReads(db);
  return {
    async note_usage({ usage, caps }: Extract<Change, { kind: "note_usage" }>): Promise<string | null> {
      await note.run({ ...usage });
      if (caps === undefined) return null;
      const ofSession = await reads.usedTokens({ session: usage.session });
      if (ofSession > caps.sessionTokens) return "the session's tokens are used up";
      const ofDay = await reads.usedTokens({ since: dayOf(usage.at) });
      return ofDay > caps.dayTokens ? "the day's tokens are used up" : null;
    },
  };
}
