/**
 * Ranks passages that were read one by one, without an index.
 *
 * A word's rarity is only known once everything was read. So reading records which words each
 * passage has, and ranking follows: by the share of the question's information covered, with
 * short passages before long ones, as in the keyword index.
 */
import { type WordStatistics, inverseFrequency } from "./coverage.ts";

/** A passage that contains words of the question. */
export interface Match {
  id: string;
  ordinal: number;
  characters: number;
  /** Positions of the stems it contains. */
  has: readonly number[];
}

export interface RankedPassage extends Pick<Match, "id" | "ordinal"> {
  covered: number;
}

/** Totals and matches of the passages that were read. */
export interface Readings {
  passages: number;
  characters: number;
  matches: readonly Match[];
}

/** The usual constants of BM25, with each word counted once. */
const [SATURATION, LENGTH_SHARE] = [1.2, 0.75];

/** The best passage of each item, best first; `known` has the index's statistics of the same words. */
export function rankPassages(
  stems: readonly string[],
  { passages, characters, matches }: Readings,
  known: WordStatistics,
): RankedPassage[] {
  const frequencies = stems.map((stem) => known.frequency.get(stem) ?? 0);
  for (const { has } of matches) for (const position of has) frequencies[position]! += 1;
  const worths = frequencies.map((frequency) => inverseFrequency(frequency, known.total + passages));
  const whole = worths.reduce((sum, worth) => sum + worth, 0);
  const average = passages > 0 ? characters / passages : 1;
  const best = new Map<string, RankedPassage & { score: number }>();
  for (const { id, ordinal, characters: length, has } of matches) {
    const covered = has.reduce((sum, position) => sum + worths[position]!, 0) / whole;
    const score = covered / (1 + SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / average));
    if (score > (best.get(id)?.score ?? 0)) best.set(id, { id, ordinal, covered, score });
  }
  return [...best.values()]
    .sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
    .map(({ id, ordinal, covered }) => ({ id, ordinal, covered }));
}
