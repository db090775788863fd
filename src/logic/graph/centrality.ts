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
