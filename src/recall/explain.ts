/**
 * Turns candidates into hits, with relevance, each ranker's share, contradictions, history, related items and
 * staleness. What holds is put first.
 */
import { withDescribedCode, withRelated } from "../graph/related.ts";
import type { Item } from "../memory/item.ts";
import { isBesideContent } from "../memory/passages.ts";
import type { StoredPassage } from "../memory/shelves.ts";
import { otherSessionOf } from "../memory/shown-item.ts";
import { type StalenessWorld, withStaleness } from "../memory/stale.ts";
import type { World } from "../world.ts";
import { departuresOf, ownSessionFirst, whatHoldsFirst } from "./blend.ts";
import { type HistoryWorld, hitOf, shownContent, withHistory, withRejected } from "./build-hit.ts";
import { coverage, coverageStems, type WordStatistics } from "./coverage.ts";
import { excerptOf } from "./excerpt.ts";
import type { Hit } from "./hit.ts";
import { type IsShown, withNeighbours } from "./neighbours.ts";
import {
  bestPassages,
  itemsOf,
  type PlacedCandidate,
  type RecallRequest,
  type SearchPlace,
  type StoreShelf,
} from "./places.ts";
import { kindOf } from "./question.ts";
import type { Kind } from "./ranking.ts";
import { fallingByBlocks, relevance } from "./relevance.ts";
import type { Scores } from "./search.ts";

/** Decisions beyond the limit that may still come before what is within it. */
const DECISIONS_BEYOND = 5;
/** The least match of such a decision, as a share of the best one: others could not come before anything. */
const BEYOND_MATCH_LEAST = 0.5;
/** Decisions with which every hit is compared. */
const DECISIONS_COMPARED = 10;
/** Of longer contents the part that answers the question is quoted. */
const EXCERPT_CHARACTERS = 400;
/** Hits whose relevances are made to follow their order together: as many as are usually shown. */
const BLOCK_HITS = 10;

interface Ranking {
  candidates: readonly PlacedCandidate[];
  /** All places searched: a word's weight must not depend on what was found. */
  places: readonly SearchPlace[];
  /** Whether all kinds were ranked by their own recipes, which relevance is fitted to. */
  isByOwnRecipes: boolean;
}

export async function explain(
  ranking: Ranking,
  request: RecallRequest,
  world: HistoryWorld & StalenessWorld & Pick<World, "origin" | "global">,
): Promise<Hit[]> {
  const { candidates } = ranking;
  const { limit, threshold, isRouted = false } = request;
  // Without a threshold every candidate passes, so only those to be shown are read, and those of their blocks.
  const looked = threshold > 0 ? candidates : firstOf(candidates, limit);
  const blocks = relevanceBlocks(looked, candidates, request);
  const items = await itemsOf([...new Set([...looked, ...blocks.flatMap(({ judged }) => judged)])]);
  const passages = await bestPassages([...items.keys()]);
  const stems = coverageStems(request.query);
  const relevances = await relevancesOf(blocks, { items, passages }, stems, ranking);
  const hits = hitsOf(looked, { items, passages }, { relevances, stems }, request, world);
  const relevant = ownSessionFirst(hits).filter((hit) => hit.relevance >= threshold);
  const shown = isRouted
    ? relevant.slice(0, limit)
    : whatHoldsFirst(await marked(relevant, { looked, items }, limit), limit);
  const explained = await withRelated(await withHistory(shown, candidates, { isRouted }, world), candidates);
  if (isRouted) return explained;
  const byId = new Map([...items.values()].map((item) => [item.id, item]));
  const complete = await withDescribedCode(await withRejected(explained, world), candidates, world);
  const { filter = {}, shelves } = request;
  // Whoever asks for passages, a status or a time is shown just that.
  const isFixed = request.eachPassage || filter.statuses || filter.createdAfter || filter.createdBefore;
  if (isFixed) return withStaleness(complete, byId, world);
  const isShown: IsShown = ({ item, shelf }) =>
    (shelves === undefined || shelves.includes(shelf)) && passes(item, filter);
  return withStaleness(await withNeighbours(complete, { query: request.query, limit, isShown }, world), byId, world);
}

const passes = (item: Item, { scopes, types, tags, minimumPriority = 0 }: RecallRequest["filter"] & object): boolean =>
  (!scopes || scopes.includes(item.scope)) &&
  (!types || types.includes(item.type)) &&
  (!tags || tags.every((tag) => item.tags.includes(tag))) &&
  item.priority >= minimumPriority;

/** Marks what may be shown, by the decisions that were found, even if those are too irrelevant to be shown. */
async function marked(
  relevant: readonly Hit[],
  { looked, items }: { looked: readonly PlacedCandidate[]; items: Texts["items"] },
  limit: number,
): Promise<Hit[]> {
  const decisions = looked
    .filter(({ place }) => place.shelf === "decision")
    .flatMap((candidate) => items.get(candidate) ?? [])
    .slice(0, DECISIONS_COMPARED);
  if (decisions.length === 0) return [...relevant];
  // Comparing statements takes many word lists, which most commands need not load.
  const { withContradictions } = await import("../decisions/opposes-decision.ts");
  return [...withContradictions(relevant.slice(0, limit), decisions), ...relevant.slice(limit)];
}

function firstOf(candidates: readonly PlacedCandidate[], limit: number): PlacedCandidate[] {
  const least = (candidates[0]?.match ?? 0) * BEYOND_MATCH_LEAST;
  const beyond = candidates.slice(limit).filter(({ place, match }) => place.shelf === "decision" && match >= least);
  return [...candidates.slice(0, limit), ...beyond.slice(0, DECISIONS_BEYOND)];
}

interface Texts {
  /** Missing ones were removed in the meantime by another process. */
  items: ReadonlyMap<PlacedCandidate, Item>;
  passages: ReadonlyMap<PlacedCandidate, StoredPassage>;
}

type Relevances = ReadonlyMap<PlacedCandidate, number>;

function hitsOf(
  candidates: readonly PlacedCandidate[],
  { items, passages }: Texts,
  { relevances, stems }: { relevances: Relevances; stems: readonly string[] },
  { eachPassage = false, isQuoted }: RecallRequest,
  world: HistoryWorld & Pick<World, "origin">,
): Hit[] {
  return candidates.flatMap((candidate) => {
    const [item, found] = [items.get(candidate), passages.get(candidate)];
    if (!item) return [];
    const { score, why } = candidate;
    const { shelf, filter } = candidate.place;
    const text = found?.text ?? item.content;
    const quotable = found?.itemId === item.id && !isBesideContent(text, item);
    const passage = quotable ? text : item.summary;
    const content = eachPassage || isQuoted ? passage : shownContent(item, passage);
    const isLong = content.length > EXCERPT_CHARACTERS;
    return hitOf(item, {
      shelf,
      score,
      why,
      found,
      departures: departuresOf(candidate, filter.now, world.settings.decay),
      relevance: relevances.get(candidate)!,
      content,
      excerpt: isLong ? excerptOf(quotable ? text : content, stems, EXCERPT_CHARACTERS) : undefined,
      showsPassage: eachPassage || shelf === "evidence",
      ...otherSessionOf(item, world),
    });
  });
}

interface RelevanceBlocks {
  kind: Kind;
  /** Among few candidates a share of the highest possible score means little. */
  areFew: boolean;
  /** Best match first. */
  judged: PlacedCandidate[];
}

/** Of each kind, the candidates to be shown and all that match better, up to the end of a block. */
function relevanceBlocks(
  looked: readonly PlacedCandidate[],
  candidates: readonly PlacedCandidate[],
  { query, eachPassage = false }: RecallRequest,
): RelevanceBlocks[] {
  const isLooked = new Set(looked);
  const kinds = Map.groupBy(candidates, ({ place }) => kindOf(place.shelf, query, eachPassage));
  return [...kinds].map(([kind, own]) => {
    const ordered = own.toSorted((a, b) => b.match - a.match || (a.key < b.key ? -1 : 1));
    const last = ordered.findLastIndex((candidate) => isLooked.has(candidate));
    return {
      kind,
      areFew: own.length < BLOCK_HITS,
      judged: ordered.slice(0, Math.ceil((last + 1) / BLOCK_HITS) * BLOCK_HITS),
    };
  });
}

async function relevancesOf(
  blocks: readonly RelevanceBlocks[],
  { items, passages }: Texts,
  stems: readonly string[],
  { places, isByOwnRecipes }: Ranking,
): Promise<Relevances> {
  const statistics = await statisticsFor(places, stems);
  const relevances = new Map<PlacedCandidate, number>();
  for (const { kind, areFew, judged } of blocks) {
    const estimates = judged.map((candidate) => {
      const { title = null, tags = [], content = "" } = items.get(candidate) ?? {};
      const text = `${title ?? ""}\n${passages.get(candidate)?.text ?? content}\n${tags.join(" ")}`;
      const { cosine, scores, match } = candidate;
      const exactWords = coverage(stems, text, statistics);
      const words = Math.max(scores.soft ?? 0, exactWords);
      const hasMatch = isByOwnRecipes && !areFew;
      const estimate = relevance(kind, { cosine, words, exactWords, match: hasMatch ? match : null });
      // A link to a decision about what was asked is knowledge, not likeness.
      return Math.max(estimate, scores.linked ?? 0);
    });
    for (const [index, value] of fallingByBlocks(estimates, BLOCK_HITS).entries())
      relevances.set(judged[index]!, value);
  }
  return relevances;
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

export async function statisticsFor(places: readonly SearchPlace[], stems: readonly string[]): Promise<WordStatistics> {
  const frequency = new Map<string, number>();
  let total = 0;
  for (const { store, shelf } of places) {
    const part = await store.wordStatistics(shelf, stems);
    total += part.total;
    for (const [stem, count] of part.frequency) frequency.set(stem, (frequency.get(stem) ?? 0) + count);
  }
  return { total, frequency };
}
