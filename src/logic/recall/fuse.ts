/**
 * Fuses the scores of all rankers into one, weighted by a recipe.
 *
 * A candidate gets nothing from a ranker that did not score it. Ties break by key: equal input, equal output.
 */
import type { Candidate, Scores } from "../../model/recall/candidate.ts";
import { RANKERS, type Ranker } from "../../model/recall/ranking.ts";
import type { Recipe } from "./recipes.ts";
import { type Scale, scaleOf } from "./scale.ts";

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
