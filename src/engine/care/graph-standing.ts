/** The place of memories among those they are related to, for everything that depends on it when they age. */
import { isHub, standingCentrality } from "../../logic/graph/centrality.ts";
import type { GraphStanding } from "../../model/care/aging.ts";
import type { EdgeReads } from "../../ports/store/edges.ts";

export async function graphStandings(ids: readonly string[], store: EdgeReads): Promise<(id: string) => GraphStanding> {
  const { of, most } = await store.inDegrees(ids);
  return (id) => {
    const inDegree = of.get(id) ?? 0;
    return { centrality: standingCentrality(inDegree, most), isHub: isHub(inDegree) };
  };
}
