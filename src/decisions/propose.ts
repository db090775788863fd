/**
 * Proposes a decision for a person to ratify, and reports what it contradicts.
 *
 * Items it names must exist, and its window must not be empty: a proposal that nobody could
 * ratify is refused. Contradictions are reported, not refused, because a person resolves them.
 */
import { Failure } from "../errors.ts";
import { commit } from "../journal/commit.ts";
import { sourceFor } from "../memory/authorship.ts";
import { handleOf } from "../memory/handles.ts";
import { isExpired } from "../memory/item-changes.ts";
import type { Item } from "../memory/item.ts";
import { passagesOf } from "../memory/passages.ts";
import { type Draft, planRemember } from "../memory/remember-rules.ts";
import { resolveIds } from "../memory/resolve-id.ts";
import { type Redaction, redactor } from "../redaction/redact.ts";
import { contentHash } from "../text/content-hash.ts";
import type { DraftWorld, LookupWorld, World } from "../world.ts";
import { holding, linkFault, type Window, windowFault } from "./chain.ts";
import { refusalFailure } from "./consent.ts";
import type { Conflict } from "./contradiction.ts";
import { type Claim, conflictsOf, unknownAmong, wordingOf } from "./ratify-rules.ts";
import { readDecisions } from "./read-decisions.ts";
import { subjectKey } from "./subject.ts";

interface ProposeRequest {
  subject: string;
  decision: string;
  rationale?: string | undefined;
  rejected: readonly string[];
  evidence: readonly string[];
  supersedes: readonly string[];
  relates: readonly string[];
  validFrom?: number | undefined;
  validUntil?: number | undefined;
  tags: readonly string[];
}

interface Proposed {
  /** `holds`: already decided. */
  status: "proposed" | "duplicate" | "holds";
  id: string;
  conflicts: Conflict[];
  redactions: Redaction[];
}

export const ROUTE = { scope: "project", reason: "a person ratifies decisions", confidence: 1, by: "type" } as const;

export async function propose(
  typed: ProposeRequest,
  world: DraftWorld & LookupWorld & Pick<World, "zone">,
): Promise<Proposed> {
  const { clean, redactions } = redactor();
  const request = { ...typed, ...(await resolveReferences(typed, world)) };
  const draft = draftOf(request, clean, world);
  const passages = await passagesOf(draft, world);
  const answer = await commit<Omit<Proposed, "redactions">>(
    world.project,
    async () => {
      const now = world.clock.now();
      const id = world.ids.next();
      const window = { from: request.validFrom ?? now, until: request.validUntil ?? null };
      const decisions = await readDecisions(world, {
        id,
        subject: draft.title,
        text: draft.content,
        validUntil: window.until,
        named: [...request.supersedes, ...request.relates],
      });
      const fault = windowFault(window);
      if (fault) throw refusalFailure(fault, id, world.zone);
      const unknown = unknownAmong(request.relates, decisions);
      if (unknown !== undefined) throw refusalFailure({ why: "nothing to relate to", id: unknown }, id, world.zone);
      await checkSuperseded({ id, window }, draft, decisions, world);
      const same = alreadyHeld(draft, decisions, now);
      if (same) return { changes: [], answer: { status: "holds", id: same.id, conflicts: [] } };
      const duplicate = await equalProposal(draft, world);
      const situation = { id, now, origin: world.origin, spaceId: world.place.spaceId, route: ROUTE, duplicate };
      const planned = planRemember(draft, {
        ...situation,
        workingTtlSeconds: 0,
        predecessor: null,
        leaving: [],
        passages,
      });
      const { supersedes } = draft.proposal;
      const claim: Claim = { subject: draft.title, decision: draft.content, supersedes, window };
      const status = planned.answer.status === "duplicate" ? "duplicate" : "proposed";
      const conflicts = conflictsOf(claim, decisions, now);
      return { changes: planned.changes, answer: { status, id: planned.answer.id, conflicts } };
    },
    world,
  );
  return { ...answer, redactions: redactions() };
}

export type ProposalDraft = Draft & { title: string; proposal: NonNullable<Draft["proposal"]> };

export function draftOf(
  request: ProposeRequest,
  clean: (text: string) => string,
  world: Pick<World, "place" | "origin">,
): ProposalDraft {
  const content = clean(request.decision.trim());
  const branch = world.place.branch();
  return {
    content,
    hash: contentHash(content),
    type: "decision",
    title: clean(request.subject.trim()),
    tags: request.tags.map(clean),
    source: sourceFor(world),
    context: { branch: branch === null ? null : clean(branch), commits: [], files: [], symbols: [], language: null },
    proposal: {
      rationale: request.rationale === undefined ? null : clean(request.rationale),
      rejected: request.rejected.map(clean),
      evidence: [...new Set(request.evidence)],
      supersedes: [...new Set(request.supersedes)],
      relates: [...new Set(request.relates)],
      validFrom: request.validFrom ?? null,
      validUntil: request.validUntil ?? null,
    },
  };
}

/** Resolves the ids of the evidence and decisions that a decision names. */
export async function resolveReferences<Given extends Partial<Pick<ProposeRequest, keyof typeof NAMED>>>(
  given: Given,
  world: LookupWorld,
): Promise<{ [Field in keyof Given & keyof typeof NAMED]: string[] }> {
  const named: Partial<Record<keyof typeof NAMED, string[]>> = {};
  for (const field of Object.keys(NAMED) as (keyof typeof NAMED)[]) {
    const typed = given[field];
    if (typed) named[field] = await resolveIds(typed, NAMED[field], world);
  }
  return named as { [Field in keyof Given & keyof typeof NAMED]: string[] };
}

const NAMED = { evidence: "evidence", supersedes: "superseded", relates: "decision" } as const;

/** A decision may supersede decisions, memories, and proposals, which may be ratified before it. */
async function checkSuperseded(
  successor: { id: string; window: Window },
  { proposal: { supersedes } }: ProposalDraft,
  decisions: ReadonlyMap<string, Item>,
  { project, zone }: Pick<World, "project" | "zone">,
): Promise<void> {
  const rest = supersedes.filter((id) => !decisions.has(id));
  const others = await Promise.all((["memory", "proposal"] as const).map((shelf) => project.items(shelf, rest)));
  const known = new Map(others.flat().map((item) => [item.id, item]));
  for (const id of supersedes) {
    const decision = decisions.get(id);
    const fault = decision && linkFault(decision, successor, decisions);
    if (fault) throw refusalFailure(fault, successor.id, zone);
    if (decision) continue;
    const { status } = known.get(id) ?? {};
    if (status === undefined) throw refusalFailure({ why: "unknown decision", id }, successor.id, zone);
    if (status !== "active" && status !== "pending") {
      throw refusalFailure({ why: "not ratified", id, status }, successor.id, zone);
    }
  }
}

/** The same decision, if it holds already and for as long: it need not be proposed again. */
function alreadyHeld(draft: ProposalDraft, decisions: ReadonlyMap<string, Item>, now: number): Item | null {
  const { validFrom, validUntil, supersedes } = draft.proposal;
  if (validFrom !== null || supersedes.length > 0) return null;
  const equal = holding(decisions.values(), now, draft.title).filter(({ hash }) => hash === draft.hash);
  return equal.find((held) => held.validUntil === validUntil) ?? null;
}

/** Equal text can be pending only once; on another subject it is refused, because it would be a different decision. */
async function equalProposal(
  draft: ProposalDraft,
  { project, clock }: Pick<World, "project" | "clock">,
): Promise<Item | null> {
  const equal = await project.sameContent("proposal", "project", draft.hash);
  if (!equal || isExpired(equal, clock.now())) return equal;
  if (subjectKey(equal.title ?? "") === subjectKey(draft.title)) return refuseOtherTerms(equal, draft);
  const difference = equal.title === null ? "without a subject" : `about "${equal.title}"`;
  throw new Failure(
    "conflict",
    `Proposal ${handleOf(equal.id)} has the same text, ${difference}.`,
    "Ratify or reject that one first, or name the subject in the decision.",
  );
}

/** Other terms would be lost silently, so they are refused. An omitted term is not a different one. */
function refuseOtherTerms(equal: Item, { proposal }: ProposalDraft): Item {
  const pending = wordingOf(equal);
  const says = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0);
  const other = TERMS.filter(
    (term) => says(proposal[term]) && JSON.stringify(proposal[term]) !== JSON.stringify(pending[term]),
  );
  if (other.length === 0) return equal;
  throw new Failure(
    "conflict",
    `Proposal ${handleOf(equal.id)} has the same text but differs in: ${other.join(", ")}.`,
    "Reject that one and propose again, or pass the differences to `ratify`.",
  );
}

const TERMS = ["rationale", "rejected", "evidence", "supersedes", "relates", "validFrom", "validUntil"] as const;

/** Null if it does not exist or has expired. */
export async function findProposal(
  id: string,
  { project, clock }: Pick<World, "project" | "clock">,
): Promise<Item | null> {
  const [found] = await project.items("proposal", [id]);
  return found && !isExpired(found, clock.now()) ? found : null;
}
