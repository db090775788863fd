/**
 * What a decision is tied to: what it contradicts, and what it relates to.
 *
 * A contradiction that a person has seen and ratified all the same stays on record as an edge. What a
 * decision means to replace is neither: there the chain says more.
 */
import { ProposalDetails } from "../../model/decisions/decision.ts";
import type { Edge } from "../../model/memory/edge.ts";
import type { Item } from "../../model/memory/item.ts";
import { type Conflict, conflictsWith } from "./contradiction.ts";
import { type Decisions, type Window, holdingDuring, isTold } from "./decision-chain.ts";
import { newEdge } from "../memory/edge-id.ts";

export interface Claim {
  subject: string;
  decision: string;
  supersedes: readonly string[];
  window: Window;
}

/** Nobody reads more of them, nor more of each. */
const CONFLICTS_TOLD = 20;
const CONFLICT_CHARACTERS = 500;

const shortened = (text: string): string =>
  text.length <= CONFLICT_CHARACTERS ? text : `${text.slice(0, CONFLICT_CHARACTERS - 1).toWellFormed()}…`;

/** What holds during its window and says otherwise, the strongest first. */
export function conflictsOf(claim: Claim, decisions: Decisions, now: number): Conflict[] {
  const others = holdingDuring(decisions.values(), claim.window, now).filter(
    ({ id }) => !claim.supersedes.includes(id),
  );
  const found = conflictsWith(
    claim,
    others.map(({ id, title, content }) => ({ id, subject: title ?? "", decision: content })),
  );
  return found.slice(0, CONFLICTS_TOLD).map((conflict) => ({ ...conflict, decision: shortened(conflict.decision) }));
}

/** The first id that names no decision which holds or held. */
export const unknownAmong = (ids: readonly string[], decisions: Decisions): string | undefined =>
  ids.find((id) => !isKnown(id, decisions));

const isKnown = (id: string, decisions: Decisions): boolean => {
  const item = decisions.get(id);
  return item !== undefined && isTold(item);
};

/**
 * What a new decision relates to of what is there, and what there relates to it: of two that are ratified one after
 * the other, the first may have named the second. One that was taken back meanwhile is left out.
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

/** Both say the same read from either end. */
export function edgesOf(id: string, related: readonly Item[], conflicts: readonly Conflict[], at: number): Edge[] {
  const tied = (target: string, relation: Edge["relation"], strength: number): Edge =>
    newEdge({
      ...{ shelf: "decision", source: id, target, relation, strength },
      ...{ bidirectional: true, status: "active", createdAt: at },
    });
  return [
    ...related.map((item) => tied(item.id, "relates_to", 1)),
    ...conflicts.map(({ id: other, energy }) => tied(other, "contradicts", energy)),
  ];
}
