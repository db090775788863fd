/**
 * Fuses the scores of all rankers into one, weighted by a recipe.
 *
 * A candidate gets nothing from a ranker that did not score it. Ties break by key: equal input, equal output.
 */
import { RANK_DAMPING, type Ranker, RANKERS, type Recipe } from "./ranking.ts";
import type { Candidate, Scores } from "./search.ts";

/**
 * Scales scores to 0–1, so that they can be summed and compared. All scaling happens here.
 *
 * BM25 is unbounded and cosine is not, so in a plain sum one ranker would outweigh the other. Either each ranker's
 * scores are scaled among the candidates, or only positions count. The sums of different kinds of items are scaled once
 * more, because their recipes have different weights.
 */
type Scale = (score: number) => number;

/** Rankers that need a vector. */
const COSINES: readonly Ranker[] = ["vector", "gist"];
/** Cosines of texts with the same meaning differ by this much. */
const LEAST_COSINE_SPAN = 0.1;
/** Lower bound for a kind's best cosine, so that dissimilar kinds compare sensibly. */
const LEAST_COSINE = 0.05;

/**
 * Scales scores linearly between the smallest and the largest of these to 0–1; 1 if all are equal. If they differ by
 * less than `leastSpan`, the difference means little and is not stretched to the full range.
 */
export function scaleWithin(scores: readonly number[], leastSpan = 0): Scale {
  const high = scores.reduce((most, score) => Math.max(most, score), -Infinity);
  const low = scores.reduce((least, score) => Math.min(least, score), Infinity);
  const span = Math.max(high - low, leastSpan);
  return (score) => (span > 0 ? 1 - (high - score) / span : 1);
}

/** How the scores of a ranker count in a sum; `scores` are all of its scores. */
export function scaleOf(ranker: Ranker, scores: readonly number[], recipe: Recipe): Scale {
  if (recipe.method === "ranked") return scaleByPosition(scores, recipe.damping ?? RANK_DAMPING);
  const isAlone = scores.every((score) => score === scores[0]);
  // If all are equal, a cosine still shows how similar they are; other scores show only that they were found.
  if (recipe.squared?.includes(ranker)) return (score) => clamped(score) ** 2;
  if (recipe.absolute.includes(ranker) || (isAlone && ranker === "vector")) return clamped;
  return scaleWithin(scores, COSINES.includes(ranker) ? LEAST_COSINE_SPAN : 0);
}

const clamped: Scale = (score) => Math.min(1, Math.max(0, score));

/** Equal scores share a position, so a property of many candidates, such as a name, does not order them. */
function scaleByPosition(scores: readonly number[], damping: number): Scale {
  const positions = new Map<number, number>();
  for (const [index, score] of scores.toSorted((one, two) => two - one).entries())
    if (!positions.has(score)) positions.set(score, index + 1);
  return (score) => 1 / (damping + positions.get(score)!);
}

/** Candidates of one kind of item. */
export interface FusedKind<Where = unknown> {
  recipe: Recipe;
  /** All candidates found. */
  found: readonly Candidate<Where>[];
  /** Those with a score by the recipe. */
  fused: readonly Candidate<Where>[];
}

/** The candidates of each kind, with scores that are comparable between kinds. */
export function scaleKinds<Where>(kinds: readonly FusedKind<Where>[]): Candidate<Where>[][] {
  const levels = levelsOf(kinds);
  return kinds.map(({ recipe, fused }, index) => {
    const possible = possibleScore(recipe, fused);
    const matches = fused.map((candidate) => candidate.score / possible(candidate));
    // Some recipes sum scores as they are and rarely come near the highest possible one.
    const best = matches.reduce((most, match) => Math.max(most, match), 0) || 1;
    return fused.map((candidate, place) => {
      const match = matches[place]!;
      return { ...candidate, match, score: (match / best) * levels[index]! };
    });
  });
}

/** The highest possible score. Without a vector only the other rankers count: the similarity is unknown, not 0. */
function possibleScore(recipe: Recipe, candidates: readonly Candidate[]): (candidate: Candidate) => number {
  const given = RANKERS.filter((ranker) => candidates.some(({ why }) => ranker in why));
  const weigh = (rankers: readonly Ranker[]) => rankers.reduce((sum, ranker) => sum + (recipe.weights[ranker] ?? 0), 0);
  const [whole, withoutVector] = [weigh(given), weigh(given.filter((ranker) => !COSINES.includes(ranker)))];
  return ({ cosine }) => (cosine === null ? withoutVector : whole) || whole || 1;
}

/** The best of a dissimilar kind must not rank next to the best of a similar one. */
function levelsOf(kinds: readonly FusedKind[]): number[] {
  const cosines = kinds.map(({ found }) => largest(found.map(({ cosine }) => cosine)));
  const words = kinds.map(({ found }) => largest(found.map(({ scores }) => scores.keyword ?? null)) ?? 0);
  const nearest = Math.max(LEAST_COSINE, ...cosines.map((cosine) => cosine ?? 0));
  const mostWords = Math.max(0, ...words);
  // Cosines and keyword scores do not compare: if one kind has no vectors, all are levelled by words.
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

/** Expects the best first, whose score becomes 1. */
export function scaleToBest<Where>(candidates: readonly Candidate<Where>[]): Candidate<Where>[] {
  const best = candidates[0]?.score ?? 0;
  return candidates.map((candidate) => ({ ...candidate, score: best > 0 ? candidate.score / best : 0 }));
}

/** Best first, without candidates that no weighted ranker has scored. */
export function fuse<Where>(candidates: readonly Candidate<Where>[], recipe: Recipe): Candidate<Where>[] {
  const scales = scalesFor(candidates, recipe);
  return candidates
    .map((candidate) => fused(candidate, recipe, scales))
    .filter(({ why }) => Object.keys(why).length > 0)
    .sort(byScore);
}

export function byScore(a: Pick<Candidate, "key" | "score">, b: Pick<Candidate, "key" | "score">): number {
  return b.score - a.score || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

function scalesFor(candidates: readonly Candidate[], recipe: Recipe): Map<Ranker, Scale> {
  const weighed = RANKERS.filter((ranker) => recipe.weights[ranker]);
  return new Map(
    weighed.map((ranker) => {
      const scores = candidates.map(({ scores: own }) => own[ranker]).filter((score) => score !== undefined);
      return [ranker, scaleOf(ranker, scores, recipe)];
    }),
  );
}

function fused<Where>(
  candidate: Candidate<Where>,
  { weights }: Recipe,
  scales: ReadonlyMap<Ranker, Scale>,
): Candidate<Where> {
  const why: Scores = {};
  let score = 0;
  for (const [name, own] of Object.entries(candidate.scores)) {
    const ranker = name as Ranker;
    const scale = scales.get(ranker);
    if (!scale) continue;
    const part = weights[ranker]! * scale(own);
    why[ranker] = part;
    score += part;
  }
  return { ...candidate, score, why };
}

/** Sums the passages found (best first) by item: each further one adds less. The best one represents the item. */
export function sumByItem<Passage extends { itemId: string; score: number }>(passages: readonly Passage[]): Passage[] {
  const sums = new Map<string, { best: Passage; score: number; count: number }>();
  for (const best of passages) {
    const sum = sums.get(best.itemId) ?? { best, score: 0, count: 0 };
    sum.count += 1;
    sum.score += best.score / sum.count;
    sums.set(best.itemId, sum);
  }
  return [...sums.values()].map(({ best, score }) => ({ ...best, score }));
}

/**
 * Each ranker's rounded share of the score, for people: {keyword: 0.6, vector: 0.4}. If a candidate is last with every
 * ranker, all shares are 0; then the rankers that scored it get equal shares.
 */
export function sharesOf(why: Scores): Record<string, number> {
  const total = Object.values(why).reduce((sum, share) => sum + share, 0);
  const parts = Object.entries(why).filter(([, share]) => share > 0 || total === 0);
  const share = (given: number) => (total === 0 ? 1 / parts.length : given / total);
  return Object.fromEntries(parts.map(([ranker, given]) => [ranker, Math.round(share(given) * 1000) / 1000]));
}
