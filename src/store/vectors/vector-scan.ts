/**
 * Nearest neighbours by an exact scan of every vector.
 *
 * The kernel picks candidates with a 16-bit query; those are scored again with the float
 * query, so no caller sees its rounding. It refuses approximate indexes: there is nothing
 * to build, to tune, or to repair after a deletion.
 */
import { dequantise, dotQuantised, largestMagnitude } from "../../embed/quantise.ts";
import { Failure } from "../../errors.ts";
import { createRowBlocks, MAX_DIMENSIONS, type RowBlocks } from "./row-blocks.ts";

/**
 * The best rows seen so far, out of any number offered.
 *
 * A heap with the worst kept row on top: nearly every offer costs one comparison with
 * it. Ties are broken by row number, so equal input gives equal output.
 */
export interface ScoredRow {
  readonly row: number;
  readonly score: number;
}

interface BestRows {
  /** Rows must come in ascending order. A score of -Infinity is never kept. */
  offer(firstRow: number, scores: Float32Array): void;
  /** Best first. */
  take(): ScoredRow[];
}

export function createBestRows(limit: number): BestRows {
  const heap: ScoredRow[] = [];
  let threshold = limit > 0 ? -Infinity : Infinity;

  function keep(entry: ScoredRow): number {
    if (heap.length < limit) siftUp(heap, entry);
    else siftDown(heap, entry);
    // A later row of equal score loses the tie, so only a higher score still enters.
    if (heap.length === limit) threshold = heap[0]?.score ?? threshold;
    return threshold;
  }

  return {
    offer(firstRow, scores) {
      // A local copy: a captured variable would be reloaded on every iteration.
      let floor = threshold;
      for (let index = 0; index < scores.length; index++) {
        const score = scores[index] as number;
        if (score > floor) floor = keep({ row: firstRow + index, score });
      }
    },
    take: () => heap.toSorted(bestFirst),
  };
}

export function bestFirst(left: ScoredRow, right: ScoredRow): number {
  return right.score - left.score || left.row - right.row;
}

/** Adds an entry at the bottom and moves it up past every better parent. */
function siftUp(heap: ScoredRow[], entry: ScoredRow): void {
  let hole = heap.push(entry) - 1;
  while (hole > 0) {
    const above = (hole - 1) >> 1;
    const parent = heap[above] as ScoredRow;
    if (bestFirst(parent, entry) > 0) break;
    heap[hole] = parent;
    hole = above;
  }
  heap[hole] = entry;
}

/** Replaces the top and moves the entry down past every worse child. */
function siftDown(heap: ScoredRow[], entry: ScoredRow): void {
  let hole = 0;
  for (let below = 1; below < heap.length; below = 2 * hole + 1) {
    const [left, right] = [heap[below] as ScoredRow, heap[below + 1]];
    const worse = right && bestFirst(right, left) > 0 ? right : left;
    if (bestFirst(entry, worse) > 0) break;
    heap[hole] = worse;
    hole = worse === left ? below : below + 1;
  }
  heap[hole] = entry;
}

export interface VectorScan {
  readonly dimensions: number;
  /** Highest written row + 1. */
  readonly rows: number;
  /** Copies rows in, over old ones or past the end. `vectors` is rows × dimensions; scale 0 marks an empty row. */
  write(firstRow: number, vectors: Int8Array, scales: Float32Array): void;
  /** The best `limit` rows, best first, ties by row number; never an empty row. Cosines, for unit vectors. */
  nearest(query: Float32Array, options: NearestOptions): ScoredRow[];
  /** Scores of the given rows, in their order; -Infinity for one that is empty or missing. */
  score(query: Float32Array, rows: readonly number[]): ScoredRow[];
  /** The vector of a row; null for one that is empty or missing. */
  read(row: number): Float32Array | null;
  /** Drops every row and frees the memory. */
  clear(): void;
}

/**
 * Extra candidates beyond the limit that are scored again. Rounding a query to 16 bits changes a cosine by about a
 * millionth; only rows closer together than that could swap places.
 */
const SPARE_CANDIDATES = 16;

interface NearestOptions {
  limit: number;
  /** One bit per row, lowest bit first; rows past its end are not allowed. */
  allowed?: Uint8Array;
}

export function createVectorScan(dimensions: number): VectorScan {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS) {
    throw invalid(`A vector cannot have ${dimensions} dimensions.`, `Use 1 to ${MAX_DIMENSIONS}.`);
  }
  let blocks = createRowBlocks(dimensions);

  return {
    dimensions,
    get rows() {
      return blocks.rows;
    },
    write(firstRow, vectors, scales) {
      checkRows(firstRow, vectors, scales, dimensions);
      blocks.write(firstRow, vectors, scales);
    },
    nearest(query, { limit, allowed }) {
      checkQuery(query, dimensions);
      if (!Number.isInteger(limit) || limit < 0) throw invalid(`A limit cannot be ${limit}.`, "Give a whole number.");
      const candidates = createBestRows(limit === 0 ? 0 : limit + SPARE_CANDIDATES);
      blocks.scan(narrow(query, blocks.queryBound), allowed, candidates.offer);
      const exact = candidates.take().map(({ row }) => scoreRow(query, row, blocks));
      return exact.sort(bestFirst).slice(0, limit);
    },
    score(query, rows) {
      checkQuery(query, dimensions);
      return rows.map((row) => scoreRow(query, row, blocks));
    },
    read(row) {
      const stored = blocks.read(row);
      return stored.scale === 0 ? null : dequantise(stored);
    },
    clear() {
      blocks = createRowBlocks(dimensions);
    },
  };
}

function scoreRow(query: Float32Array, row: number, blocks: RowBlocks): ScoredRow {
  const stored = blocks.read(row);
  return { row, score: stored.scale === 0 ? -Infinity : dotQuantised(query, stored) };
}

/** The query scaled to integers up to `bound`, which does not change the order. */
function narrow(query: Float32Array, bound: number): Int16Array {
  const largest = largestMagnitude(query) || 1;
  const narrowed = new Int16Array(query.length);
  for (let index = 0; index < query.length; index++) {
    narrowed[index] = Math.round(((query[index] as number) / largest) * bound);
  }
  return narrowed;
}

function checkQuery(query: Float32Array, dimensions: number): void {
  if (query.length !== dimensions) {
    throw invalid(
      `The query has ${query.length} dimensions, the rows ${dimensions}.`,
      "Embed the query with the model that embedded the rows.",
    );
  }
  if (!query.every(Number.isFinite)) {
    throw invalid("The query holds a number that is not finite.", "Check what the embedder returned for it.");
  }
}

function checkRows(firstRow: number, vectors: Int8Array, scales: Float32Array, dimensions: number): void {
  if (!Number.isSafeInteger(firstRow) || firstRow < 0) {
    throw invalid(`There is no row ${firstRow}.`, "Number rows from 0.");
  }
  if (vectors.length !== scales.length * dimensions) {
    throw invalid(
      `${scales.length} rows of ${dimensions} dimensions are not ${vectors.length} values.`,
      "Give one scale and `dimensions` values per row.",
    );
  }
  if (!scales.every((scale) => Number.isFinite(scale) && scale >= 0)) {
    throw invalid("A scale is negative or not finite.", "Check what the embedder returned; 0 marks an empty row.");
  }
}

function invalid(message: string, hint: string): Failure {
  return new Failure("invalid_input", message, hint);
}
