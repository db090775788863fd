/**
 * Nearest neighbours by an exact scan of every vector.
 *
 * The kernel picks candidates with a 16-bit query; those are scored again with the float
 * query, so no caller sees its rounding. It refuses approximate indexes: there is nothing
 * to build, to tune, or to repair after a deletion.
 */
import { Failure } from "../../errors.ts";
import { dequantise, dotQuantised, largestMagnitude } from "../../logic/recall/quantise.ts";
import { bestFirst, createBestRows, type ScoredRow } from "./best-rows.ts";
import { createRowBlocks, MAX_DIMENSIONS, type RowBlocks } from "./row-blocks.ts";

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

export interface NearestOptions {
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
