/**
 * Relevance: how likely an item answers the question, on an absolute scale. At .5 the odds are about even.
 *
 * A score only orders one answer, and even nonsense has a best hit. Relevance is a logistic function of the signals
 * behind the score, with coefficients fitted for each kind of item. It then follows the order of the scores, so that
 * no hit seems more relevant than a better one of its kind.
 */
import type { Kind } from "../../model/recall/ranking.ts";
import { CALIBRATIONS, type Coefficients } from "./calibrations.ts";

export interface RelevanceSignals {
  /** Null if the item has no vector. */
  cosine: number | null;
  /** The share of the question that its words cover, similar words included. */
  words: number;
  /** The same without similar words. */
  exactWords: number;
  /** Its share of the highest possible score; null where the recipe is not the kind's own or uses one channel only. */
  match: number | null;
}

export function relevance(kind: Kind, { cosine, words, exactWords, match }: RelevanceSignals): number {
  const calibration = CALIBRATIONS[kind][match === null ? "bySignals" : "byMatch"];
  const own: Coefficients = cosine === null ? calibration.withoutVector : calibration.withVector;
  const near = cosine ?? 0;
  // Squared, because a low coverage is mostly chance. A cosine that shared words explain proves less: a question about
  // something near what is known shares its words too.
  const sum =
    own.bias + own.cosine * near + own.words * words ** 2 + own.match * (match ?? 0) + own.overlap * near * exactWords;
  return 1 / (1 + Math.exp(-sum));
}

/**
 * Makes values fall along their order, by pooling neighbours that do not into their mean (isotonic regression): what
 * is said of all hits together stays the same.
 */
export function falling(values: readonly number[]): number[] {
  const pools: { sum: number; count: number }[] = [];
  for (const value of values) {
    let pool = { sum: value, count: 1 };
    for (let last = pools.at(-1); last && mean(last) < mean(pool); last = pools.at(-1)) {
      pools.pop();
      pool = { sum: pool.sum + last.sum, count: pool.count + last.count };
    }
    pools.push(pool);
  }
  return pools.flatMap((pool) => Array<number>(pool.count).fill(mean(pool)));
}

/** Pools only within blocks of a fixed size, so that a value does not depend on how many follow its block. */
export function fallingByBlocks(values: readonly number[], size: number): number[] {
  const blocks: number[][] = [];
  for (let start = 0; start < values.length; start += size) {
    const most = blocks.at(-1)?.at(-1) ?? 1;
    blocks.push(falling(values.slice(start, start + size)).map((value) => Math.min(most, value)));
  }
  return blocks.flat();
}

const mean = ({ sum, count }: { sum: number; count: number }): number => sum / count;
