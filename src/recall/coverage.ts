/**
 * Coverage: the share of the question's information that an item's words contain.
 *
 * A rare word carries much information, and a word found nowhere carries the most.
 */
import { coveredTerms, fold, stem, stemBeginning, stems } from "../text/words.ts";

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

/**
 * Soft keywords: how well a passage matches each wordpiece of a question.
 *
 * Each piece counts by its nearest piece in the passage, weighted by its rarity, so that "car"
 * matches "automobile" and a missing rare word costs most. Squared cosines keep many loosely
 * related pieces from outweighing an exact one.
 */
const OVERLAP_SHARE = 0.2;

/** For each piece of the question, its best similarity between two positions of the passage, scaled to 0–255. */
type Meet = (start: number, end: number) => ArrayLike<number>;

/**
 * Between 0 and the sum of the weights. With `stretch`, a long passage counts by its best
 * stretch of that many pieces: real matches are close together, chance matches are not.
 */
export function maxSim(weights: readonly number[], meet: Meet, length: number, stretch = Infinity): number {
  const reach = stretch * (1 + OVERLAP_SHARE);
  if (length <= reach) return weighedSum(weights, meet(0, length));
  let best = 0;
  for (let start = 0; start < length; start += stretch) {
    best = Math.max(best, weighedSum(weights, meet(start, Math.min(length, Math.floor(start + reach)))));
  }
  return best;
}

function weighedSum(weights: readonly number[], shares: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < weights.length; index++) sum += (weights[index]! * shares[index]!) / 255;
  return sum;
}

// Ranks passages that were read one by one, without an index.
//
// A word's rarity is only known once everything was read. So reading records which words each
// passage has, and ranking follows: by the share of the question's information covered, with
// short passages before long ones, as in the keyword index.

/** A passage that contains words of the question. */
export interface Match {
  id: string;
  ordinal: number;
  characters: number;
  /** Positions of the stems it contains. */
  has: readonly number[];
}

interface RankedPassage extends Pick<Match, "id" | "ordinal"> {
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
