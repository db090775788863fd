/**
 * The place of memories among those they are related to, for everything that depends on it when they age.
 *
 * Nothing computes centrality, so every memory counts as being at the edge of the graph, and none as a hub.
 */
import type { GraphStanding } from "../../model/care/aging.ts";

const AT_THE_EDGE: GraphStanding = { centrality: 0, isHub: false };

export async function graphStandings(ids: readonly string[]): Promise<(id: string) => GraphStanding> {
  const known = new Map(ids.map((id) => [id, AT_THE_EDGE]));
  return (id) => known.get(id) ?? AT_THE_EDGE;
}
