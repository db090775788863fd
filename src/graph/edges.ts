/**
 * Edge: a typed relation between two items of one shelf, within one store.
 *
 * A stated edge never changes: to say something else, it is removed and another inserted. A made edge is derived from
 * the texts of two memories and may be made again at any time. The id is derived from what an edge connects, so the same
 * relation between the same two items is one edge, whoever creates it.
 */
import { handleOf } from "../memory/handles.ts";
import type { Verdict } from "../memory/verdict.ts";
import type { Shelf } from "../memory/shelves.ts";
import { contentHash } from "../text/content-hash.ts";

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
type EdgeTriple = Pick<Edge, "shelf" | "source" | "target" | "relation" | "made">;

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

/** New edges: the same relation between the same two items always has the same id. */
const ID_CHARACTERS = 32;

export const edgeId = ({ shelf, source, target, relation, made }: EdgeTriple): string =>
  contentHash(JSON.stringify([shelf, source, relation, target, ...(made ? ["made"] : [])])).slice(0, ID_CHARACTERS);

/** The id of the same relation in the other direction. */
export const reversedEdgeId = (edge: EdgeTriple): string =>
  edgeId({ ...edge, source: edge.target, target: edge.source });

export const newEdge = (edge: Omit<Edge, "id">): Edge => ({ ...edge, id: edgeId(edge) });

/** The ids that edges between two items can have, stated and made, in either direction. */
export const possibleEdgeIds = (shelf: EdgeShelf, one: string, two: string): string[] =>
  [
    { source: one, target: two },
    { source: two, target: one },
  ].flatMap((ends) => [
    ...RELATIONS.map((relation) => edgeId({ shelf, ...ends, relation })),
    edgeId({ shelf, ...ends, relation: "relates_to", made: true }),
  ]);

/** The items that edges lead to from a group of items. */
interface Neighbour {
  id: string;
  strength: number;
}

/** Each once, by its strongest edge, strongest first; edges are followed from either end. */
export function neighboursOf(own: ReadonlySet<string>, edges: readonly Edge[]): Neighbour[] {
  const found = new Map<string, number>();
  for (const { source, target, strength } of edges) {
    if (own.has(source) === own.has(target)) continue;
    const other = own.has(source) ? target : source;
    found.set(other, Math.max(strength, found.get(other) ?? 0));
  }
  return [...found]
    .map(([id, strength]) => ({ id, strength }))
    .sort((one, two) => two.strength - one.strength || (one.id < two.id ? -1 : 1));
}

/** The items within as many steps as there are levels of edges, nearer ones first, at most so many. */
export function nearestWithin(own: ReadonlySet<string>, levels: readonly (readonly Edge[])[], most: number): string[] {
  const reached = new Set(own);
  const found: string[] = [];
  for (const edges of levels) {
    const next = neighboursOf(reached, edges).map(({ id }) => id);
    // What does not fit on one level is no step to the next.
    found.push(...next.slice(0, most - found.length));
    if (found.length >= most) break;
    for (const id of next) reached.add(id);
  }
  return found;
}

/**
 * Centrality: how many memories lead to one, as a share of the most that lead to any.
 *
 * Only active edges that somebody stated count: those made between repetitions would keep all of them from fading. Few
 * edges say little, so a hub needs some of its own, however small the store.
 */
const HUB_EDGES = 3;

export const centralityOf = (inDegree: number, most: number): number => (most <= 0 ? 0 : Math.min(1, inDegree / most));

export const isHub = (inDegree: number): boolean => inDegree >= HUB_EDGES;

/** In a small store a few edges are the most that any memory has; they must not count like the many of a large one. */
const MOST_AT_LEAST = 10;

/** Centrality as far as it says anything about a memory's worth: that of a hub. */
export const standingCentrality = (inDegree: number, most: number): number =>
  isHub(inDegree) ? centralityOf(inDegree, Math.max(most, MOST_AT_LEAST)) : 0;

/**
 * Breadth first through a graph: each level of items is what edges lead to from the level before.
 *
 * Every item is reached once, by its strongest edge at the least depth, so a cycle ends by itself.
 */
export type Direction = "outgoing" | "incoming" | "both";

/** An item, and the edge by which it was reached; null for the one it begins with. */
export interface Reached {
  id: string;
  depth: number;
  via: Edge | null;
  /** The item at the other end of that edge. */
  from: string | null;
}

/** The items one step from `level`, strongest first, without those reached before. `edges`: those of the level. */
export function nextLevel(
  level: readonly Reached[],
  edges: readonly Edge[],
  reached: ReadonlySet<string>,
  direction: Direction,
): Reached[] {
  const depths = new Map(level.map(({ id, depth }) => [id, depth]));
  const found = new Map<string, Reached>();
  const strongestFirst = edges.toSorted((a, b) => b.strength - a.strength || (a.id < b.id ? -1 : 1));
  for (const edge of strongestFirst)
    for (const { from, to } of stepsAlong(edge, direction)) {
      const depth = depths.get(from);
      if (depth === undefined || reached.has(to) || found.has(to)) continue;
      found.set(to, { id: to, depth: depth + 1, via: edge, from });
    }
  return [...found.values()];
}

function stepsAlong({ source, target, bidirectional }: Edge, direction: Direction): { from: string; to: string }[] {
  const isForward = bidirectional || direction !== "incoming";
  const isBackward = bidirectional || direction !== "outgoing";
  return [...(isForward ? [{ from: source, to: target }] : []), ...(isBackward ? [{ from: target, to: source }] : [])];
}

/** The direction of an edge, as seen from one of its ends. */
export function directionFrom(end: string, { source, bidirectional }: Edge): Direction {
  if (bidirectional) return "both";
  return source === end ? "outgoing" : "incoming";
}
