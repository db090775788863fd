/**
 * Ratifies a proposal: plans what a person is shown, and writes it with their consent.
 *
 * An invalid ratification is refused before anybody is asked, and planned again after the
 * answer, because data may change while a person thinks.
 */
import type { Consent } from "../catalog/question.ts";
import { Failure } from "../errors.ts";
import type { Change } from "../journal/change.ts";
import { commit } from "../journal/commit.ts";
import { sourceFor } from "../memory/authorship.ts";
import type { Item } from "../memory/item.ts";
import { areTwoSubjects, NEAR_LEAST, NEAR_MOST } from "../memory/nearness.ts";
import { passagesOf } from "../memory/passages.ts";
import { resolveId, resolveIds } from "../memory/resolve-id.ts";
import type { Verdict } from "../memory/verdict.ts";
import { redactor } from "../redaction/redact.ts";
import type { LookupWorld, ReviseWorld, World } from "../world.ts";
import { windowOf } from "./chain.ts";
import { fingerprint, needConsent, refusalFailure } from "./consent.ts";
import type { Conflict } from "./contradiction.ts";
import { type DecisionEdits, ProposalDetails, type Settlement } from "./decision.ts";
import { nearestDecisions } from "./near-decisions.ts";
import { findProposal, resolveReferences } from "./propose.ts";
import { planRatify, planReject, type Ratified, type RatifySituation, wordingOf } from "./ratify-rules.ts";
import { readDecisions } from "./read-decisions.ts";

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
  /** Decisions in force that it is near, nearest first. Of the first few, those that nothing was said of are replaced. */
  near: { item: Item; standing: "replaced" | "kept" | "near" }[];
  /** Under which condition those kept hold beside it. */
  when: string | null;
  /** When it would begin and end, if given. */
  window: { from: number | null; until: number | null };
}

/** Decisions that hold beside it, and under which condition. */
export interface Beside {
  with: readonly string[];
  when?: string | undefined;
}

type RatifyWorld = ReviseWorld & Pick<World, "zone" | "embedder" | "ids" | "shownNear">;

export async function ratify(
  id: string,
  edits: DecisionEdits & Partial<Beside>,
  settlement: Omit<Settlement, "at">,
  consent: Consent | null,
  world: RatifyWorld,
): Promise<Ratified & { edited: string[] }> {
  return commit(
    world.project,
    async () => {
      const {
        changes,
        answer,
        edited,
        fingerprint: about,
      } = await planRatification(id, edits, settlement, world, consent !== null);
      needConsent({ about }, consent, world);
      return { changes, answer: { ...answer, edited } };
    },
    world,
  );
}

/** Only reads; throws if the ratification would be refused. Where nobody is asked, only what was named is replaced. */
export async function planRatification(
  typed: string,
  { with: typedBeside = [], when: typedWhen, ...given }: DecisionEdits & Partial<Beside>,
  settlement: Omit<Settlement, "at">,
  world: RatifyWorld,
  isAsked = true,
): Promise<Ratification> {
  const at = world.clock.now();
  const refusal = await world.project.refusal?.("decision");
  if (refusal) throw new Failure("refused", refusal.message, refusal.hint);
  const id = await resolveId(typed, "proposal", world);
  const edits: DecisionEdits = { ...cleaned(given), ...(await resolveReferences(given, world)) };
  const proposal = await findProposal(id, world);
  const beside = await besideIn({ with: typedBeside, when: typedWhen }, world);
  const found = await nearIn(proposal, edits, { kept: beside.with, isAsked }, world);
  if (found.replaced.length > 0) edits.supersedes = [...found.supersedes, ...found.replaced];
  if (beside.with.length > 0)
    edits.relates = [...new Set([...(edits.relates ?? (proposal ? wordingOf(proposal).relates : [])), ...beside.with])];
  const named = edits.supersedes ?? (proposal ? wordingOf(proposal).supersedes : []);
  const memories = byId(await world.project.items("memory", named));
  const content = edits.decision ?? proposal?.content ?? "";
  const decisions = await readDecisions(world, {
    id,
    text: content,
    subject: edits.subject ?? proposal?.title ?? "",
    named: [...named, ...(edits.relates ?? (proposal ? wordingOf(proposal).relates : []))],
    validUntil: edits.validUntil === undefined ? (proposal?.validUntil ?? null) : edits.validUntil,
  });
  const situation: RatifySituation = {
    proposal,
    decisions,
    memories,
    edits,
    settlement: { ...settlement, at },
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
    changes: planned.changes.map((change) =>
      underCondition(change, beside, settlement.by === null ? "agent" : "person"),
    ),
    fingerprint: fingerprint([fingerprintOf(planned.changes, conflicts), beside]),
    near: found.near,
    when: beside.when ?? null,
    decision,
    edited: Object.keys((decision.details["edits"] ?? {}) as object),
    supersedes: planned.answer.superseded.flatMap((one) => decisions.get(one) ?? memories.get(one) ?? []),
    related: related.flatMap((one) => decisions.get(one) ?? []),
    conflicts,
    window: { from: edits.validFrom ?? proposal?.validFrom ?? null, until: decision.validUntil },
  };
}

async function besideIn({ with: typed, when }: Beside, world: RatifyWorld): Promise<Beside> {
  const ids = await resolveIds(typed, "decision", world);
  const condition = when === undefined ? "" : redactor().clean(when.trim());
  if (ids.length > 0 && condition === "")
    throw new Failure(
      "invalid_input",
      "Two decisions about the same hold only under different conditions.",
      "Say in a few words when each of them holds, with `--when`.",
    );
  return { with: ids, ...(condition !== "" && { when: condition }) };
}

/**
 * What is near it, and what of that it replaces: the nearest that are neither kept nor related, unless it was said what it
 * supersedes, or nobody sees it.
 */
async function nearIn(
  proposal: Item | null,
  edits: DecisionEdits,
  { kept, isAsked }: { kept: readonly string[]; isAsked: boolean },
  world: RatifyWorld,
): Promise<{ near: Ratification["near"]; replaced: string[]; supersedes: readonly string[] }> {
  if (!proposal || proposal.status !== "pending") return { near: [], replaced: [], supersedes: [] };
  const wording = wordingOf(proposal);
  const supersedes = edits.supersedes ?? wording.supersedes;
  const related = [...(edits.relates ?? wording.relates), ...kept];
  const from = edits.validFrom ?? proposal.validFrom ?? world.clock.now();
  const subject = edits.subject ?? wording.subject;
  const all = await nearestDecisions(
    { id: proposal.id, subject, decision: edits.decision ?? wording.decision, supersedes },
    world,
  );
  const near = all.map(({ item, nearness }, at): Ratification["near"][number] => {
    // What begins later than it, or has a successor, cannot be replaced by it; what says the same of something else is not
    // meant.
    const isReplaced =
      isAsked &&
      at < NEAR_MOST &&
      nearness >= NEAR_LEAST &&
      edits.supersedes === undefined &&
      windowOf(item).from <= from &&
      item.supersededBy === null &&
      !areTwoSubjects(item.title ?? "", subject);
    const standing = related.includes(item.id) ? "kept" : isReplaced ? "replaced" : "near";
    return { item, standing };
  });
  return {
    near,
    replaced: near.flatMap(({ item, standing }) => (standing === "replaced" ? [item.id] : [])),
    supersedes,
  };
}

/** The condition stands with the relation between the two. */
function underCondition(change: Change, { with: kept, when }: Beside, by: Verdict["by"]): Change {
  if (change.kind !== "insert_edge" || when === undefined || !kept.includes(change.edge.target)) return change;
  return { ...change, edge: { ...change.edge, verdict: { as: "both", by, when } } };
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

/** Rejects a proposal, which is kept with the reason. */
interface Rejected {
  status: "rejected";
  id: string;
}

export async function reject(
  typed: string,
  reason: string,
  world: LookupWorld & Pick<World, "origin" | "zone">,
): Promise<Rejected> {
  const id = await resolveId(typed, "proposal", world);
  const clean = redactor().clean(reason);
  return commit<Rejected>(
    world.project,
    async () => {
      const proposal = await findProposal(id, world);
      const { host, session } = world.origin;
      const planned = planReject(proposal, clean, { by: `session ${session}`, how: host, at: world.clock.now() });
      if ("refusal" in planned) throw refusalFailure(planned.refusal, id, world.zone);
      return planned;
    },
    world,
  );
}
