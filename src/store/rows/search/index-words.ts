/**
 * The words of a passage as FTS5 counts them, for a database that has no FTS5: divided like `unicode61`, folded and
 * stemmed, each weighed by the columns it is in.
 *
 * A store that keeps these and ranks by BM25 orders passages as FTS5 does.
 */
import type { IndexedText } from "../../../model/memory/shelf.ts";
import { isAscii } from "../../../logic/text/ascii.ts";
import { stem } from "../../../logic/text/stem.ts";
import { fold } from "../../../logic/text/words.ts";

/** In the order of the columns, which is the order in which FTS5 adds them up. */
const WEIGHTS: readonly (readonly [keyof IndexedText, number])[] = [
  ["title", 1.5],
  ["text", 1],
  ["tags", 1.2],
  ["split", 0.6],
  ["cjk", 1],
];

/** The stemmed words of a text, in order. */
export function indexTokens(text: string): string[] {
  return (tokensIn(text) ?? []).map((word) => stem(fold(word)));
}

function tokensIn(text: string): string[] | null {
  if (isAscii(text)) return text.match(/[A-Za-z0-9]+/g);
  // A combining mark may continue a word but not begin one; other marks end it. Slow to build, so not before it is needed.
  return text.match(/[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\u0300-\u0331]*/gu);
}

export interface PassageWords {
  /** How many words there are, in all columns together. */
  count: number;
  /** How much each distinct word counts. */
  weights: Map<string, number>;
}

export function passageWords(columns: IndexedText): PassageWords {
  const weights = new Map<string, number>();
  let count = 0;
  for (const [column, weight] of WEIGHTS) {
    for (const token of indexTokens(columns[column])) {
      count += 1;
      weights.set(token, (weights.get(token) ?? 0) + weight);
    }
  }
  return { count, weights };
}

/** How often these words follow each other in a passage, weighed by columns. */
export function phraseWeight(columns: IndexedText, phrase: readonly string[]): number {
  let found = 0;
  for (const [column, weight] of WEIGHTS) {
    const tokens = indexTokens(columns[column]);
    for (let start = 0; start + phrase.length <= tokens.length; start += 1)
      if (phrase.every((token, index) => tokens[start + index] === token)) found += weight;
  }
  return found;
}

/** The parameters of BM25 that FTS5 uses. */
export const BM25 = { k1: 1.2, b: 0.75 } as const;

/** A word in more than half of the passages still counts for something. */
const LEAST_RARITY = 1e-6;

export function rarityOf(frequency: number, total: number): number {
  const rarity = Math.log((total - frequency + 0.5) / (frequency + 0.5));
  return rarity <= 0 ? LEAST_RARITY : rarity;
}
