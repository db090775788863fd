/**
 * Blend: what an item is worth beside how well it matches.
 *
 * Priority, confidence and standing among its neighbours multiply the fused score; a
 * neutral item (priority 5, confidence 1) keeps it but for the graph's common factor.
 */
import { PRIORITY_OF_WEIGHT } from "../../model/memory/memory.ts";

export interface Standing {
  priority: number;
  confidence: number;
  /** PageRank or centrality, 0–1 among its peers. */
  centrality: number;
}

export function blendFactor({ priority, confidence, centrality }: Standing): number {
  return (weightOf(priority) / 3) * (0.7 + 0.3 * confidence) * (0.8 + 0.2 * centrality);
}

const STEPS = Object.entries(PRIORITY_OF_WEIGHT).map(([weight, at]) => ({ weight: Number(weight), at }));

/** Priority 1, 3, 5, 8, 10 is weight 1 to 5; what lies between is interpolated. */
export function weightOf(priority: number): number {
  const upper = STEPS.find(({ at }) => at >= priority) ?? STEPS.at(-1)!;
  const lower = STEPS.findLast(({ at }) => at <= priority) ?? STEPS[0]!;
  if (upper.at === lower.at) return upper.weight;
  return lower.weight + (priority - lower.at) / (upper.at - lower.at);
}
