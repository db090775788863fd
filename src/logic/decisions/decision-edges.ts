/**
 * Decision edges: which decisions one contradicts or relates to.
 *
 * A contradiction that a person saw and ratified anyway is recorded as an edge. Superseded decisions get no edge: the
 * chain says more.
 */
import { ProposalDetails } from "../../model/decisions/decision.ts";
import type { Edge } from "../../model/memory/edge.ts";
import type { Item } from "../../model/memory/item.ts";
import { type Conflict, conflictsWith } from "./contradiction.ts";
import { type Decisions, type Window, holdingDuring, isVisible } from "./decision-chain.ts";
import { newEdge } from "../graph/edge-id.ts";

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
export function relatedOf(
  id: string,
  wording: { relates: string[]; supersedes: string[] },
  decisions: Decisions,
): Item[] {
  const naming = [...decisions.values()].filter(({ details }) => namesIn(details).includes(id)).map((item) => item.id);
  const ids = new Set([...wording.relates, ...naming]);
  return [...ids]
    .filter((one) => one !== id && !wording.supersedes.includes(one) && isKnown(one, decisions))
    .flatMap((one) => decisions.get(one) ?? []);
}

const namesIn = (details: Item["details"]): string[] => ProposalDetails.shape.relates.parse(details["relates"]);

/** Both relations are symmetric. */
export function edgesOf(id: string, related: readonly Item[], conflicts: readonly Conflict[], at: number): Edge[] {
  const edgeTo = (target: string, relation: Edge["relation"], strength: number): Edge =>
    newEdge({
      ...{ shelf: "decision", source: id, target, relation, strength },
      ...{ bidirectional: true, status: "active", createdAt: at },
    });
  return [
    ...related.map((item) => edgeTo(item.id, "relates_to", 1)),
    ...conflicts.map(({ id: other, energy }) => edgeTo(other, "contradicts", energy)),
  ];
}
