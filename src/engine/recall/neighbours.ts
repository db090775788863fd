/** Puts hits beside what they are near and what nobody has settled, also if only one of the two was found. */
import { type HitPair, besideEachOther } from "../../logic/recall/neighbours.ts";
import { EDGE_SHELVES } from "../../model/memory/edges.ts";
import type { Hit } from "../../model/recall/hit.ts";
import { type PlacedNear, conditionsOf, unsettled } from "../memory/neighbours.ts";
import { hitOf, shownContent } from "./hit.ts";
import type { HistoryWorld } from "./history.ts";
import type { World } from "../../ports/world.ts";

const NEAR_SHELVES: readonly string[] = ["memory", "decision", "proposal"];

/** Whether a search with these restrictions shows the item. */
export type IsShown = (near: PlacedNear) => boolean;

export async function withNeighbours(
  hits: readonly Hit[],
  limit: number,
  isShown: IsShown,
  world: HistoryWorld & Pick<World, "global">,
): Promise<Hit[]> {
  const ids = hits.filter(({ shelf }) => NEAR_SHELVES.includes(shelf)).map(({ id }) => id);
  const found = await unsettled(ids, world);
  // Two that both hold are related.
  const conditions = new Map<string, string[]>();
  for (const shelf of EDGE_SHELVES) {
    const related = hits.filter((hit) => hit.shelf === shelf && hit.related.length > 0).map(({ id }) => id);
    for (const [id, when] of await conditionsOf(related, shelf, world)) conditions.set(id, when);
  }
  const known = new Map(hits.map((hit) => [hit.id, hit]));
  const pairs: HitPair[] = [];
  for (const { above, below, nearness, kind } of found) {
    const lower = known.get(below.item.id);
    if (!lower) continue;
    if (!known.has(above.item.id)) {
      if (!isShown(above)) continue;
      known.set(above.item.id, addedHit(above, lower));
    }
    pairs.push({ above: above.item.id, below: lower.id, nearness, contradicts: kind === "contradicts" });
  }
  const all = [...known.values()].map((hit) => {
    const when = conditions.get(hit.id);
    return when ? { ...hit, conditions: when } : hit;
  });
  return besideEachOther(all, pairs).slice(0, limit);
}

/** As relevant as the hit that it is near: the question was compared with that one. */
function addedHit({ item, shelf }: PlacedNear, { score, relevance }: Hit): Hit {
  const content = shownContent(item, item.summary);
  return hitOf(item, { shelf, score, relevance, why: {}, departures: { near: 1 }, content });
}
