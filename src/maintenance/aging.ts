/**
 * The stages of a memory that fades: active, archived, pruned, erased.
 *
 * Only what was inferred or extracted takes them. What a person wrote or pinned stays where the person put it, and what
 * many others refer to stays where it is, even if it was archived before they did. Every step leaves time to bring the
 * memory back, and reading it restarts that time.
 */
import { type Author, authorOf, isInferred, isPersons } from "../memory/authorship.ts";
import type { Item, Status } from "../memory/item.ts";
import { counted } from "../text/short-text.ts";
import { DAY_MS } from "../time/calendar.ts";
import type { AgingMemory, ClockMarks, DecayRules, GraphStanding, Step } from "./figures.ts";

// Decay: how much a memory is still worth.
//
// Confidence halves with every half-life since the last update, and the relevance of a global memory falls with its age
// and while nobody reads it. Both are computed from stored values, so computing them changes nothing and can be
// repeated.

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
const daysBetween = (from: number, to: number): number => Math.max(0, to - from) / DAY_MS;

/** A step that is due, and the reason for a person to read. */
export interface DueStep {
  to: Step;
  why: string;
}

/** Whether it may fade away. */
export const mayFade = (memory: Author & Pick<AgingMemory, "pinned">): boolean =>
  !memory.pinned && isInferred(memory) && !isPersons(memory);

/** No step is due sooner after a change than this. */
export const soonestDays = ({ archiveAfterDays, pruneAfterDays, eraseAfterDays }: DecayRules): number =>
  Math.min(archiveAfterDays, pruneAfterDays, eraseAfterDays);

export function dueStep(memory: AgingMemory, graph: GraphStanding, now: number, rules: DecayRules): DueStep | null {
  if (memory.scope === "working" || !mayFade(memory) || graph.isHub) return null;
  const stage = STAGES[memory.status];
  return stage ? stage(memory, graph, now, rules) : null;
}

type Stage = (memory: AgingMemory, graph: GraphStanding, now: number, rules: DecayRules) => DueStep | null;

const STAGES: Partial<Record<Status, Stage>> = {
  active(memory, { centrality }, now, rules) {
    const why = (memory.scope === "global" ? fadedGlobal : faded)(memory, centrality, now, rules);
    return why === null ? null : { to: "archived", why };
  },
  archived: (memory, _, now, { pruneAfterDays }) => after(pruneAfterDays, "pruned", memory, now),
  pruned: (memory, _, now, { eraseAfterDays }) => after(eraseAfterDays, "erased", memory, now),
};

function faded(memory: AgingMemory, centrality: number, now: number, rules: DecayRules): string | null {
  const fading = { ...memory, centrality };
  const since = Math.max(fallsBelowAt(fading, rules), memory.accessedAt);
  if (now < since + rules.archiveAfterDays * DAY_MS) return null;
  const confidence = decayedConfidence(fading, now, rules);
  return `confidence ${shown(confidence)} has been below ${rules.archiveBelow} for ${days(since, now)} without access`;
}

/** A person's memory must be both irrelevant and doubtful: preferences stay true while nobody asks for them. */
function fadedGlobal(memory: AgingMemory, centrality: number, now: number, rules: DecayRules): string | null {
  const relevance = globalRelevance(memory, now, rules);
  const confidence = decayedConfidence({ ...memory, centrality }, now, rules);
  if (relevance >= rules.globalBelow || confidence >= rules.archiveBelow) return null;
  // Whoever changed it lately wants it, however doubtful it is.
  if (now < memory.updatedAt + rules.archiveAfterDays * DAY_MS) return null;
  return `relevance ${shown(relevance)} is below ${rules.globalBelow} and confidence ${shown(confidence)} below ${rules.archiveBelow}`;
}

/** A change of status is a change, so the time of the last one is when the stage began. */
function after(limitDays: number, to: Step, memory: AgingMemory, now: number): DueStep | null {
  const since = Math.max(memory.updatedAt, memory.accessedAt);
  if (now < since + limitDays * DAY_MS) return null;
  return { to, why: `${memory.status} ${days(memory.updatedAt, now)} ago, and not read for ${days(since, now)}` };
}

const shown = (value: number): string => value.toFixed(2);

const days = (from: number, to: number): string => counted(Math.floor(daysBetween(from, to)), "day");

/** The part of an item that decides how it ages. */
export const agingOf = (item: Item): AgingMemory => ({ ...item, ...authorOf(item) });

// The time that counts for steps which cannot be undone.
//
// A clock may be far ahead for a while, and erasing goes by a clock. So what is final goes by a time that an earlier
// maintenance noted and that the clock has confirmed by moving on for a day. A noted time after now was wrong.

/** The marks once maintenance runs at this time. */
export function marksAt(marks: ClockMarks, now: number): ClockMarks {
  const [settledAt, pendingAt] = [unlessAfter(marks.settledAt, now), unlessAfter(marks.pendingAt, now)];
  if (pendingAt === null) return { settledAt, pendingAt: now };
  return now - pendingAt < DAY_MS ? { settledAt, pendingAt } : { settledAt: pendingAt, pendingAt: now };
}

const unlessAfter = (at: number | null, now: number): number | null => (at !== null && at > now ? null : at);
