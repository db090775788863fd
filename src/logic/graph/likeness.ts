/**
 * Likeness: what the words two memories share say about them.
 *
 * Below a tenth they have nothing to do with each other. In the middle the words alone cannot tell, so a person is
 * asked. Above one half the two may say the same thing.
 */
import type { EdgeStatus } from "../../model/memory/edge.ts";

export type Likeness = "none" | "related" | "suggested" | "consolidation_candidate" | "strong";

/** Whether two memories that share so much of their words are candidates for consolidation. */
export const maySayTheSame = (jaccard: number): boolean => jaccard > 0.5;

export function likenessOf(jaccard: number): Likeness {
  if (jaccard < 0.1) return "none";
  if (jaccard < 0.4) return "related";
  if (!maySayTheSame(jaccard)) return "suggested";
  return jaccard > 0.6 ? "strong" : "consolidation_candidate";
}

/** The status in which an edge of this strength is made. */
export const statusOfMade = (strength: number): EdgeStatus =>
  likenessOf(strength) === "suggested" ? "suggested" : "active";
