/**
 * Blends an item's own worth into its score, and puts all kinds of items in one order.
 *
 * Priority, confidence and centrality multiply the fused score. A neutral item (priority 5,
 * confidence 1) keeps it, apart from the factor for centrality.
 */
import type { DecayRules } from "../../model/care/aging.ts";
import type { Candidate } from "../../model/recall/candidate.ts";
import { PRIORITY_OF_WEIGHT } from "../../model/memory/memory.ts";
import type { Filter, Outline } from "../../model/recall/search.ts";
import { decayedConfidence } from "../care/decay.ts";
import { fadedConfidence } from "../corpus/document-confidence.ts";
import { byScore } from "./fuse.ts";
import type { Departure } from "../../model/recall/ranking.ts";
import { type FusedKind, scaleKinds, scaleToBest } from "./scale.ts";

/** By how much each reason raised or lowered a score, as a share of it. */
export type Departures = Partial<Record<Departure, number>>;

export interface Standing {
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
