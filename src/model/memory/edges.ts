/**
 * Edge: a typed relation between two items of one shelf, within one store.
 *
 * A stated edge never changes: to say something else, it is removed and another inserted. A made edge is derived from
 * the texts of two memories and may be made again at any time. The id is derived from what an edge connects, so the same
 * relation between the same two items is one edge, whoever creates it.
 */
import { handleOf } from "./handles.ts";
import type { Verdict } from "./near.ts";
import type { Shelf } from "./shelves.ts";

export const EDGE_SHELVES = ["memory", "decision"] as const satisfies readonly Shelf[];
export type EdgeShelf = (typeof EDGE_SHELVES)[number];
export const hasEdges = (shelf: Shelf): shelf is EdgeShelf => (EDGE_SHELVES as readonly Shelf[]).includes(shelf);

export const RELATIONS = [
  "relates_to",
  "derived_from",
  "contradicts",
  "exemplifies",
  "refines",
  "supersedes",
  "source_of",
] as const;
export type Relation = (typeof RELATIONS)[number];

/** These hold in both directions, so it does not matter which end is named first. */
const SYMMETRIC: readonly Relation[] = ["relates_to", "contradicts"];
export const isSymmetric = (relation: Relation): boolean => SYMMETRIC.includes(relation);

/** A suggested edge is pending until someone agrees; a dismissed one is kept so that it is not suggested again. */
export const EDGE_STATUSES = ["active", "suggested", "dismissed"] as const;
export type EdgeStatus = (typeof EDGE_STATUSES)[number];

export interface Edge {
  id: string;
  shelf: EdgeShelf;
  source: string;
  target: string;
  relation: Relation;
  /** From 0 to 1. */
  strength: number;
  /** The relation holds in both directions. */
  bidirectional: boolean;
  status: EdgeStatus;
  createdAt: number;
  /** What was settled about the two, if it was. */
  verdict?: Verdict;
  /** Derived from the texts. While anything is stated about the same two items, it is dismissed. */
  made?: true;
}

/** Identifies an edge. */
export type EdgeTriple = Pick<Edge, "shelf" | "source" | "target" | "relation" | "made">;

/** An edge as a person reads it. */
export const edgeName = ({ source, target, relation }: Pick<EdgeTriple, "source" | "target" | "relation">): string =>
  `${handleOf(source)} ${relation.replaceAll("_", " ")} ${handleOf(target)}`;

const PASSIVE: Partial<Record<Relation, string>> = {
  derived_from: "basis of",
  exemplifies: "exemplified by",
  refines: "refined by",
  supersedes: "superseded by",
  source_of: "has as source",
};

/** What one end of an edge is to the other, in words; `direction` is that of the edge as seen from the other end. */
export const relationTo = (relation: Relation, direction: "outgoing" | "incoming" | "both"): string =>
  (direction === "outgoing" ? PASSIVE[relation] : undefined) ?? relation.replaceAll("_", " ");

/** How many edges that count lead to some memories. */
export interface InDegrees {
  /** Without memories that none leads to. */
  of: Map<string, number>;
  /** Of the memory with the most, in the whole store. */
  most: number;
}
