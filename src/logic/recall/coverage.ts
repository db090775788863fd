/**
 * Coverage: the share of the question's information that an item's words contain.
 *
 * A rare word carries much information, and a word found nowhere carries the most.
 */
import { stem, stemBeginning } from "../text/stem.ts";
import { coveredTerms, fold, stems } from "../text/words.ts";

export interface WordStatistics {
  total: number;
  frequency: ReadonlyMap<string, number>;
}

export function inverseFrequency(frequency: number, total: number): number {
  return Math.log(1 + (Math.max(0, total - frequency) + 0.5) / (frequency + 0.5));
}

/** The stems whose coverage counts. */
export function coverageStems(query: string): string[] {
  return [...new Set(coveredTerms(query).map(stem))];
}

export function coverage(wanted: readonly string[], text: string, statistics: WordStatistics): number {
  // Stemming is expensive, and most words of a text begin like none of the wanted ones.
  const beginnings = wanted.map(stemBeginning);
  const present = stems(text, (word) => beginnings.some((beginning) => word.startsWith(beginning)));
  let covered = 0;
  let whole = 0;
  for (const word of wanted) {
    const worth = inverseFrequency(statistics.frequency.get(word) ?? 0, statistics.total);
    whole += worth;
    if (present.has(word)) covered += worth;
  }
  return whole === 0 ? 0 : covered / whole;
}

/**
 * Positions of the wanted stems that a text contains. A word begins with its stem, except for the stem's last letter,
 * so most texts are ruled out without stemming, and in the others only words that begin like that are stemmed.
 */
export function presentStems(wanted: readonly string[], text: string): number[] {
  const folded = fold(text);
  const beginnings = wanted.map((word) => word.slice(0, -1)).filter((beginning) => folded.includes(beginning));
  if (beginnings.length === 0) return [];
  const found = stems(text, (word) => beginnings.some((beginning) => word.startsWith(beginning)));
  return wanted.flatMap((word, position) => (found.has(word) ? [position] : []));
}
