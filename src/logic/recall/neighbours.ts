/**
 * Puts hits that are near each other, and that nobody has settled, beside each other: the one that holds more likely first,
 * which is usually the newer. A cut at the end then never keeps the other alone.
 */
import type { Hit } from "../../model/recall/hit.ts";

/** Of two hits; `above` may have been added because only the other one was found. */
export interface HitPair {
  above: string;
  below: string;
  nearness: number;
  contradicts: boolean;
}

/** Relevances that differ by less are alike. */
const ALIKE = 0.2;
/** As near as this, a question about one is about the other. */
const SAME_LEAST = 0.8;

/** Pairs nearest first. What is much less relevant than its neighbour stands behind it, even if it is newer. */
export function besideEachOther(hits: readonly Hit[], pairs: readonly HitPair[]): Hit[] {
  const byId = new Map(hits.map((hit) => [hit.id, hit]));
  const leads = new Map<string, { to: string; contradicts: boolean }>();
  const rootOf = (id: string): string => (leads.has(id) ? rootOf(leads.get(id)!.to) : id);
  for (const { above, below, nearness, contradicts } of pairs) {
    const [upper, lower] = [byId.get(above), byId.get(below)];
    if (!upper || !lower) continue;
    const isAlike = contradicts || nearness >= SAME_LEAST || upper.relevance >= lower.relevance - ALIKE;
    const [first, second] = isAlike ? [above, below] : [below, above];
    if (leads.has(second) || rootOf(first) === second) continue;
    leads.set(second, { to: first, contradicts });
  }
  if (leads.size === 0) return [...hits];
  const behind = Map.groupBy(leads, ([, { to }]) => to);
  const ordered: Hit[] = [];
  const placed = new Set<string>();
  const place = (hit: Hit, upper: Hit | null, contradicts: boolean): void => {
    placed.add(hit.id);
    ordered.push(upper === null ? hit : { ...hit, beside: besideOf(hit, upper, contradicts) });
    for (const [id, lead] of behind.get(hit.id) ?? []) place(byId.get(id)!, hit, lead.contradicts);
  };
  for (const { id } of hits) {
    const root = rootOf(id);
    if (!placed.has(root)) place(byId.get(root)!, null, false);
  }
  return withScoresOf(hits, ordered);
}

const besideOf = (hit: Hit, { id, handle, createdAt }: Hit, contradicts: boolean): NonNullable<Hit["beside"]> => ({
  ...{ id, handle, contradicts },
  is: hit.createdAt < createdAt || (hit.createdAt === createdAt && hit.id < id) ? "earlier" : "later",
});

/** Scores order the answer, so a hit that was moved gets the score of its new place, and says why. */
function withScoresOf(before: readonly Hit[], after: readonly Hit[]): Hit[] {
  const scores = before.map(({ score }) => score).sort((one, two) => two - one);
  return after.map((hit, at) => {
    const score = scores[at]!;
    if (score === hit.score) return hit;
    const change = hit.score > 0 ? score / hit.score - 1 : 1;
    return { ...hit, score, why: { ...hit.why, near: Math.round(change * 1_000) / 1_000 } };
  });
}
