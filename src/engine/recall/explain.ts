/** Turns candidates into hits, with relevance, each ranker's share, history, related items and staleness. */
import { isBesideContent } from "../../logic/memory/cut-item.ts";
import { type WordStatistics, coverage, coverageStems, relevance } from "../../logic/recall/relevance.ts";
import type { Scores } from "../../model/recall/candidate.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Hit } from "../../model/recall/hit.ts";
import { withRelated } from "../memory/related.ts";
import { type StalenessWorld, withStaleness } from "../memory/stale.ts";
import { type HistoryWorld, withHistory, withRejected } from "./history.ts";
import { hitOf, shownContent } from "./hit.ts";
import type { PlacedCandidate, SearchPlace, StoreShelf } from "./places.ts";
import { bestPassages, itemsOf } from "./read-candidates.ts";
import type { RecallRequest } from "./request.ts";

/** `places` are all places searched: a word's weight must not depend on what was found. */
export async function explain(
  candidates: readonly PlacedCandidate[],
  request: RecallRequest,
  places: readonly SearchPlace[],
  world: HistoryWorld & StalenessWorld,
): Promise<Hit[]> {
  const { limit, threshold, isRouted = false } = request;
  // Without a threshold every candidate passes, so only those to be shown need to be read.
  const looked = threshold > 0 ? candidates : candidates.slice(0, limit);
  const items = await itemsOf(looked);
  const hits = await hitsOf(looked, items, request, places);
  const shown = hits.filter((hit) => hit.relevance >= threshold).slice(0, limit);
  const explained = await withRelated(await withHistory(shown, candidates, { isRouted }, world), candidates);
  if (isRouted) return explained;
  const byId = new Map([...items.values()].map((item) => [item.id, item]));
  return withStaleness(await withRejected(explained, world), byId, world);
}

async function hitsOf(
  candidates: readonly PlacedCandidate[],
  items: ReadonlyMap<PlacedCandidate, Item>,
  { query, eachPassage, isQuoted }: RecallRequest,
  places: readonly SearchPlace[],
): Promise<Hit[]> {
  const passages = await bestPassages(candidates);
  const stems = coverageStems(query);
  const statistics = await statisticsFor(places, stems);
  return candidates.flatMap((candidate) => {
    const [item, found] = [items.get(candidate), passages.get(candidate)];
    // Removed in the meantime by another process.
    if (!item) return [];
    const { score, why, cosine } = candidate;
    const { shelf } = candidate.place;
    const text = found?.text ?? item.content;
    const words = `${item.title ?? ""}\n${text}\n${item.tags.join(" ")}`;
    const excerpt = found?.itemId === item.id && !isBesideContent(text, item) ? text : item.summary;
    return hitOf(item, {
      ...{ shelf, score, why, found },
      relevance: relevance(cosine, coverage(stems, words, statistics)),
      content: eachPassage || isQuoted ? excerpt : shownContent(item, excerpt),
      showsPassage: eachPassage || shelf === "evidence",
    });
  });
}

/** Hits for items that were found by name: each matches completely. */
export async function namedHits(
  items: readonly Item[],
  place: StoreShelf,
  world: HistoryWorld,
  why: Scores = {},
): Promise<Hit[]> {
  const hits = items.map((item) =>
    hitOf(item, { shelf: place.shelf, score: 1, relevance: 1, why, content: shownContent(item, item.summary) }),
  );
  const entries = items.map(({ id }) => ({ id, place }));
  return withRelated(await withHistory(hits, entries, { isRouted: true }, world), entries);
}

async function statisticsFor(places: readonly SearchPlace[], stems: readonly string[]): Promise<WordStatistics> {
  const frequency = new Map<string, number>();
  let total = 0;
  for (const { store, shelf } of places) {
    const part = await store.wordStatistics(shelf, stems);
    total += part.total;
    for (const [stem, count] of part.frequency) frequency.set(stem, (frequency.get(stem) ?? 0) + count);
  }
  return { total, frequency };
}
