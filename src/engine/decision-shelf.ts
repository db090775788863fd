/**
 * What the verbs of decisions read: the kernel, and what waits for a person.
 *
 * The kernel is read whole: a project decides a few hundred things, and a chain may lead anywhere.
 */
import { type Proposal, reasonOf } from "../model/decision.ts";
import { type Item, STATUSES, type Status } from "../model/item.ts";
import type { World } from "../ports.ts";
import { wordingOf } from "../logic/plan-ratify.ts";
import { isoTime, isoTimeOrNull } from "./view.ts";

const PAGE = 1_000;

export async function readDecisions({ project, clock }: Pick<World, "project" | "clock">): Promise<Map<string, Item>> {
  const decisions = new Map<string, Item>();
  const filter = { statuses: STATUSES, now: clock.now() };
  for (let offset = 0; ; offset += PAGE) {
    const { items } = await project.list("decision", filter, { limit: PAGE, offset });
    for (const item of items) decisions.set(item.id, item);
    if (items.length < PAGE) return decisions;
  }
}

function proposalOf(item: Item): Proposal {
  const { subject, decision, rationale, rejected, evidence, supersedes, relates } = wordingOf(item);
  const { id, status, source, host, session } = item;
  return {
    ...{ id, subject: subject || null, decision, rationale, rejected, evidence, supersedes, relates },
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
