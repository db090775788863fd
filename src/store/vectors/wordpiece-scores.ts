/**
 * Scores of passages by wordpieces: how much of a question each covers, similar pieces included.
 *
 * Passages are tokenized and their wordpieces counted when they are written, so neither a model nor a tokenizer is
 * needed here.
 */
import { inverseFrequency, maxSim } from "../../recall/coverage.ts";
import type { WordpieceOverlap, WordpieceQuery } from "../../recall/search.ts";
import type { Scored } from "../page-plan.ts";
import { type Meet, type TokenVectors, vectorsOf } from "./token-vectors.ts";

/** As many passages as can be compared in a few milliseconds. */
export const SOUGHT_PASSAGES = 2_000;
/** Passages that cover less of a question than this have no more in common with it than any text. */
const LEAST_COVERED = 0.1;
/** A longer question is reduced to its rarest pieces. */
const WEIGHED_PIECES = 64;

/** In how many passages each wanted piece occurs, and how many passages there are. */
interface PieceCounts {
  frequency: ReadonlyMap<number, number>;
  total: number;
}

function weighed(pieces: readonly number[], { frequency, total }: PieceCounts): { piece: number; weight: number }[] {
  const weights = [...new Set(pieces)].map((piece) => ({
    piece,
    weight: inverseFrequency(frequency.get(piece) ?? 0, total),
  }));
  return weights.sort((a, b) => b.weight - a.weight).slice(0, WEIGHED_PIECES);
}

/** How much of the question each passage covers, between 0 and 1; `stored` has the pieces of those that have any. */
export function coverageScores(
  query: WordpieceQuery,
  counts: PieceCounts,
  passages: readonly number[],
  stored: ReadonlyMap<number, Uint16Array>,
): number[] {
  const wanted = weighed(query.pieces, counts);
  const weights = wanted.map(({ weight }) => weight);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const meet = comparing(
    wanted.map(({ piece }) => piece),
    [...stored.values()],
  );
  const met = new Map<number, number>();
  for (const [index, [passage, { length }]] of [...stored].entries()) {
    const within = (start: number, end: number) => meet(index, start, end);
    met.set(passage, maxSim(weights, within, length, query.stretchPieces) / whole);
  }
  return passages.map((passage) => met.get(passage) ?? 0);
}

/** Those that have something in common with the question, best first. */
export function bestCovering(scores: readonly number[], passages: readonly number[]): Scored[] {
  return scores
    .map((score, index) => ({ passage: passages[index]!, score }))
    .filter(({ score }) => score >= LEAST_COVERED)
    .sort((a, b) => b.score - a.score || b.passage - a.passage);
}

function comparing(wanted: readonly number[], passages: readonly Uint16Array[]): Meet {
  const { vectors, numberOf, isWhole } = vectorsOf([wanted, ...passages]);
  if (isWhole) return vectors.compare(wanted, passages);
  return vectors.compare(
    wanted.map(numberOf),
    passages.map((passage) => passage.map(numberOf)),
  );
}

export function wordpieceOverlap(
  pieces: readonly number[],
  others: readonly (readonly number[])[],
): WordpieceOverlap[] {
  const { vectors, numberOf } = vectorsOf([pieces, ...others]);
  const distinct = (some: readonly number[]): number[] => [...new Set(some)].map(numberOf);
  const [own, texts] = [distinct(pieces), others.map(distinct)];
  return texts.map((other) => ({ own: coverage(own, other, vectors), other: coverage(other, own, vectors) }));
}

/** The mean nearness of the nearest piece. */
function coverage(wanted: readonly number[], by: readonly number[], vectors: TokenVectors): number {
  if (wanted.length === 0 || by.length === 0) return 0;
  const meet = vectors.compare(wanted, [Uint16Array.from(by)]);
  const weights = wanted.map(() => 1 / wanted.length);
  return maxSim(weights, (start, end) => meet(0, start, end), by.length);
}
