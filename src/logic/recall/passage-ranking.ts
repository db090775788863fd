/**
 * Ranks passages that were read through rather than looked up.
 *
 * How telling a word is shows only when everything was read, so reading notes which words each
 * passage has, and the order is made afterwards: by the share of the question's information,
 * short passages before long ones, as the keyword index would.
 */
import { type WordStatistics, inverseFrequency } from "./relevance.ts";

/** A passage that has words of the question. */
export interface Match {
  id: string;
  ordinal: number;
  characters: number;
  /** Positions of the stems that it has. */
  has: readonly number[];
}

export interface RankedPassage extends Pick<Match, "id" | "ordinal"> {
  covered: number;
}

/** How much is known of the passages that were read. */
export interface Readings {
  passages: number;
  characters: number;
  matches: readonly Match[];
}

/** BM25's own constants, for words that count once. */
const [SATURATION, LENGTH_SHARE] = [1.2, 0.75];

/** Best first, of each item the best passage; `known` is what the index says of the same words. */
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
