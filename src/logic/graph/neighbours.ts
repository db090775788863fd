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
