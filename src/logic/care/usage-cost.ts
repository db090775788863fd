/** What tokens cost, by the prices in the settings. Those are of one model, so others have no cost that is known. */
import type { TokenSum, UsageSum } from "../../model/care/usage.ts";

export interface Prices {
  provider: string;
  model?: string | undefined;
  /** Of a million tokens. */
  inputPrice?: number | undefined;
  outputPrice?: number | undefined;
}

const PRICED_TOKENS = 1_000_000;

/** Null if it is not known. */
export function costOf(
  sum: TokenSum,
  of: Pick<UsageSum, "provider" | "model" | "purpose">,
  prices: Prices,
): number | null {
  const { provider, model, inputPrice, outputPrice } = prices;
  const isPriced = of.provider === provider && of.model === model && of.purpose !== "embed";
  if (!isPriced || inputPrice === undefined || outputPrice === undefined) return null;
  return (sum.inputTokens * inputPrice + sum.outputTokens * outputPrice) / PRICED_TOKENS;
}
