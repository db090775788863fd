/**
 * Searches one shelf: by words, by substring, by vector.
 *
 * Each returns its ranking page by page; the page walk filters it.
 */
import { shortlist } from "../../../logic/recall/shortlist.ts";
import { SHELVES, type Shelf } from "../../../model/memory/shelves.ts";
import type { Filter, KeywordQuery, Ranked, VectorQuery } from "../../../model/recall/search.ts";
import { type Scored, rankedByCount } from "../../rows/search/page-plan.ts";
import {
  CHECKED_SHARE,
  LARGE_STORE_PASSAGES,
  SELECTIVE_PASSAGES,
  SUBSTRING_PASSAGES,
  WHOLE_RANKING,
} from "../../rows/search/search-limits.ts";
import type { Database, OpenDatabase } from "../connection/database.ts";
import { IS_REPLACED, filterClause, isSelective, reachable } from "../items/filter.ts";
import { type FetchPage, type Page, pageWalk } from "./page-walk.ts";
import { largeShelf } from "./large-shelf.ts";
import { vectorIndex } from "./vector-index.ts";
import { vectorRows } from "./vector-rows.ts";
import type { ReadStatistics } from "./word-statistics.ts";
import { type Question, type WordRanking, wordRanking } from "./word-ranking.ts";

export interface ShelfSearch {
  keyword(query: KeywordQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  substring(text: string, filter: Filter, limit: number): Promise<Ranked[]>;
  nearest(query: VectorQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  cosines(query: VectorQuery, passages: readonly number[]): Promise<(number | null)[]>;
  vectors(embedder: string, passages: readonly number[]): Promise<(Float32Array | null)[]>;
}

export interface ShelfSearchOptions {
  statistics: ReadStatistics;
  heldPassages: number;
}

export function shelfSearch(
  db: OpenDatabase,
  shelf: Shelf,
  { statistics, heldPassages }: ShelfSearchOptions,
): ShelfSearch {
  const statements = prepare(db, shelf);
  const paged = pageWalk(db, shelf);
  const readRows = vectorRows(db, shelf);
  const vectors = vectorIndex(db, shelf, { heldPassages, readRows });
  const everyReachable = (filter: Filter) => statements.everyReachable.all(reachable(filter));
  const nearestOfMany = largeShelf(db, shelf, { paged, readRows, everyReachable });
  const words = wordRanking(db, shelf, statistics);

  return {
    async keyword({ terms, eachPassage, isCounted }, filter, limit) {
      if (terms.length === 0) return [];
      const question = await words.ask(isCounted ? [...new Set(terms)] : terms);
      if (question.sought.length === 0) return [];
      const fetch = isCounted
        ? await counting(words, question)
        : await ranking(words, question, { isSingle: terms.length === 1, limit, filter });
      return paged(fetch, filter, { limit, eachPassage });
    },
    async substring(text, filter, limit) {
      // Only ASCII is compared without case: other letters match as written, or in lower case.
      const parameters = { ...reachable(filter), text, lowered: text.toLowerCase() };
      const fetch = async (size: number, offset: number) =>
        onPage(
          (await statements.containing.all({ ...parameters, size, offset })).map((passage) => ({ passage, score: 0 })),
        );
      const found = await paged(fetch, filter, { limit });
      return found.map((ranked, place) => ({ ...ranked, score: 1 / (1 + place) }));
    },
    async nearest(query, filter, limit) {
      const { embedder, vector, eachPassage } = query;
      const rows = await vectors.refresh(embedder, vector.length);
      if (rows === null) return nearestOfMany(query, filter, limit);
      if (rows === 0) return [];
      // The filter is run over all items only if the nearest mostly fail it, because that reads every item.
      const isNarrow = isSelective(filter);
      const allowed = async () => vectors.bitmap(embedder, await everyReachable(filter));
      const fetch = async (size: number, offset: number) =>
        onPage(
          isNarrow && offset > CHECKED_SHARE * rows
            ? vectors.nearest(embedder, vector, offset + size, await allowed())
            : vectors.nearest(embedder, vector, offset + size).slice(offset),
        );
      return paged(fetch, filter, { limit, eachPassage });
    },
    cosines: ({ embedder, vector }, passages) => vectors.cosines(embedder, vector, passages),
    vectors: (embedder, passages) => vectors.vectors(embedder, passages),
  };
}

/** Ranks by words. In a large store only passages with the rarest words are candidates, but all words count. */
async function ranking(
  words: WordRanking,
  question: Question,
  { isSingle, limit, filter }: { isSingle: boolean; limit: number; filter: Filter },
): Promise<FetchPage> {
  const { sought, total } = question;
  const looked = { first: limit, filter };
  const every = (size: number, offset: number) => words.ranked(question, { size, offset, looked });
  if (isSingle || total < LARGE_STORE_PASSAGES) return every;
  const rare = sought.filter(({ frequency }) => frequency <= SELECTIVE_PASSAGES);
  if (rare.length === 0) return every;
  const lists = await words.holding(rare);
  const { passages, isWhole } = shortlist(lists, total, limit);
  let isExhausted = false;
  return async (size, offset) => {
    const some = { size: offset === 0 || isWhole ? size : null, offset, among: passages, looked };
    const among = await words.ranked(question, some);
    if (isWhole || among.scored.length >= size) return among;
    // The filter leaves too few: all others follow at once, because each page would score them all again.
    const rest = isExhausted ? onPage([]) : await every(WHOLE_RANKING, 0);
    isExhausted = true;
    return rest;
  };
}

/** Ranks by how many of the terms a passage has. */
async function counting(words: WordRanking, { sought }: Question): Promise<FetchPage> {
  const ranked = rankedByCount(await words.holding(sought));
  return (size, offset) => onPage(ranked.slice(offset, offset + size));
}

const onPage = (scored: readonly Scored[]): Page => ({ scored });

/** The shelves that have a passage. */
export function filledShelves(db: OpenDatabase): () => Promise<Shelf[]> {
  const filled = db.prepareColumn<Shelf>(
    SHELVES.map((shelf) => `select '${shelf}' where exists (select 1 from ${shelf}_passage)`).join(" union all "),
  );
  const topics = SHELVES.map((shelf) => `passages ${shelf}` as const);
  return db.kept(topics, () => filled.all());
}

function prepare(db: Database, shelf: Shelf) {
  const isReachable = `((${filterClause(shelf)}) or (@via::boolean and ${IS_REPLACED}))`;
  const holds = (column: string) =>
    `strpos(lower(${column}), lower(@text::text collate "C")) > 0 or strpos(lower(${column}), @lowered::text) > 0`;
  return {
    everyReachable: db.prepareColumn<number>(`
      select passage.seq from ${shelf}_item item join ${shelf}_passage passage on passage.item_seq = item.seq
      where ${isReachable}`),
    containing: db.prepareColumn<number>(`
      select max(passage.seq) as passage
      from (select seq, item_seq, text from ${shelf}_passage order by seq desc limit ${SUBSTRING_PASSAGES}) passage
      join ${shelf}_item item on item.seq = passage.item_seq
      where (${holds("passage.text")} or ${holds("item.title")}) and ${isReachable}
      group by item.seq order by passage desc limit @size offset @offset`),
  };
}
