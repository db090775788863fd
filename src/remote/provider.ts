/**
 * Remote providers: which there are, and which addresses they may be reached at.
 *
 * Texts and a key travel to such an address, so it must be encrypted; only this computer may be reached without.
 */
import type { Shelf } from "../memory/shelves.ts";
import { DAY_MS } from "../time/calendar.ts";

export const LLM_PROVIDERS = ["gemini", "openai", "anthropic"] as const;
export type LlmProvider = (typeof LLM_PROVIDERS)[number];

export const LOCAL_EMBEDDERS = ["minilm", "none", "hash"] as const;
export const REMOTE_EMBEDDERS = ["gemini", "openai", "ollama"] as const;
export type RemoteEmbedderName = (typeof REMOTE_EMBEDDERS)[number];

export const REMOTE_PREFIX = "remote:";

/** Code and evidence are embedded on this computer only, so they never even wait for a remote embedder. */
const SENT_SHELVES: readonly Shelf[] = ["memory", "decision", "proposal", "document"];
export const mayEmbed = (embedder: string, shelf: Shelf): boolean =>
  !embedder.startsWith(REMOTE_PREFIX) || SENT_SHELVES.includes(shelf);

/** The variable that holds the key unless the settings name another. */
export const KEY_VARIABLES: Readonly<Record<LlmProvider, string>> = {
  gemini: "GEMINI_API_KEY",
  openai: "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
};

/** Whether a host of this name is this computer. */
export const isLoopback = (hostname: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** What is wrong with an address, or null. It is not quoted: somebody may have put a key into it. */
export function addressFault(address: string): string | null {
  const url = URL.parse(address);
  if (url === null) return "is not a URL";
  if (url.username !== "" || url.password !== "") return "must not contain a name or password";
  if (url.search !== "" || url.hash !== "") return "must end with its path";
  if (url.protocol === "https:") return null;
  if (url.protocol !== "http:") return "must begin with https://";
  return isLoopback(url.hostname) ? null : "must begin with https://, unless it is on this computer";
}

/** What remote providers were asked, in tokens: the ledger that caps and costs are reckoned from. */
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

/** What tokens cost, by the prices in the settings. Those are of one model, so others have no cost that is known. */
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
