/** The items that edges lead to from a group of items. */
import type { Edge } from "../../model/memory/edge.ts";

export interface Neighbour {
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
