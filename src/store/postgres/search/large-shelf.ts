/**
 * The nearest passages of a shelf whose vectors a process does not hold: all blocks are fetched one after the other, and
 * none is kept. Slower than held vectors, and as exact.
 */
import { dotQuantised, type Quantised } from "../../../logic/recall/quantise.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Filter, Ranked, VectorQuery } from "../../../model/recall/search.ts";
import type { Scored } from "../../rows/search/page-plan.ts";
import { bestFirst } from "../../vectors/best-rows.ts";
import { blockRanker, type StoredBlock } from "../../vectors/block-ranking.ts";
import { BLOCK_ROWS, bitmapOf } from "../../vectors/vector-blocks.ts";
import type { OpenDatabase } from "../connection/database.ts";
import { isSelective } from "../items/filter.ts";
import type { FetchPage, PageWalk } from "./page-walk.ts";
import type { ReadVectorRows } from "./vector-rows.ts";

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

export function largeShelf(db: OpenDatabase, shelf: Shelf, parts: LargeShelfParts): NearestOfMany {
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
