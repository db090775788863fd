/**
 * Breadth first through a graph: each level of items is what edges lead to from the level before.
 *
 * Every item is reached once, by its strongest edge at the least depth, so a cycle ends by itself.
 */
import type { Edge } from "../../model/memory/edge.ts";

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
