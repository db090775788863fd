/**
 * Puts a hit directly before the one that it stands above, and says so beside that one, until somebody settles the two.
 *
 * No hit is left out for it. What the question asks for stays where it is: a hit that it names in place of the other, or
 * that answers it far better. Then the other is only told with it.
 */
import { EDGE_SHELVES } from "../graph/edges.ts";
import { identityOf } from "../memory/handles.ts";
import { besideEachOther } from "../memory/beside.ts";
import type { Condition } from "../memory/near-pair.ts";
import { asksFor } from "../memory/nearness.ts";
import { conditionsOf, isEarlier, type Neighbours, type PlacedNear, standingAmong } from "../memory/neighbours.ts";
import { isoTime } from "../memory/shown-item.ts";
import type { World } from "../world.ts";
import { type HistoryWorld, hitOf, shownContent } from "./build-hit.ts";
import type { Hit } from "./hit.ts";
import type { Ranker } from "./ranking.ts";

const NEAR_SHELVES: readonly string[] = ["memory", "decision", "proposal"];
/** What is so many times as relevant, or less, is about something else, as far as the question goes. */
const FAR_LESS = 0.5;
/** Less near ones are about the same thing too often not to be told, and too seldom to be moved. */
const MOVED_LEAST = 0.9;

/** Whether a search with these restrictions shows the item. */
export type IsShown = (near: PlacedNear) => boolean;

export async function withNeighbours(
  hits: readonly Hit[],
  { query, limit, isShown }: { query: string; limit: number; isShown: IsShown },
  world: HistoryWorld & Pick<World, "global" | "place">,
): Promise<Hit[]> {
  const found = await standingAmong(
    hits.filter(({ shelf }) => NEAR_SHELVES.includes(shelf)).map(({ id }) => id),
    world,
  );
  const known = new Map(hits.map((hit) => [hit.id, hit]));
  const moved: { above: string; below: string }[] = [];
  for (const [id, { above, kind, nearness }] of found) {
    const below = known.get(id)!;
    const upper = known.get(above.item.id);
    const isLess = nearness < MOVED_LEAST || (upper?.relevance ?? 0) < below.relevance * FAR_LESS;
    const isNamed = isFoundByName(below, upper) || asksFor(query, below.content, above.item.content);
    if ((isLess && kind !== "contradicts") || isNamed || !isShown(above)) continue;
    if (!upper && known.size >= limit) continue;
    if (!upper) known.set(above.item.id, addedHit(above, below));
    moved.push({ above: above.item.id, below: id });
  }
  const besideOthers = await conditionsAmong(hits, world);
  const ordered = besideEachOther([...known.values()], moved);
  const placed = withScoresOf(
    [...known.values()].map(({ score }) => score),
    ordered,
  );
  return placed.map((hit, index) => {
    const pair = found.get(hit.id);
    const when = besideOthers.get(hit.id);
    if (!pair && !when) return hit;
    const conditions = when && [...(hit.conditions ?? []), ...when];
    return { ...hit, ...(conditions && { conditions }), ...(pair && { beside: besideOf(pair, placed[index - 1]) }) };
  });
}

/** Found by signs, a name, a file or a day that the question mentions, by which the other was not found. */
const isFoundByName = ({ why }: Hit, other: Hit | undefined): boolean =>
  (["substring", "entity", "temporal"] satisfies Ranker[]).some(
    (ranker) => ranker in why && !(ranker in (other?.why ?? {})),
  );

/** What stands directly before a hit need not be told again. */
function besideOf({ above, below, kind }: Neighbours, before: Hit | undefined): NonNullable<Hit["beside"]> {
  const { id, createdAt, summary } = above.item;
  return {
    ...identityOf(id),
    contradicts: kind === "contradicts",
    createdAt: isoTime(createdAt),
    is: isEarlier(below.item, above.item) ? "earlier" : "later",
    ...(before?.id !== id && { summary }),
  };
}

/** Two that both hold are related. */
async function conditionsAmong(
  hits: readonly Hit[],
  world: Pick<World, "project" | "global">,
): Promise<Map<string, Condition[]>> {
  const conditions = new Map<string, Condition[]>();
  for (const shelf of EDGE_SHELVES) {
    const related = hits.filter((hit) => hit.shelf === shelf && hit.related.length > 0).map(({ id }) => id);
    for (const [id, when] of await conditionsOf(related, shelf, world)) conditions.set(id, when);
  }
  return conditions;
}

/** As relevant as the hit that it contradicts: the question was compared with that one. */
function addedHit({ item, shelf }: PlacedNear, { score, relevance }: Hit): Hit {
  const content = shownContent(item, item.summary);
  return hitOf(item, { shelf, score, relevance, why: {}, departures: { near: 1 }, content });
}

/** Scores order the answer, so a hit that was moved gets the score of its new place, and says why. */
function withScoresOf(scores: readonly number[], after: readonly Hit[]): Hit[] {
  const sorted = scores.toSorted((one, two) => two - one);
  return after.map((hit, at) => {
    const score = sorted[at]!;
    if (score === hit.score) return hit;
    const change = hit.score > 0 ? score / hit.score - 1 : 1;
    return { ...hit, score, why: { ...hit.why, near: Math.round(change * 1_000) / 1_000 } };
  });
}
