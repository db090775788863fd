/**
 * The changes by which somebody relates two memories, or says that they are not related.
 *
 * A relation that holds both ways exists once, whichever end was named first. What was made from the texts is accepted by
 * stating it, and dismissed by an edge that says so: otherwise it would be made again.
 */
import type { Change } from "../../model/journal/change.ts";
import { type Edge, type Relation, isSymmetric } from "../../model/memory/edge.ts";
import type { Item } from "../../model/memory/item.ts";
import { newEdge } from "./edge-id.ts";
import { closing } from "../memory/item-changes.ts";

const FULL_STRENGTH = 1;

export interface LinkRequest {
  source: Pick<Item, "id">;
  target: Item;
  relation: Relation;
  /** That of the existing or made edge when omitted, else 1. */
  strength?: number | undefined;
}

export interface PlannedLink {
  status: "linked" | "accepted" | "unchanged";
  edge: Edge;
  changes: Change[];
}

/** `between`: all edges between the two. */
export function planLink(
  { source, target, relation, strength: given }: LinkRequest,
  between: readonly Edge[],
  now: number,
): PlannedLink {
  const isSame = (edge: Edge) => edge.relation === relation && (isSymmetric(relation) || edge.source === source.id);
  const stated = between.filter((edge) => !edge.made && isSame(edge));
  const active = stated.find(({ status }) => status === "active");
  const made = between.find((edge) => edge.made && isSame(edge));
  if (active && (given === undefined || given === active.strength))
    return { status: "unchanged", edge: active, changes: [] };
  const edge = newEdge({
    ...{ shelf: "memory", source: source.id, target: target.id, relation },
    strength: given ?? made?.strength ?? FULL_STRENGTH,
    ...{ bidirectional: isSymmetric(relation), status: "active", createdAt: now },
  });
  const changes: Change[] = [
    ...stated.map(removing),
    ...(relation === "supersedes" && !active ? [closing(target, source.id, now)] : []),
    { kind: "insert_edge", edge },
  ];
  return { status: made && !active ? "accepted" : "linked", edge, changes };
}

const removing = ({ shelf, id }: Edge): Change => ({ kind: "remove_edge", shelf, id });

export interface PlannedUnlink {
  /** What was removed; for a made edge what was dismissed. */
  edges: Edge[];
  changes: Change[];
}

/**
 * Of one relation, or of all when it is omitted. A made edge is dismissed if it was in force or accepted; one that only
 * gave way to another relation counts again.
 */
export function planUnlink(relation: Relation | undefined, between: readonly Edge[], now: number): PlannedUnlink {
  const isMeant = (edge: Edge) => relation === undefined || edge.relation === relation;
  const inForce = between.filter((edge) => edge.status !== "dismissed" && isMeant(edge));
  const stated = inForce.filter((edge) => !edge.made);
  const isAccepted = (edge: Edge) => stated.some((other) => other.relation === edge.relation);
  const made = between.find((edge) => edge.made && (inForce.includes(edge) || isAccepted(edge)));
  const isDismissed = between.some((edge) => !edge.made && edge.status === "dismissed");
  const dismissal = made && !isDismissed ? [dismissing(made, now)] : [];
  const edges = [...new Set([...inForce, ...(made && !isDismissed ? [made] : [])])];
  return { edges, changes: [...stated.map(removing), ...dismissal] };
}

/** Stated, so that it is journaled and exported like everything else that somebody said. */
function dismissing({ id: _, made: __, ...edge }: Edge, now: number): Change {
  return { kind: "insert_edge", edge: newEdge({ ...edge, status: "dismissed", createdAt: now }) };
}
