/**
 * Relevance: how likely an item answers the question, on an absolute scale. At .5 the odds are about even.
 *
 * A score only orders one answer, and even nonsense has a best hit. Relevance is a logistic function of the signals
 * behind the score, with coefficients fitted for each kind of item. It then follows the order of the scores, so that
 * no hit seems more relevant than a better one of its kind.
 */
import type { Hit } from "./hit.ts";
import type { Kind } from "./ranking.ts";

/**
 * Coefficients of relevance, fitted by logistic regression on the question sets of `bench/quality`, with questions that
 * no item answers among them: `npm run bench:calibrate`.
 */
interface Coefficients {
  bias: number;
  cosine: number;
  words: number;
  match: number;
  /** Of the cosine times the share of the question that exact words cover. */
  overlap: number;
}

/** An item without a vector is judged by its other signals. */
interface Calibration {
  withVector: Coefficients;
  withoutVector: Coefficients;
}

type Row = readonly [bias: number, cosine: number, words: number, match: number, overlap?: number];

const coefficients = ([bias, cosine, words, match, overlap = 0]: Row): Coefficients => ({
  bias,
  cosine,
  words,
  match,
  overlap,
});

const calibration = (withVector: Row, withoutVector: Row): Calibration => ({
  withVector: coefficients(withVector),
  withoutVector: coefficients(withoutVector),
});

/** `byMatch` is for the kind's own recipe; for others a share of the highest score means something else. */
export const CALIBRATIONS: Readonly<Record<Kind, { byMatch: Calibration; bySignals: Calibration }>> = {
  memory: {
    byMatch: calibration([-6.6, 13.1, 5.8, 0, -6.7], [-3.9, 0, 8.7, 0]),
    bySignals: calibration([-6.6, 13.1, 5.8, 0, -6.7], [-3.9, 0, 8.7, 0]),
  },
  conversation: {
    byMatch: calibration([-10, 3.1, 2.1, 8.2], [-8.7, 0, 3, 7.6]),
    bySignals: calibration([-5.6, 5.6, 4.3, 0], [-4, 0, 5.7, 0]),
  },
  session: {
    byMatch: calibration([-11.7, 4.6, 0.9, 9], [-9.1, 0, 1.6, 7.6]),
    bySignals: calibration([-6.5, 6.7, 2.7, 0], [-4, 0, 3.4, 0]),
  },
  prose: {
    byMatch: calibration([-12.1, 5, 1.5, 8.7], [-9.5, 0, 3.9, 7.4]),
    bySignals: calibration([-7.9, 7.8, 4.2, 0], [-5, 0, 6.6, 0]),
  },
  code: {
    byMatch: calibration([-16.1, 6.7, 1.1, 10.5], [-8.4, 0, 1.7, 6.3]),
    bySignals: calibration([-9.9, 10.4, 2.3, 0], [-4.6, 0, 3.6, 0]),
  },
  report: {
    byMatch: calibration([-11.8, 9.9, 0, 6], [-5.4, 0, 0, 3.4]),
    bySignals: calibration([-7.5, 9.3, 0, 0], [-3.3, 0, 0, 0]),
  },
};

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

/**
 * Merges two lists: hits ordered by rankers, and hits that only have a relevance.
 *
 * Both keep their order; of the two next hits, the more relevant one goes first. A score only
 * orders one answer, so a hit without one gets a score that fits its position.
 */
export function mergeHits(ordered: readonly Hit[], others: readonly Hit[], limit: number): Hit[] {
  const merged: Hit[] = [];
  let [next, other] = [0, 0];
  while (merged.length < limit && (next < ordered.length || other < others.length)) {
    const [a, b] = [ordered[next], others[other]];
    if (a && (!b || a.relevance >= b.relevance)) {
      merged.push(a);
      next += 1;
    } else if (b) {
      merged.push({ ...b, score: a?.score ?? tailScore(b, merged.at(-1)) });
      other += 1;
    }
  }
  return merged;
}

/** After the last hit with a score, scores fall in proportion to relevance. */
function tailScore({ relevance }: Hit, before: Hit | undefined): number {
  if (!before) return 1;
  const share = before.relevance > 0 ? Math.min(1, relevance / before.relevance) : 1;
  return Math.round(before.score * share * 10_000) / 10_000;
}
