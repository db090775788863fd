/** Sums of the ledger as rows, and which of its entries count towards caps. */
import type { UsageSum } from "../../../model/care/usage.ts";

export const CAPPED = `purpose <> 'embed'`;

export interface UsageSumRow extends Pick<UsageSum, "provider" | "model" | "purpose"> {
  recentInput: number;
  recentOutput: number;
  totalInput: number;
  totalOutput: number;
}

export const toUsageSum = ({ provider, model, purpose, ...sum }: UsageSumRow): UsageSum => ({
  ...{ provider, model, purpose },
  recent: { inputTokens: sum.recentInput, outputTokens: sum.recentOutput },
  total: { inputTokens: sum.totalInput, outputTokens: sum.totalOutput },
});
