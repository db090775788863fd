/**
 * What holds comes first.
 *
 * A ratified decision about the question stands before memories and proposals of like relevance, and whatever opposes
 * it stands behind it. Nothing else moves, and nothing that opposes a decision is dropped for it.
 */
import type { Scope } from "../../model/memory/item.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { Departure } from "../../model/recall/ranking.ts";

/** From this relevance on, a decision is about the question. */
const ABOUT_LEAST = 0.25;
/** Relevances that differ by less are alike. */
const ALIKE = 0.2;

interface Ordered {
  id: string;
  shelf: Shelf;
  relevance: number;
  score: number;
  why: Record<string, number>;
  contradicts: readonly { id: string }[];
}

/** The first `limit` hits in their new order; the best has the score 1. */
export function whatHoldsFirst<Hit extends Ordered>(hits: readonly Hit[], limit: number): Hit[] {
  const shown = hits
    .filter(isAboutTheQuestion)
    .reduce(raise, [...hits])
    .slice(0, limit);
  const opposing = shown.filter(({ contradicts }) => contradicts.length > 0);
  // Each is put right behind the decision, so the last one goes first to keep their order.
  const ordered = opposing.reduceRight(putBehind, shown);
  const best = ordered[0]?.score ?? 0;
  return best > 0 && best < 1 ? ordered.map((hit) => ({ ...hit, score: rounded(hit.score / best) })) : ordered;
}

/** Of working memories this session's first, in the places that working memories have. */
export function ownSessionFirst<Hit extends Ordered & { scope: Scope; otherSession?: string | undefined }>(
  hits: readonly Hit[],
): Hit[] {
  const working = hits.filter(({ scope }) => scope === "working");
  const isOther = ({ otherSession }: Hit) => Number(otherSession !== undefined);
  const ownFirst = working.toSorted((one, two) => isOther(one) - isOther(two));
  let place = 0;
  return hits.map((hit) => {
    if (hit.scope !== "working") return hit;
    const moved = ownFirst[place++]!;
    return moved === hit ? hit : scored(moved, hit.score, "ownSession");
  });
}

const rounded = (score: number): number => Math.round(score * 10_000) / 10_000;

const isAboutTheQuestion = ({ shelf, relevance }: Ordered): boolean => shelf === "decision" && relevance >= ABOUT_LEAST;

function raise<Hit extends Ordered>(hits: readonly Hit[], decision: Hit): Hit[] {
  const at = hits.indexOf(decision);
  let target = at;
  while (target > 0 && yieldsTo(decision, hits[target - 1]!)) target -= 1;
  if (target === at) return [...hits];
  const score = Math.max(decision.score, hits[target]!.score);
  return hits.toSpliced(at, 1).toSpliced(target, 0, scored(decision, score, "decision"));
}

function yieldsTo(decision: Ordered, { shelf, relevance, contradicts }: Ordered): boolean {
  if (shelf !== "memory" && shelf !== "proposal") return false;
  return relevance < decision.relevance + ALIKE || contradicts.some(({ id }) => id === decision.id);
}

function putBehind<Hit extends Ordered>(hits: readonly Hit[], opposed: Hit): Hit[] {
  const ids = new Set(opposed.contradicts.map(({ id }) => id));
  const at = hits.indexOf(opposed);
  const last = hits.findLastIndex((hit) => ids.has(hit.id) && isAboutTheQuestion(hit));
  if (at > last) return [...hits];
  const score = Math.min(opposed.score, hits[last]!.score);
  return hits.toSpliced(last + 1, 0, scored(opposed, score, "contradiction")).toSpliced(at, 1);
}

/** Scores order the answer, so a hit that was moved gets the score of its new place, and says why. */
function scored<Hit extends Ordered>(hit: Hit, score: number, reason: Departure): Hit {
  const change = hit.score > 0 ? score / hit.score - 1 : 1;
  return { ...hit, score, why: { ...hit.why, [reason]: Math.round(change * 1_000) / 1_000 } };
}
