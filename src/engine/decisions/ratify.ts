/**
 * Ratifies a proposal: plans what a person is shown, and writes it with their consent.
 *
 * An invalid ratification is refused before anybody is asked, and planned again after the
 * answer, because data may change while a person thinks.
 */
import { Failure } from "../../errors.ts";
import type { Conflict } from "../../logic/decisions/contradiction.ts";
import { type Ratified, type RatifySituation, planRatify, wordingOf } from "../../logic/decisions/plan-ratify.ts";
import type { Change } from "../../model/journal/change.ts";
import { type DecisionEdits, ProposalDetails, type Settlement } from "../../model/decisions/decision.ts";
import type { Consent } from "../../model/decisions/question.ts";
import type { Item } from "../../model/memory/item.ts";
import type { ReviseWorld, World } from "../../ports/world.ts";
import { commit } from "../journal/commit.ts";
import { fingerprint, needConsent } from "./consent.ts";
import { readDecisions } from "./decision-shelf.ts";
import { passagesOf } from "../text/passages.ts";
import { findProposal, resolveReferences } from "./propose.ts";
import { redactor } from "../redaction/redact.ts";
import { refusalFailure } from "./refusal.ts";
import { resolveId } from "../memory/resolve-id.ts";
import { sourceFor } from "../memory/source.ts";

export interface Ratification {
  changes: Change[];
  answer: Ratified;
  /** Covers everything a person consents to, shown or not: it changes with any of it. */
  fingerprint: string;
  /** The decision as it would be. */
  decision: Item;
  /** Fields of the proposal that were edited. */
  edited: string[];
  supersedes: Item[];
  related: Item[];
  conflicts: Conflict[];
  /** When it would begin and end, if given. */
  window: { from: number | null; until: number | null };
}

export async function ratify(
  id: string,
  edits: DecisionEdits,
  settlement: Omit<Settlement, "at">,
  consent: Consent | null,
  world: ReviseWorld & Pick<World, "zone">,
): Promise<Ratified & { edited: string[] }> {
  return commit(
    world.project,
    async () => {
      const { changes, answer, edited, fingerprint: about } = await planRatification(id, edits, settlement, world);
      needConsent({ about }, consent, world);
      return { changes, answer: { ...answer, edited } };
    },
    world,
  );
}

/** Only reads; throws if the ratification would be refused. */
export async function planRatification(
  typed: string,
  given: DecisionEdits,
  settlement: Omit<Settlement, "at">,
  world: ReviseWorld & Pick<World, "zone">,
): Promise<Ratification> {
  const at = world.clock.now();
  const refusal = await world.project.refusal?.("decision");
  if (refusal) throw new Failure("refused", refusal.message, refusal.hint);
  const id = await resolveId(typed, "proposal", world);
  const edits = { ...cleaned(given), ...(await resolveReferences(given, world)) };
  const proposal = await findProposal(id, world);
  const named = edits.supersedes ?? (proposal ? wordingOf(proposal).supersedes : []);
  const memories = byId(await world.project.items("memory", named));
  const content = edits.decision ?? proposal?.content ?? "";
  const decisions = await readDecisions(world, {
    ...{ id, text: content, subject: edits.subject ?? proposal?.title ?? "" },
    named: [...named, ...(edits.relates ?? (proposal ? wordingOf(proposal).relates : []))],
    validUntil: edits.validUntil === undefined ? (proposal?.validUntil ?? null) : edits.validUntil,
  });
  const situation: RatifySituation = {
    ...{ proposal, decisions, memories, edits, settlement: { ...settlement, at } },
    proposals: await proposalsFrom(named, world),
    author: { host: world.origin.host, session: world.origin.session, source: sourceFor(world) },
    passages: await passagesOf({ ...proposal, content: content.trim() }, world),
  };
  const planned = planRatify(situation);
  if ("refusal" in planned) throw refusalFailure(planned.refusal, id, world.zone);
  const decision = decisionIn(planned.changes);
  const { conflicts, related } = planned.answer;
  return {
    ...planned,
    fingerprint: fingerprintOf(planned.changes, conflicts),
    decision,
    edited: Object.keys((decision.details["edits"] ?? {}) as object),
    supersedes: planned.answer.superseded.flatMap((one) => decisions.get(one) ?? memories.get(one) ?? []),
    related: related.flatMap((one) => decisions.get(one) ?? []),
    conflicts,
    window: { from: edits.validFrom ?? proposal?.validFrom ?? null, until: decision.validUntil },
  };
}

function decisionIn(changes: readonly Change[]): Item {
  const insertion = changes.find((change) => change.kind === "insert_item");
  if (!insertion) throw new TypeError("a ratification without a decision");
  return insertion.item;
}

function cleaned(edits: DecisionEdits): DecisionEdits {
  const { clean } = redactor();
  const { subject, decision, rationale, rejected } = edits;
  return {
    ...edits,
    subject: subject === undefined ? undefined : clean(subject),
    decision: decision === undefined ? undefined : clean(decision),
    rationale: typeof rationale === "string" ? clean(rationale) : rationale,
    rejected: rejected?.map(clean),
  };
}

/** These proposals, the ones they supersede, and so on. */
async function proposalsFrom(ids: readonly string[], { project }: Pick<World, "project">): Promise<Map<string, Item>> {
  const found = new Map<string, Item>();
  for (let next = [...ids]; next.length > 0; ) {
    const items = (await project.items("proposal", next)).filter((item) => !found.has(item.id));
    for (const item of items) found.set(item.id, item);
    next = items.flatMap((item) => wordingOf(item).supersedes);
  }
  return found;
}

const byId = (items: readonly Item[]): Map<string, Item> => new Map(items.map((item) => [item.id, item]));

/** Leaves out times of writing, which differ each time. */
function fingerprintOf(changes: readonly Change[], conflicts: readonly Conflict[]): string {
  const texts = changes.map((change) => {
    if (change.kind === "revise_item")
      return [change.kind, change.id, change.expectedVersion, change.expectedUpdatedAt];
    if (change.kind !== "insert_item") return change.kind;
    const { title, content, background, tags, details, version } = change.item;
    const { rationale, rejected, evidence, supersedes, relates } = ProposalDetails.parse(details);
    return [title, content, background, tags, version, rationale, rejected, evidence, supersedes, relates];
  });
  return fingerprint([texts, conflicts]);
}
