/**
 * Reads decisions and pending proposals for the decision verbs.
 *
 * Outlines of all decisions are read, because a chain may lead to any of them; full texts only
 * of those that can matter.
 */
import { reasonOf } from "../../model/decisions/decision.ts";
import { type Proposal } from "../../model/decisions/decision-view.ts";
import { identityOf } from "../../model/memory/handles.ts";
import type { Item, Status } from "../../model/memory/item.ts";
import type { DecisionOutline } from "../../model/recall/search.ts";
import type { World } from "../../ports/world.ts";
import { comparedStems, comparedTerms } from "../../logic/decisions/contradiction.ts";
import { holding, isVisible, successors } from "../../logic/decisions/decision-chain.ts";
import { wordingOf } from "../../logic/decisions/plan-ratify.ts";
import { sameSubject } from "../../logic/decisions/subject.ts";
import { isoTime, isoTimeOrNull } from "../memory/view.ts";

/** A new decision is compared with at most this many of other subjects: those that share the most words. */
const COMPARED_MOST = 50;

/** A decision being made. */
export interface Planned {
  id: string;
  /** Ids of items it would replace or relate to. */
  named: readonly string[];
  subject: string;
  text: string;
  validUntil: number | null;
}

type DecisionWorld = Pick<World, "project" | "clock">;

export async function readOutlines({ project, clock }: DecisionWorld): Promise<Map<string, DecisionOutline>> {
  return new Map((await project.decisionOutlines(clock.now())).map((outline) => [outline.id, outline]));
}

/**
 * The decisions that may matter to a new one: those it names and their successors, those that name it, those of its
 * subject, and those it may contradict.
 */
export async function readDecisions(world: DecisionWorld, planned: Planned): Promise<Map<string, Item>> {
  const outlines = await readOutlines(world);
  const ids = await idsFor(planned, outlines, world);
  return new Map((await world.project.items("decision", [...ids])).map((item) => [item.id, item]));
}

async function idsFor(
  { id, named, subject, text, validUntil }: Planned,
  outlines: ReadonlyMap<string, DecisionOutline>,
  { project, clock }: DecisionWorld,
): Promise<Set<string>> {
  const now = clock.now();
  const isAbout = sameSubject(subject);
  const ids = new Set([id, ...named, ...(await project.decisionsRelatingTo(id))]);
  for (const one of [id, ...named]) for (const later of successors(one, outlines)) ids.add(later.id);
  // A superseded decision has ended, so it cannot contradict one that has not.
  const isOver = validUntil !== null && validUntil <= now;
  const statuses: Status[] = isOver ? ["active", "superseded"] : ["active"];
  const others: string[] = [];
  for (const outline of outlines.values()) {
    const isOwn = outline.supersededBy === id || (isVisible(outline) && isAbout(outline.title ?? ""));
    if (isOwn) ids.add(outline.id);
    else if (statuses.includes(outline.status)) others.push(outline.id);
  }
  if (others.length <= COMPARED_MOST) return new Set([...ids, ...others]);
  const { frequency } = await project.wordStatistics("decision", comparedStems(text));
  const query = { terms: comparedTerms(text, frequency) };
  const near = await project.keyword("decision", query, { statuses, now }, COMPARED_MOST);
  return new Set([...ids, ...near.map(({ itemId }) => itemId)]);
}

function proposalOf(item: Item): Proposal {
  const { subject, decision, rationale, rejected, evidence, supersedes, relates } = wordingOf(item);
  const { id, status, source, host, session } = item;
  return {
    ...identityOf(id),
    ...{ subject: subject || null, decision, rationale, rejected, evidence, supersedes, relates },
    validFrom: isoTimeOrNull(item.validFrom),
    validUntil: isoTimeOrNull(item.validUntil),
    reason: reasonOf(item),
    ...{ status, source, host, session, createdAt: isoTime(item.createdAt) },
  };
}

export async function listProposals(
  statuses: readonly Status[],
  page: { limit: number; offset: number },
  { project, clock }: Pick<World, "project" | "clock">,
): Promise<{ items: Proposal[]; total: number }> {
  const { items, total } = await project.list("proposal", { statuses, now: clock.now() }, page);
  return { items: items.map(proposalOf), total };
}

export const pendingProposals = (
  limit: number,
  world: Pick<World, "project" | "clock">,
): Promise<{ items: Proposal[]; total: number }> => listProposals(["pending"], { limit, offset: 0 }, world);

/** The decisions that hold now, latest first, and how many there are. */
export async function decisionsInForce(limit: number, world: DecisionWorld): Promise<{ items: Item[]; total: number }> {
  const held = holding((await readOutlines(world)).values(), world.clock.now());
  const ids = held.slice(0, limit).map(({ id }) => id);
  const items = new Map((await world.project.items("decision", ids)).map((item) => [item.id, item]));
  return { items: ids.flatMap((id) => items.get(id) ?? []), total: held.length };
}
