/**
 * Scaling: the one place where scores are brought to 0–1, so that they can be summed and compared.
 *
 * BM25 is unbounded and cosine is not, so a plain sum would let one ranker drown the other. Either each ranker's scores
 * are scaled among the candidates, or only positions count. Sums of different kinds of things are scaled once more,
 * because their recipes weigh differently.
 */
import type { Candidate } from "../../model/recall/candidate.ts";
import { RANKERS, type Ranker } from "../../model/recall/ranking.ts";
import { RANK_DAMPING, type Recipe } from "./recipes.ts";

export type Scale = (score: number) => number;

/** Only a vector can tell these. */
const COSINES: readonly Ranker[] = ["vector", "gist"];
/** Cosines of texts that say the same differ by as much. */
const LEAST_COSINE_SPAN = 0.1;
/** A kind that points away from the question is not nearer than one that is barely near. */
const LEAST_COSINE = 0.05;

/**
 * Brings scores to 0–1 by where they lie between the least and the largest of these; 1 where all are equal. Where they
 * lie within `leastSpan`, the difference between them says little and is not stretched to the whole.
 */
export function scaleWithin(scores: readonly number[], leastSpan = 0): Scale {
  const high = scores.reduce((most, score) => Math.max(most, score), -Infinity);
  const low = scores.reduce((least, score) => Math.min(least, score), Infinity);
  const span = Math.max(high - low, leastSpan);
  return (score) => (span > 0 ? 1 - (high - score) / span : 1);
}

/** How a ranker's scores, which are given in full, count in a sum. */
export function scaleOf(ranker: Ranker, scores: readonly number[], recipe: Recipe): Scale {
  if (recipe.method === "ranked") return scaleByPosition(scores, recipe.damping ?? RANK_DAMPING);
  const isAlone = scores.every((score) => score === scores[0]);
  // All alike: a cosine still says how near they are, other scores say only that they were found.
  if (recipe.absolute.includes(ranker) || (isAlone && ranker === "vector")) return clamped;
  return scaleWithin(scores, COSINES.includes(ranker) ? LEAST_COSINE_SPAN : 0);
}

const clamped: Scale = (score) => Math.min(1, Math.max(0, score));

/** Equal scores share a position: what many have, such as a name, sets none of them before another. */
function scaleByPosition(scores: readonly number[], damping: number): Scale {
  const positions = new Map<number, number>();
  for (const [index, score] of scores.toSorted((one, two) => two - one).entries())
    if (!positions.has(score)) positions.set(score, index + 1);
  return (score) => 1 / (damping + positions.get(score)!);
}

/** Candidates of one kind of thing. */
export interface FusedKind<Where = unknown> {
  recipe: Recipe;
  /** All that were found. */
  found: readonly Candidate<Where>[];
  /** Those that the recipe gives a score. */
  fused: readonly Candidate<Where>[];
}

/** The candidates of each kind, with scores that compare between kinds. */
export function scaleKinds<Where>(kinds: readonly FusedKind<Where>[]): Candidate<Where>[][] {
  const levels = levelsOf(kinds);
  return kinds.map(({ recipe, fused }, index) => {
    const possible = possibleScore(recipe, fused);
    return fused.map((candidate) => ({
      ...candidate,
      score: (candidate.score / possible(candidate)) * levels[index]!,
    }));
  });
}

/** The best score there can be. A candidate without a vector is measured by the rest: its meaning is unknown, not far. */
function possibleScore(recipe: Recipe, candidates: readonly Candidate[]): (candidate: Candidate) => number {
  const given = RANKERS.filter((ranker) => candidates.some(({ why }) => ranker in why));
  const weigh = (rankers: readonly Ranker[]) => rankers.reduce((sum, ranker) => sum + (recipe.weights[ranker] ?? 0), 0);
  const [whole, withoutVector] = [weigh(given), weigh(given.filter((ranker) => !COSINES.includes(ranker)))];
  return ({ cosine }) => (cosine === null ? withoutVector : whole) || whole || 1;
}

/** The best of a kind that is far off must not stand beside the best of one that is near. */
function levelsOf(kinds: readonly FusedKind[]): number[] {
  const cosines = kinds.map(({ found }) => largest(found.map(({ cosine }) => cosine)));
  const words = kinds.map(({ found }) => largest(found.map(({ scores }) => scores.keyword ?? null)) ?? 0);
  const nearest = Math.max(LEAST_COSINE, ...cosines.map((cosine) => cosine ?? 0));
  const mostWords = Math.max(0, ...words);
  // Cosines and words do not compare: where one kind has no vectors, all are levelled by words.
  const isByMeaning = kinds.every(({ fused }, index) => cosines[index] !== null || fused.length === 0);
  return kinds.map((_, index) => {
    if (isByMeaning) return Math.max(LEAST_COSINE, cosines[index] ?? 0) / nearest;
    return mostWords > 0 ? words[index]! / mostWords : 1;
  });
}

function largest(scores: readonly (number | null)[]): number | null {
  const known = scores.filter((score) => score !== null);
  return known.length > 0 ? Math.max(...known) : null;
}

/** Best first: the best is 1. */
export function scaleToBest<Where>(candidates: readonly Candidate<Where>[]): Candidate<Where>[] {
  const best = candidates[0]?.score ?? 0;
  return candidates.map((candidate) => ({ ...candidate, score: best > 0 ? candidate.score / best : 0 }));
}
