/**
 * Decay: how much a memory is still worth.
 *
 * Confidence halves with every half-life since the last update, and the relevance of a global memory falls with its age
 * and while nobody reads it. Both are computed from stored values, so computing them changes nothing and can be
 * repeated.
 */
import type { AgingMemory, DecayRules } from "../../model/care/aging.ts";
import { DAY_MS } from "../../model/duration.ts";

/** Descriptions of how a project is built hold until somebody changes it. */
const LASTING_TYPES: ReadonlySet<string> = new Set(["architecture", "code", "code_description", "decision"]);

type HalfLife = "patternDays" | "gotchaDays" | "progressDays" | "otherDays";
const HALF_LIVES: Readonly<Record<string, HalfLife>> = {
  pattern: "patternDays",
  convention: "patternDays",
  gotcha: "gotchaDays",
  bug_fix: "gotchaDays",
  progress: "progressDays",
};

/** More accesses than this double the half-life, and so does a higher centrality than that. */
const OFTEN = 10;
const CENTRAL = 0.5;

export interface Fading extends Pick<AgingMemory, "type" | "confidence" | "updatedAt" | "accessCount"> {
  centrality: number;
}

/** In days; infinite for types that last. */
export function halfLifeDays(
  { type, accessCount, centrality }: Pick<Fading, "type" | "accessCount" | "centrality">,
  rules: DecayRules,
): number {
  if (LASTING_TYPES.has(type)) return Infinity;
  const days = rules[Object.hasOwn(HALF_LIVES, type) ? HALF_LIVES[type]! : "otherDays"];
  return days * (accessCount > OFTEN ? 2 : 1) * (centrality > CENTRAL ? 2 : 1);
}

export function decayedConfidence(memory: Fading, now: number, rules: DecayRules): number {
  return memory.confidence * 0.5 ** (daysBetween(memory.updatedAt, now) / halfLifeDays(memory, rules));
}

/** When its confidence falls below the threshold for archiving, solved from the formula; infinite if it never does. */
export function fallsBelowAt(memory: Fading, rules: DecayRules): number {
  const { confidence, updatedAt } = memory;
  const { archiveBelow } = rules;
  if (confidence < archiveBelow) return updatedAt;
  const halfLife = halfLifeDays(memory, rules);
  if (halfLife === Infinity || archiveBelow === 0) return Infinity;
  return updatedAt + halfLife * Math.log2(confidence / archiveBelow) * DAY_MS;
}

const AGE_SHARE = 0.3;
const INACTIVITY_SHARE = 0.7;
const MOST_BOOST = 0.5;
const BOOST_PER_ACCESS = 0.1;

/** How relevant a global memory still is to the person: 1 when new, more if it was read. */
export function globalRelevance(
  { createdAt, accessedAt, accessCount }: Pick<AgingMemory, "createdAt" | "accessedAt" | "accessCount">,
  now: number,
  { globalDays }: Pick<DecayRules, "globalDays">,
): number {
  const age = Math.exp(-daysBetween(createdAt, now) / (2 * globalDays));
  const activity = Math.exp(-daysBetween(accessedAt, now) / globalDays);
  const boost = Math.min(accessCount * BOOST_PER_ACCESS, MOST_BOOST);
  return Math.max(0, AGE_SHARE * age + INACTIVITY_SHARE * activity + boost);
}

/** A clock that was set back must not make anything younger than new. */
export const daysBetween = (from: number, to: number): number => Math.max(0, to - from) / DAY_MS;
