/** What a relevance means, in words: it is calibrated, so that .5 is about even odds that a hit answers. */
import { percent } from "./amounts.ts";

export const GUESS_BELOW = 0.35;

export function relevanceWord(relevance: number): string {
  if (relevance >= 0.75) return "very likely";
  if (relevance >= 0.5) return "likely";
  return relevance >= GUESS_BELOW ? "possibly" : "a guess";
}

const RANKERS: Readonly<Record<string, string>> = {
  keyword: "the same words",
  vector: "the same meaning",
  soft: "similar words",
  entity: "names in common",
  temporal: "the time",
  priority: "its priority",
  confidence: "how sure it is",
  substring: "part of a word",
  centrality: "how much refers to it",
};

/** Shares of the score, largest first, as an explanation. Adjustments may be negative. */
export function whyWords(why: Readonly<Record<string, number>>): string[] {
  return Object.entries(why)
    .filter(([, share]) => Math.abs(share) >= 0.005)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .map(
      ([ranker, share]) =>
        `${RANKERS[ranker] ?? ranker.replaceAll("_", " ")} ${share < 0 ? "−" : ""}${percent(Math.abs(share))}`,
    );
}
