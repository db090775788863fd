/** What remote providers were asked, in tokens: the ledger that caps and costs are reckoned from. */
import { DAY_MS } from "../duration.ts";

export const USAGE_PURPOSES = ["extract", "classify", "embed"] as const;
export type UsagePurpose = (typeof USAGE_PURPOSES)[number];

export interface Usage {
  id: string;
  provider: string;
  model: string;
  purpose: UsagePurpose;
  session: string;
  inputTokens: number;
  outputTokens: number;
  at: number;
}

export interface UsageCaps {
  sessionTokens: number;
  dayTokens: number;
}

export interface TokenSum {
  inputTokens: number;
  outputTokens: number;
}

export interface UsageSum extends Pick<Usage, "provider" | "model" | "purpose"> {
  /** Since the time asked for. */
  recent: TokenSum;
  total: TokenSum;
}

/** When the day of this moment began, in UTC: the same for every process. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS;
