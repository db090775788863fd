/**
 * The stages of a memory that fades: active, archived, pruned, erased.
 *
 * Only what was inferred or extracted takes them. What a person wrote or pinned stays where the person put it, and what
 * many others refer to stays where it is, even if it was archived before they did. Every step leaves time to bring the
 * memory back, and reading it restarts that time.
 */
import type { AgingMemory, DecayRules, GraphStanding, Step } from "../../model/care/aging.ts";
import { DAY_MS } from "../../model/duration.ts";
import type { Item, Status } from "../../model/memory/item.ts";
import { type Author, authorOf, isInferred, isPersons } from "../memory/authorship.ts";
import { counted } from "../../model/text/count.ts";
import { daysBetween, decayedConfidence, fallsBelowAt, globalRelevance } from "./decay.ts";

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
