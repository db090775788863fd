/**
 * The ledger of remote providers. Only the global store has the table; elsewhere these changes are a defect.
 *
 * A request is noted with its largest possible size before it is made, and again with its true one afterwards. So two
 * processes cannot exceed a cap together, and a request that never came back stays counted.
 */
import { dayOf, type UsageSum } from "../remote/provider.ts";
import { allOf, type Room, rowsAs, send, sql, value, type Writers } from "./sql.ts";
import type { LedgerReads } from "./store.ts";

interface SumRow extends Pick<UsageSum, "provider" | "model" | "purpose"> {
  recentInput: number;
  recentOutput: number;
  totalInput: number;
  totalOutput: number;
}

const toSum = ({ provider, model, purpose, ...sum }: SumRow): UsageSum => ({
  provider,
  model,
  purpose,
  recent: { inputTokens: sum.recentInput, outputTokens: sum.recentOutput },
  total: { inputTokens: sum.totalInput, outputTokens: sum.totalOutput },
});

/** Caps are those of language models: embedding does not count. */
const usedTokens = ({ session, since = 0 }: { session?: string; since?: number }) =>
  value<number>(sql`
    select coalesce(sum(input_tokens + output_tokens), 0) from usage
    where ${allOf([sql`purpose <> 'embed' and at >= ${since}`, session !== undefined && sql`session = ${session}`])}`);

export const ledgerReads: Room<LedgerReads> = {
  usage: (since) =>
    rowsAs(
      toSum,
      sql`select provider, model, purpose,
        coalesce(sum(input_tokens) filter (where at >= ${since}), 0) as "recentInput",
        coalesce(sum(output_tokens) filter (where at >= ${since}), 0) as "recentOutput",
        sum(input_tokens) as "totalInput", sum(output_tokens) as "totalOutput"
      from usage group by provider, model, purpose order by provider, model, purpose`,
    ),
};

export const ledgerWriters: Writers<"note_usage"> = {
  *note_usage({ usage: { id, provider, model, purpose, session, inputTokens, outputTokens, at }, caps }) {
    yield* send(sql`
      insert into usage (id, provider, model, purpose, session, input_tokens, output_tokens, at)
      values (${id}, ${provider}, ${model}, ${purpose}, ${session}, ${inputTokens}, ${outputTokens}, ${at})
      on conflict (id) do update set input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens`);
    if (caps === undefined) return null;
    const ofSession = (yield* usedTokens({ session })) ?? 0;
    if (ofSession > caps.sessionTokens) return "the session's tokens are used up";
    const ofDay = (yield* usedTokens({ since: dayOf(at) })) ?? 0;
    return ofDay > caps.dayTokens ? "the day's tokens are used up" : null;
  },
};
