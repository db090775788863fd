/**
 * The nearest passages of a shelf whose vectors a process does not hold.
 *
 * The server finds candidates by its index, if it has one for the shelf (`near-table.ts`); their scores are computed from
 * the stored vectors, so they are the same as everywhere. Where there is none, or it leaves the limit unfilled, all blocks
 * are fetched one after the other, and none is kept: slower, and exact.
 */
import { dotQuantised, type Quantised } from "../../../logic/recall/quantise.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Filter, Ranked, VectorQuery } from "../../../model/recall/search.ts";
import type { Scored } from "../../rows/search/page-plan.ts";
import { bestFirst } from "../../vectors/best-rows.ts";
import { blockRanker, type StoredBlock } from "../../vectors/block-ranking.ts";
import { BLOCK_ROWS, bitmapOf } from "../../vectors/vector-blocks.ts";
import type { OpenDatabase } from "../connection/database.ts";
import { isSelective, reachable } from "../items/filter.ts";
import { type FetchPage, type PageWalk, reachedSql } from "./page-walk.ts";
import { type NearTable, nearTableSql } from "./near-table.ts";
import { type ReadVectorRows, type VectorRow, toQuantised, vectorRowsSql } from "./vector-rows.ts";

export type NearestOfMany = (query: VectorQuery, filter: Filter, limit: number) => Promise<Ranked[]>;

export interface LargeShelfParts {
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

/** So far the index is walked for a filter: further away it misses more and more. */
const WALKED_MOST = 2_000;

interface ShelfState {
  /** The last block; null without any. */
  last: number | null;
  near: NearTable | null;
}

export function largeShelf(db: OpenDatabase, shelf: Shelf, parts: LargeShelfParts): NearestOfMany {
  const state = db.prepare<ShelfState>(`
    select (select max(block) from ${shelf}_vector_block where embedder = @embedder) as last,
      (${nearTableSql(shelf)}) as near`);
  const indexed = indexedPages(db, shelf);
  const exact = exactPages(db, shelf, parts);

  return async (query, filter, limit) => {
    const limits = { limit, eachPassage: query.eachPassage };
    const { embedder, vector } = query;
    const { last, near } = (await state.get({ embedder, dimensions: vector.length }))!;
    if (near !== null) {
      const { fetch, isCutShort } = indexed(near, query, filter);
      const found = await parts.paged(fetch, filter, limits);
      if (found.length >= limit && !isCutShort()) return found;
    }
    return parts.paged(await exact(query, filter, (last ?? -1) + 1), filter, limits);
  };
}

/**
 * Pages that the index gives, cut short where few pass the filter. The nested selections leave the planner no other way than
 * to walk the index and look each passage up.
 */
function indexedPages(db: OpenDatabase, shelf: Shelf) {
  return ({ table, extension }: NearTable, { embedder, vector }: VectorQuery, filter: Filter) => {
    const candidates = db.prepare<VectorRow>(
      vectorRowsSql(
        shelf,
        `select near.passage from (
          select passage from ${table}
          order by vector operator(${extension}.<=>) @query::${extension}.halfvec limit ${WALKED_MOST}
        ) near cross join lateral (
          select 1 from ${shelf}_passage passage join ${shelf}_item item on item.seq = passage.item_seq
          where passage.seq = near.passage and ${reachedSql(shelf).where} offset 0
        ) reached limit @size`,
      ),
    );
    const parameters = { ...reachable(filter), embedder, query: `[${vector.join(",")}]` };
    let isShort = false;
    const fetch: FetchPage = async (size, offset) => {
      const rows = await candidates.all({ ...parameters, size: offset + size });
      isShort = rows.length < offset + size;
      return { scored: ranked(toQuantised(rows), vector).slice(offset) };
    };
    return { fetch, isCutShort: () => isShort };
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
