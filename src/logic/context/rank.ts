/**
 * The rank of an item for the surface, from 0 to 1: what is trusted, matters, is linked and is used, and a little more
 * if it comes from the branch that is checked out.
 */
const WEIGHTS = { confidence: 0.5, priority: 0.2, centrality: 0.15, access: 0.15, branch: 0.1 } as const;
const HIGHEST_PRIORITY = 10;

export interface RankedBy {
  /** After decay. */
  confidence: number;
  priority: number;
  /** From 0 to 1. */
  centrality: number;
  accessCount: number;
  isOfBranch: boolean;
}

/** `mostAccesses` are those of the memory that was read most often. */
export function surfaceRank(
  { confidence, priority, centrality, accessCount, isOfBranch }: RankedBy,
  mostAccesses: number,
): number {
  const access = mostAccesses > 0 ? Math.log(accessCount + 1) / Math.log(mostAccesses + 1) : 0;
  const rank =
    WEIGHTS.confidence * confidence +
    WEIGHTS.priority * (priority / HIGHEST_PRIORITY) +
    WEIGHTS.centrality * centrality +
    WEIGHTS.access * access +
    (isOfBranch ? WEIGHTS.branch : 0);
  return Math.min(1, Math.max(0, rank));
}
