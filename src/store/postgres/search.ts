/**
 * Searches one shelf: by words, by substring, by vector.
 *
 * Each returns its ranking page by page; the page walk filters it.
 */
import { dotQuantised, type Quantised } from "../../embed/quantise.ts";
import { type Shelf, SHELVES } from "../../memory/shelves.ts";
import type { Filter, KeywordQuery, Ranked, VectorQuery, WordpieceQuery } from "../../recall/search.ts";
import { shortlist } from "../../recall/shortlist.ts";
import { perShelf } from "../item-row.ts";
import { rankedByCount, type Scored } from "../page-plan.ts";
import {
  CHECKED_SHARE,
  LARGE_STORE_PASSAGES,
  SELECTIVE_PASSAGES,
  SUBSTRING_PASSAGES,
  WHOLE_RANKING,
  wordpiecesOf,
} from "../passage-row.ts";
import type { SearchReads } from "../store.ts";
import { bitmapOf, BLOCK_ROWS, blockRanker, type StoredBlock } from "../vectors/vector-blocks.ts";
import { bestFirst } from "../vectors/vector-scan.ts";
import { bestCovering, coverageScores, SOUGHT_PASSAGES, wordpieceOverlap } from "../vectors/wordpiece-scores.ts";
import type { Database, OpenDatabase } from "./database.ts";
import { filterClause, IS_REPLACED, isSelective, reachable } from "./filter.ts";
import { type FetchPage, type Page, type PageWalk, pageWalk } from "./page-walk.ts";
import { passageReader } from "./passage-reader.ts";
import { type ReadVectorRows, vectorIndex, vectorRows } from "./vector-index.ts";
import { pieceStatistics } from "./wordpieces.ts";
import { type Question, type ReadStatistics, type WordRanking, wordRanking, wordStatistics } from "./words.ts";

/**
 * The nearest passages of a shelf whose vectors a process does not hold: all blocks are fetched one after the other, and
 * none is kept. Slower than held vectors, and as exact.
 */
type NearestOfMany = (query: VectorQuery, filter: Filter, limit: number) => Promise<Ranked[]>;

interface LargeShelfParts {
  paged: PageWalk;
  readRows: ReadVectorRows;
  everyReachable(filter: Filter): Promise<number[]>;
}

/** Reading so many single vectors for each block of the shelf takes about as long as reading the blocks. */
const SINGLE_ROWS_PER_BLOCK = 16;
const ROWS_AT_ONCE = 1_024;
/** Blocks fetched at once: few, because what the driver makes of them takes three times their bytes for a while. */
const FETCHED_AT_ONCE = 4;
/** Ranked at once, because the next page would fetch every block again. */
const RANKED_AT_ONCE = 10_000;

function largeShelf(db: OpenDatabase, shelf: Shelf, parts: LargeShelfParts): NearestOfMany {
  const lastBlock = db.prepareColumn<number | null>(
    `select max(block) from ${shelf}_vector_block where embedder = @embedder`,
  );
  const exact = exactPages(db, shelf, parts);
  return async (query, filter, limit) => {
    const last = (await lastBlock.get({ embedder: query.embedder })) ?? -1;
    return parts.paged(await exact(query, filter, last + 1), filter, { limit, eachPassage: query.eachPassage });
  };
}

function exactPages(db: OpenDatabase, shelf: Shelf, { readRows, everyReachable }: LargeShelfParts) {
  const stream = blockStream(db, shelf);
  const ranking = blockRanker();

  /** All of them, best first. */
  async function rankSingly({ embedder, vector }: VectorQuery, passages: readonly number[]): Promise<Scored[]> {
    const found: Scored[] = [];
    for (let from = 0; from < passages.length; from += ROWS_AT_ONCE)
      found.push(...ranked(await readRows(embedder, passages.slice(from, from + ROWS_AT_ONCE)), vector));
    return found.sort(inOrder);
  }

  return async (query: VectorQuery, filter: Filter, blocks: number): Promise<FetchPage> => {
    const passages = isSelective(filter) ? await everyReachable(filter) : null;
    if (passages !== null && passages.length <= SINGLE_ROWS_PER_BLOCK * blocks) {
      const all = await rankSingly(query, passages);
      return (size, offset) => ({ scored: all.slice(offset, offset + size) });
    }
    const allowed = passages === null ? undefined : bitmapOf(passages, blocks * BLOCK_ROWS);
    let first: Scored[] = [];
    let limit = 0;
    return async (size, offset) => {
      if (offset + size > limit) {
        limit = Math.max(offset + size, RANKED_AT_ONCE);
        const best = ranking(query.vector, { limit, allowed });
        for await (const block of stream(query.embedder)) best.offer(block);
        first = best.take().map(({ row, score }) => ({ passage: row, score }));
      }
      return { scored: first.slice(offset, offset + size) };
    };
  };
}

/** Every block, a few at once. */
function blockStream(db: OpenDatabase, shelf: Shelf): (embedder: string) => AsyncGenerator<StoredBlock> {
  const following = db.prepare<StoredBlock>(`
    select block, scales, vectors from ${shelf}_vector_block
    where embedder = @embedder and block > @after order by block limit ${FETCHED_AT_ONCE}`);
  return async function* (embedder) {
    for (let after = -1; ; ) {
      const blocks = await following.all({ embedder, after });
      yield* blocks;
      if (blocks.length < FETCHED_AT_ONCE) return;
      after = blocks.at(-1)!.block;
    }
  };
}

const ranked = (rows: ReadonlyMap<number, Quantised>, query: Float32Array): Scored[] =>
  [...rows].map(([passage, row]) => ({ passage, score: dotQuantised(query, row) })).sort(inOrder);

const inOrder = (one: Scored, other: Scored): number =>
  bestFirst({ row: one.passage, score: one.score }, { row: other.passage, score: other.score });

interface ShelfSearch {
  keyword(query: KeywordQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  substring(text: string, filter: Filter, limit: number): Promise<Ranked[]>;
  nearest(query: VectorQuery, filter: Filter, limit: number): Promise<Ranked[]>;
  cosines(query: VectorQuery, passages: readonly number[]): Promise<(number | null)[]>;
  vectors(embedder: string, passages: readonly number[]): Promise<(Float32Array | null)[]>;
}

interface ShelfSearchOptions {
  statistics: ReadStatistics;
  heldPassages: number;
}

function shelfSearch(db: OpenDatabase, shelf: Shelf, { statistics, heldPassages }: ShelfSearchOptions): ShelfSearch {
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
function filledShelves(db: OpenDatabase): () => Promise<Shelf[]> {
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

/** Search by wordpieces on one shelf: compares stored wordpieces with those of a question, similar ones included. */
interface WordpieceSearch {
  /** How much of the question each passage covers, between 0 and 1. */
  scores(query: WordpieceQuery, passages: readonly number[]): Promise<number[]>;
  /** Among the newest passages, those that cover it best. */
  nearest(query: WordpieceQuery, filter: Filter, limit: number): Promise<Ranked[]>;
}

function wordpieceSearch(db: OpenDatabase, shelf: Shelf): WordpieceSearch {
  const statistics = pieceStatistics(db, shelf);
  const paged = pageWalk(db, shelf);
  const newest = db.prepareColumn<number>(
    `select seq from ${shelf}_passage order by seq desc limit ${SOUGHT_PASSAGES}`,
  );
  // In the order in which they are asked for: of equal scores, the first one counts.
  const stored = (on: Database) =>
    on.prepareRaw<[number, Buffer]>(`
    select passage.seq, passage.tokens from unnest(@passages::bigint[]) with ordinality wanted (number, place)
    join ${shelf}_passage passage on passage.seq = wanted.number
    where passage.tokens is not null and octet_length(passage.tokens) % 2 = 0 order by wanted.place`);

  async function scores(query: WordpieceQuery, passages: readonly number[]): Promise<number[]> {
    if (query.pieces.length === 0 || passages.length === 0) return passages.map(() => 0);
    const [counts, rows] = await db.together((one) =>
      Promise.all([statistics(query.pieces, one), stored(one).all({ passages: [...new Set(passages)] })]),
    );
    return coverageScores(query, counts, passages, new Map(rows.map(([seq, tokens]) => [seq, wordpiecesOf(tokens)])));
  }

  return {
    scores,
    async nearest(query, filter, limit) {
      if (query.pieces.length === 0) return [];
      const passages = await newest.all();
      const met = bestCovering(await scores(query, passages), passages);
      const fetch = (size: number, offset: number) => ({ scored: met.slice(offset, offset + size) });
      return paged(fetch, filter, { limit, eachPassage: query.eachPassage });
    },
  };
}

/** The store's search, on all shelves. */
export function searchReads(db: OpenDatabase, heldPassages: number): SearchReads {
  const reader = perShelf((shelf) => passageReader(db, shelf));
  const statistics = perShelf((shelf) => wordStatistics(db, shelf));
  const search = perShelf((shelf) => shelfSearch(db, shelf, { statistics: statistics(shelf), heldPassages }));
  const byWordpieces = perShelf((shelf) => wordpieceSearch(db, shelf));
  return {
    filledShelves: filledShelves(db),
    keyword: (shelf, query, filter, limit) => search(shelf).keyword(query, filter, limit),
    substring: (shelf, text, filter, limit) => search(shelf).substring(text, filter, limit),
    nearest: (shelf, query, filter, limit) => search(shelf).nearest(query, filter, limit),
    cosines: (shelf, query, passages) => search(shelf).cosines(query, passages),
    wordpieceScores: (shelf, query, passages) => byWordpieces(shelf).scores(query, passages),
    nearestByWordpieces: (shelf, query, filter, limit) => byWordpieces(shelf).nearest(query, filter, limit),
    newestPassages: (shelf, filter, page) => reader(shelf).newest(filter, page),
    firstPassages: (shelf, ids) => reader(shelf).firsts(ids),
    passageVectors: (shelf, embedder, passages) => search(shelf).vectors(embedder, passages),
    wordpieceOverlap: async (pieces, others) => wordpieceOverlap(pieces, others),
    passages: (shelf, passages) => reader(shelf).passages(passages),
    neighbours: (shelf, passages) => reader(shelf).neighbours(passages),
    speakers: (shelf, names) => reader(shelf).speakers(names),
    wordStatistics: (shelf, stems) => statistics(shelf)(stems),
  };
}
