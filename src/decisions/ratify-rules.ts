/**
 * The changes that settle a proposal.
 *
 * A ratified proposal becomes a decision with the same id, which records the person's edits; the proposal stays as
 * proposed. Superseded decisions end when the new one begins. A rejected proposal stays with the reason. Every refusal
 * is a value and comes without changes.
 */
import { type Edge, newEdge } from "../graph/edges.ts";
import type { Change } from "../journal/change.ts";
import { revising } from "../memory/item-changes.ts";
import type { Item } from "../memory/item.ts";
import type { Passage } from "../memory/shelves.ts";
import { contentHash } from "../text/content-hash.ts";
import { summaryOf } from "../text/short-text.ts";
import {
  type ChainFault,
  closedAt,
  type Decisions,
  holdingDuring,
  isVisible,
  linkFault,
  roomFault,
  type Window,
  windowFault,
  windowOf,
} from "./chain.ts";
import { type Conflict, conflictsWith } from "./contradiction.ts";
import { type DecisionEdits, ProposalDetails, type Settlement } from "./decision.ts";

/**
 * Decision edges: which decisions one contradicts or relates to.
 *
 * A contradiction that a person saw and ratified anyway is recorded as an edge. Superseded decisions get no edge: the
 * chain says more.
 */
export interface Claim {
  subject: string;
  decision: string;
  supersedes: readonly string[];
  window: Window;
}

/** Nobody reads more of them, nor longer ones. */
const CONFLICTS_SHOWN = 20;
const CONFLICT_CHARACTERS = 500;

const shortened = (text: string): string =>
  text.length <= CONFLICT_CHARACTERS ? text : `${text.slice(0, CONFLICT_CHARACTERS - 1).toWellFormed()}…`;

/** Decisions that hold during its window and contradict it, strongest first. */
export function conflictsOf(claim: Claim, decisions: Decisions, now: number): Conflict[] {
  const others = holdingDuring(decisions.values(), claim.window, now).filter(
    ({ id }) => !claim.supersedes.includes(id),
  );
  const found = conflictsWith(
    claim,
    others.map(({ id, title, content }) => ({ id, subject: title ?? "", decision: content })),
  );
  return found.slice(0, CONFLICTS_SHOWN).map((conflict) => ({ ...conflict, decision: shortened(conflict.decision) }));
}

/** The first id that does not name a visible decision. */
export const unknownAmong = (ids: readonly string[], decisions: Decisions): string | undefined =>
  ids.find((id) => !isKnown(id, decisions));

const isKnown = (id: string, decisions: Decisions): boolean => {
  const item = decisions.get(id);
  return item !== undefined && isVisible(item);
};

/**
 * The decisions that a new one relates to, in both directions: of two ratified one after the other, the first may
 * already name the second. One that was rolled back meanwhile is left out.
 */
function relatedOf(id: string, wording: { relates: string[]; supersedes: string[] }, decisions: Decisions): Item[] {
  const naming = [...decisions.values()].filter(({ details }) => namesIn(details).includes(id)).map((item) => item.id);
  const ids = new Set([...wording.relates, ...naming]);
  return [...ids]
    .filter((one) => one !== id && !wording.supersedes.includes(one) && isKnown(one, decisions))
    .flatMap((one) => decisions.get(one) ?? []);
}

const namesIn = (details: Item["details"]): string[] => ProposalDetails.shape.relates.parse(details["relates"]);

/** Both relations are symmetric. */
function edgesOf(id: string, related: readonly Item[], conflicts: readonly Conflict[], at: number): Edge[] {
  const edgeTo = (target: string, relation: Edge["relation"], strength: number): Edge =>
    newEdge({
      shelf: "decision",
      source: id,
      target,
      relation,
      strength,
      bidirectional: true,
      status: "active",
      createdAt: at,
    });
  return [
    ...related.map((item) => edgeTo(item.id, "relates_to", 1)),
    ...conflicts.map(({ id: other, energy }) => edgeTo(other, "contradicts", energy)),
  ];
}

export type RatifyRefusal =
  | ChainFault
  | { why: "unknown proposal" }
  | { why: "settled"; id: string; status: Item["status"] }
  | { why: "no subject" | "no decision" | "no reason" }
  | { why: "unknown decision" | "nothing to relate to"; id: string }
  /** It is itself pending, or was rejected. */
  | { why: "not ratified"; id: string; status: Item["status"] };

export type Planned<Answer> = { changes: Change[]; answer: Answer } | { refusal: RatifyRefusal };

export interface Ratified {
  status: "ratified";
  id: string;
  superseded: string[];
  /** Ids of related decisions. */
  related: string[];
  /** Decisions in force that it contradicts. */
  conflicts: Conflict[];
}

export interface RatifySituation {
  /** Null if no proposal has the requested id. */
  proposal: Item | null;
  /** The decisions it names, their successors, and those that name this id as their successor. */
  decisions: Decisions;
  /** Other proposals, as far as `supersedes` leads from one to the next. */
  proposals: ReadonlyMap<string, Item>;
  /** Memories it names: `remember` can propose a decision in place of a memory. */
  memories: ReadonlyMap<string, Item>;
  edits: DecisionEdits;
  settlement: Settlement;
  author: Pick<Item, "host" | "session" | "source">;
  /** Passages of the decision as edited. */
  passages: Passage[];
}

interface Wording {
  subject: string;
  decision: string;
  rationale: string | null;
  rejected: string[];
  evidence: string[];
  supersedes: string[];
  relates: string[];
  validFrom: number | null;
  validUntil: number | null;
}

export function planRatify(situation: RatifySituation): Planned<Ratified> {
  const { proposal, decisions, edits, settlement, passages } = situation;
  if (!proposal) return { refusal: { why: "unknown proposal" } };
  const { id, status } = proposal;
  if (status !== "pending" || decisions.has(id)) return { refusal: { why: "settled", id, status } };
  const proposed = wordingOf(proposal);
  const wording = edited(proposed, edits);
  const unknown = unknownAmong(edits.relates ?? [], decisions);
  if (unknown !== undefined) return { refusal: { why: "nothing to relate to", id: unknown } };
  if (wording.subject === "") return { refusal: { why: "no subject" } };
  if (wording.decision === "") return { refusal: { why: "no decision" } };
  const successor = { id, window: { from: wording.validFrom ?? settlement.at, until: wording.validUntil } };
  const closings = closingsOf(wording.supersedes, successor, situation);
  const refusal = windowFault(successor.window) ?? closings.refusal ?? roomFault(successor, decisions);
  if (refusal) return { refusal };
  const item = newDecision(proposal, wording, successor.window, recordOf(proposed, wording), situation);
  const claim: Claim = { ...wording, window: successor.window };
  const conflicts = conflictsOf(claim, decisions, settlement.at);
  const related = relatedOf(id, wording, decisions);
  const changes: Change[] = [
    ...closings.changes,
    { kind: "insert_item", shelf: "decision", item, passages, embed: true },
    settling(proposal, "ratified", settlement, {}),
    ...edgesOf(id, related, conflicts, settlement.at).map((edge): Change => ({ kind: "insert_edge", edge })),
  ];
  const relatedIds = related.map((one) => one.id);
  return { changes, answer: { status: "ratified", id, superseded: closings.closed, related: relatedIds, conflicts } };
}

export function planReject(
  proposal: Item | null,
  reason: string,
  settlement: Settlement,
): Planned<{ status: "rejected"; id: string }> {
  if (!proposal) return { refusal: { why: "unknown proposal" } };
  const { id, status } = proposal;
  if (status !== "pending") return { refusal: { why: "settled", id, status } };
  if (reason.trim() === "") return { refusal: { why: "no reason" } };
  const changes = [settling(proposal, "rejected", settlement, { reason: reason.trim() })];
  return { changes, answer: { status: "rejected", id } };
}

/** An imported proposal may have no title. */
export function wordingOf(proposal: Item): Wording {
  const { rationale, rejected, evidence, supersedes, relates } = ProposalDetails.parse(proposal.details);
  const { title, content, validFrom, validUntil } = proposal;
  return {
    subject: title ?? "",
    decision: content,
    rationale,
    rejected,
    evidence,
    supersedes,
    relates,
    validFrom,
    validUntil,
  };
}

function edited(proposed: Wording, edits: DecisionEdits): Wording {
  const given = Object.entries(edits).filter(([, value]) => value !== undefined);
  const wording: Wording = { ...proposed, ...Object.fromEntries(given) };
  return {
    ...wording,
    subject: wording.subject.trim(),
    decision: wording.decision.trim(),
    supersedes: [...new Set(wording.supersedes)],
    relates: [...new Set(wording.relates)],
  };
}

/** The edits, field by field: the journal has them too, but nobody reads it while ratifying. */
function recordOf(proposed: Wording, wording: Wording): Record<string, { proposed: unknown; ratified: unknown }> {
  const before = edited(proposed, {});
  const fields = Object.keys(wording) as (keyof Wording)[];
  return Object.fromEntries(
    fields
      .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(wording[field]))
      .map((field) => [field, { proposed: proposed[field], ratified: wording[field] }]),
  );
}

interface Closings {
  changes: Change[];
  closed: string[];
  refusal: RatifyRefusal | null;
}

function closingsOf(
  ids: readonly string[],
  successor: { id: string; window: Window },
  { decisions, proposals, memories, settlement }: RatifySituation,
): Closings {
  const changes: Change[] = [];
  const closed: string[] = [];
  for (const id of new Set(ids)) {
    const decision = decisions.get(id);
    const memory = memories.get(id);
    const refusal = decision
      ? linkFault(decision, successor, decisions)
      : memory
        ? memoryFault(memory)
        : missing(id, successor.id, proposals);
    if (refusal) return { changes: [], closed: [], refusal };
    if (decision) changes.push(closingAt("decision", decision, successor, settlement.at));
    // A memory forgotten in the meantime has nothing left to close.
    else if (memory?.status === "active") changes.push(closingAt("memory", memory, successor, settlement.at));
    else continue;
    closed.push(id);
  }
  return { changes, closed, refusal: null };
}

/** Its successor would stay active; the proposer did not know of it. */
function memoryFault({ id, supersededBy }: Item): RatifyRefusal | null {
  return supersededBy === null ? null : { why: "already superseded", id, by: supersededBy };
}

/** A decision whose successor begins later still holds until then, and search must find it. */
export function closingAt(
  shelf: "decision" | "memory",
  item: Item,
  successor: { id: string; window: Window },
  now: number,
): Change {
  const { from } = windowOf(item);
  return revising(shelf, item, {
    status: successor.window.from <= now ? "superseded" : "active",
    supersededBy: successor.id,
    validFrom: from,
    validUntil: Math.max(from, closedAt(item, successor.window.from)),
    updatedAt: now,
  });
}

function missing(id: string, asking: string, proposals: ReadonlyMap<string, Item>): RatifyRefusal {
  if (id === asking) return { why: "cycle", ids: [id, id] };
  const proposal = proposals.get(id);
  if (!proposal) return { why: "unknown decision", id };
  const loop = loopThrough(asking, id, proposals);
  return loop ? { why: "cycle", ids: loop } : { why: "not ratified", id, status: proposal.status };
}

/**
 * Proposals that supersede each other could never be ratified; returns the ids in the order in which they name each
 * other.
 */
function loopThrough(start: string, first: string, proposals: ReadonlyMap<string, Item>): string[] | null {
  const cameFrom = new Map([[first, start]]);
  for (const id of cameFrom.keys()) {
    const proposal = proposals.get(id);
    const named = proposal?.status === "pending" ? wordingOf(proposal).supersedes : [];
    if (named.includes(start)) {
      const trail = [start];
      for (let at = id; at !== start; at = cameFrom.get(at) ?? start) trail.unshift(at);
      return [start, ...trail];
    }
    for (const next of named) if (!cameFrom.has(next)) cameFrom.set(next, id);
  }
  return null;
}

function newDecision(
  proposal: Item,
  { subject, decision, rationale, rejected, evidence, supersedes, relates }: Wording,
  window: Window,
  edits: Record<string, unknown>,
  { settlement, author }: RatifySituation,
): Item {
  const { at } = settlement;
  return {
    ...proposal,
    ...author,
    type: "decision",
    status: "active",
    title: subject,
    content: decision,
    summary: summaryOf(decision),
    confidence: 1,
    hash: contentHash(decision),
    version: 1,
    createdAt: at,
    updatedAt: at,
    accessedAt: at,
    accessCount: 0,
    expiresAt: null,
    validFrom: window.from,
    validUntil: window.until,
    supersededBy: null,
    details: { ...proposal.details, rationale, rejected, evidence, supersedes, relates, ratified: settlement, edits },
  };
}

function settling(
  proposal: Item,
  status: "ratified" | "rejected",
  settlement: Settlement,
  more: Record<string, unknown>,
): Change {
  const details = { ...proposal.details, ...more, settled: settlement };
  return revising("proposal", proposal, { status, details, updatedAt: settlement.at });
}
