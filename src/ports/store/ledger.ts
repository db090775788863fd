/** Reads the ledger of remote providers. Only the global store has it, because caps hold in all projects. */
import type { UsageSum } from "../../model/care/usage.ts";

export interface LedgerReads {
  /** Tokens in and out, of language models only: caps are theirs. */
  usedTokens(of: { session?: string; since?: number }): Promise<number>;
  /** By provider, model and purpose. */
  usage(since: number): Promise<UsageSum[]>;
}
