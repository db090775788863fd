/**
 * Fusion: one ranking out of many.
 *
 * BM25 is unbounded and cosine is not, so a plain sum would let one ranker drown the
 * other. Either each list is scaled to 0–1 among the candidates, or only positions count.
 * An item missing from a list gets nothing from it. Ties break by id: equal input, equal output.
 */
import type { Ranker } from "../../model/recall/ranking.ts";
import { RANK_DAMPING, type Recipe } from "./recipes.ts";

export interface RankedList {
  ranker: Ranker;
  entries: readonly { id: string; score: number }[];
}

export interface Fused {
  id: string;
  score: number;
  /** What each ranker gave to the score. */
  why: Partial<Record<Ranker, number>>;
}

export function fuse(lists: readonly RankedList[], recipe: Recipe): Fused[] {
  const fused = new Map<string, Fused>();
  for (const { ranker, entries } of lists) {
    const weight = recipe.weights[ranker] ?? 0;
    if (weight === 0) continue;
    for (const [id, share] of shares(ranker, entries, recipe)) {
      const entry = fused.get(id) ?? { id, score: 0, why: {} };
      entry.score += weight * share;
      entry.why[ranker] = (entry.why[ranker] ?? 0) + weight * share;
      fused.set(id, entry);
    }
  }
  return [...fused.values()].sort(byScore);
}

export function byScore(a: { id: string; score: number }, b: { id: string; score: number }): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/**
 * Brings scores to 0–1 by where they lie between the least and the largest of these; 1 where all are equal. Where they
 * lie within `leastSpan`, the difference between them says little and is not stretched to the whole.
 */
export function scaling(scores: readonly number[], leastSpan = 0): (score: number) => number {
  const high = scores.reduce((most, score) => Math.max(most, score), -Infinity);
  const low = scores.reduce((least, score) => Math.min(least, score), Infinity);
  const span = Math.max(high - low, leastSpan);
  return (score) => (span > 0 ? 1 - (high - score) / span : 1);
}

export function scaleScores(scores: readonly number[]): number[] {
  return scores.map(scaling(scores));
}

/** Items by all their passages that were found, best first: each further one adds less. The best one stands for the item. */
export function sumByItem<Found extends { itemId: string; score: number }>(passages: readonly Found[]): Found[] {
  const sums = new Map<string, { best: Found; score: number; count: number }>();
  for (const best of passages) {
    const sum = sums.get(best.itemId) ?? { best, score: 0, count: 0 };
    sum.count += 1;
    sum.score += best.score / sum.count;
    sums.set(best.itemId, sum);
  }
  return [...sums.values()].map(({ best, score }) => ({ ...best, score }));
}

/** What only a vector can tell. */
export const COSINES: readonly Ranker[] = ["vector", "gist"];
/** Cosines of texts that say the same differ by as much. */
const LEAST_COSINE_SPAN = 0.1;

function shares(ranker: Ranker, entries: RankedList["entries"], recipe: Recipe): Map<string, number> {
  const best = new Map<string, number>();
  const give = (id: string, share: number) => best.set(id, Math.max(share, best.get(id) ?? 0));
  if (recipe.method === "ranked") {
    const { damping = RANK_DAMPING } = recipe;
    for (const { id, place } of placed(entries)) give(id, 1 / (damping + place));
    return best;
  }
  const isAlone = entries.every(({ score }) => score === entries[0]?.score);
  const share = scaling(
    entries.map(({ score }) => score),
    COSINES.includes(ranker) ? LEAST_COSINE_SPAN : 0,
  );
  const clamped = (score: number) => Math.min(1, Math.max(0, score));
  // All alike: a cosine still says how near they are, other scores say only that they were found.
  const isTaken = recipe.absolute.includes(ranker) || (isAlone && ranker === "vector");
  for (const { id, score } of entries) give(id, isTaken ? clamped(score) : share(score));
  return best;
}

/** From 1 on. Equal scores share a place: what many have, such as a name, sets none of them before another. */
function placed(entries: RankedList["entries"]): { id: string; place: number }[] {
  let place = 0;
  const sorted = entries.toSorted((one, two) => two.score - one.score);
  return sorted.map(({ id, score }, index) => {
    if (score !== sorted[index - 1]?.score) place = index + 1;
    return { id, place };
  });
}

/**
 * Shares of the whole, rounded, for people: {keyword: 0.6, vector: 0.4}. The last of every
 * list gets nothing from any; then those that listed it share the credit.
 */
export function explain(why: Fused["why"]): Record<string, number> {
  const total = Object.values(why).reduce((sum, share) => sum + share, 0);
  const parts = Object.entries(why).filter(([, share]) => share > 0 || total === 0);
  const share = (given: number) => (total === 0 ? 1 / parts.length : given / total);
  return Object.fromEntries(parts.map(([ranker, given]) => [ranker, Math.round(share(given) * 1000) / 1000]));
}
