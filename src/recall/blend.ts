/**
 * Blends an item's own worth into its score, and puts all kinds of items in one order.
 *
 * Priority, confidence and centrality multiply the fused score. A neutral item (priority 5,
 * confidence 1) keeps it, apart from the factor for centrality.
 */
import { fadedConfidence } from "../files/document-rules.ts";
import { decayedConfidence } from "../maintenance/aging.ts";
import type { DecayRules } from "../maintenance/figures.ts";
import { PRIORITY_OF_WEIGHT, type Scope } from "../memory/item.ts";
import type { Shelf } from "../memory/shelves.ts";
import { byScore, type FusedKind, scaleKinds, scaleToBest } from "./fuse.ts";
import type { Departure } from "./ranking.ts";
import type { Candidate, Filter, Outline } from "./search.ts";

/** By how much each reason raised or lowered a score, as a share of it. */
export type Departures = Partial<Record<Departure, number>>;

interface Standing {
  priority: number;
  confidence: number;
  /** PageRank or centrality, 0–1 among its peers. */
  centrality: number;
}

/** A smaller change moves nothing worth explaining. */
const LEAST_DEPARTURE = 0.005;

const SCOPES_NEAREST_FIRST = ["working", "project", "global"];

/** Best first, then the nearest scope, then by id. */
export function blend<Where extends { filter: Pick<Filter, "now"> }>(
  kinds: readonly FusedKind<Where>[],
  rules: DecayRules,
): Candidate<Where>[] {
  const blended = scaleKinds(kinds)
    .flatMap((candidates) => inOneStore(candidates.toSorted(byScore)))
    .map((candidate) => {
      const { place, score } = candidate;
      return { ...candidate, score: score * blendFactor(standingOf(candidate, place.filter.now, rules)) };
    });
  return scaleToBest(blended.sort(byBlendedScore));
}

/** An item in two stores counts once, at the place with the better score. */
function inOneStore<Where>(bestFirst: readonly Candidate<Where>[]): Candidate<Where>[] {
  const places = new Map<string, Where>();
  return bestFirst.filter(({ id, place }) => {
    if (!places.has(id)) places.set(id, place);
    return places.get(id) === place;
  });
}

function byBlendedScore(a: Candidate, b: Candidate): number {
  const scopeOf = ({ outline }: Candidate) => SCOPES_NEAREST_FIRST.indexOf(outline.scope);
  return b.score - a.score || scopeOf(a) - scopeOf(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

type JudgedCandidate = Pick<Candidate, "outline" | "scores">;

/** What is old counts less, and what others refer to counts more. */
function standingOf({ outline, scores }: JudgedCandidate, now: number, rules: DecayRules): Standing {
  const { priority, confidence, rank, type } = outline;
  // A question about a time asks for memories of that time, however old they are.
  const isAskedFor = type !== null && (scores.temporal ?? 0) > 0;
  const current = isAskedFor ? confidence : currentConfidence(outline, now, rules);
  return { priority, confidence: current, centrality: rank ?? 0 };
}

/** Documents lose confidence while nobody reads them, memories while nobody changes them, by their type. */
function currentConfidence(outline: Outline, now: number, rules: DecayRules): number {
  const { confidence, fadesSince, type, accessCount, rank } = outline;
  if (fadesSince === null) return confidence;
  if (type === null) return fadedConfidence(confidence, fadesSince, now);
  return decayedConfidence({ type, confidence, updatedAt: fadesSince, accessCount, centrality: rank ?? 0 }, now, rules);
}

const NEUTRAL_GRAPH = 0.8;

export function blendFactor(standing: Standing): number {
  const { priority, confidence, graph } = factorsOf(standing);
  return priority * confidence * graph;
}

const factorsOf = ({ priority, confidence, centrality }: Standing) => ({
  priority: weightOf(priority) / 3,
  confidence: 0.7 + 0.3 * confidence,
  graph: NEUTRAL_GRAPH + 0.2 * centrality,
});

/** What each factor added to the score of a neutral item or took from it, as a share. */
export function departuresOf(candidate: JudgedCandidate, now: number, rules: DecayRules): Departures {
  const { priority, confidence, graph } = factorsOf(standingOf(candidate, now, rules));
  const changes = { priority: priority - 1, confidence: confidence - 1, graph: graph / NEUTRAL_GRAPH - 1 };
  return Object.fromEntries(Object.entries(changes).filter(([, change]) => Math.abs(change) >= LEAST_DEPARTURE));
}

const STEPS = Object.entries(PRIORITY_OF_WEIGHT).map(([weight, at]) => ({ weight: Number(weight), at }));

/** Priority 1, 3, 5, 8, 10 is weight 1 to 5; values in between are interpolated. */
export function weightOf(priority: number): number {
  const upper = STEPS.find(({ at }) => at >= priority) ?? STEPS.at(-1)!;
  const lower = STEPS.findLast(({ at }) => at <= priority) ?? STEPS[0]!;
  if (upper.at === lower.at) return upper.weight;
  return lower.weight + (priority - lower.at) / (upper.at - lower.at);
}

// What holds comes first.
//
// A ratified decision about the question stands before memories and proposals of like relevance, and whatever opposes
// it stands behind it. Nothing else moves, and nothing that opposes a decision is dropped for it.

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
