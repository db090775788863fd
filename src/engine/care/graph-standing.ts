/**
 * The place of memories among those they are related to, for everything that depends on it when they age.
 *
 * Nothing computes centrality, so every memory counts as being at the edge of the graph, and none as a hub.
 */
import type { GraphStanding } from "../../model/care/aging.ts";
import type { EdgeReads } from "../../ports/edges.ts";

const AT_THE_EDGE: GraphStanding = { centrality: 0, isHub: false };

export async function graphStandings(
  _ids: readonly string[],
  _store: EdgeReads,
): Promise<(id: string) => GraphStanding> {
  return () => AT_THE_EDGE;
}
