/**
 * Candidates that an edge connects with one that clearly answers the question.
 *
 * Only meaning is clear enough: a memory that merely shares words with the question says nothing about its neighbours.
 */
import { neighboursOf } from "../../logic/graph/neighbours.ts";
import { hasEdges } from "../../model/memory/edge.ts";
import { type PlacedCandidate, byPlace } from "./places.ts";

/** From this cosine on, a hit is almost always an answer. */
const STRONG_COSINE = 0.6;
const STRONG_MOST = 3;
const EDGES_MOST = 8;
/** A neighbour of an answer is less than one that is named itself. */
const LINKED_SHARE = 0.5;

/** Each such candidate's share, by the strength of the edge. */
export async function linkedWithStrong<Found extends Pick<PlacedCandidate, "id" | "place" | "cosine">>(
  candidates: readonly Found[],
): Promise<ReadonlyMap<Found, number>> {
  const shares = new Map<Found, number>();
  for (const [{ store, shelf }, here] of byPlace(candidates)) {
    const strong = here
      .filter(({ cosine }) => cosine !== null && cosine >= STRONG_COSINE)
      .toSorted((a, b) => b.cosine! - a.cosine!)
      .slice(0, STRONG_MOST)
      .map(({ id }) => id);
    if (strong.length === 0 || !hasEdges(shelf)) continue;
    const edges = await store.edgesOf(shelf, strong, { statuses: ["active"], limit: EDGES_MOST });
    const near = new Map(neighboursOf(new Set(strong), edges).map(({ id, strength }) => [id, strength]));
    for (const candidate of here) {
      const strength = near.get(candidate.id);
      if (strength !== undefined) shares.set(candidate, LINKED_SHARE * strength);
    }
  }
  return shares;
}
