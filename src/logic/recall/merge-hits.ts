/**
 * Merges two lists: hits ordered by rankers, and hits that only have a relevance.
 *
 * Both keep their order; of the two next hits, the more relevant one goes first. A score only
 * orders one answer, so a hit without one gets a score that fits its position.
 */
import type { Hit } from "../../model/recall/hit.ts";

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
