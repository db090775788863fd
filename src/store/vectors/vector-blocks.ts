/**
 * Blocks of vectors, as a database keeps them: 1,024 rows each, with a growing revision.
 *
 * Before a scan a process loads only blocks with a newer revision, so many processes share them without a sidecar. A
 * removed passage leaves its row behind; the filter drops it.
 */
import { dequantise } from "../../embed/quantise.ts";
import type { QuantisedVector } from "../../journal/change.ts";
import { bestFirst, createVectorScan, type ScoredRow, type VectorScan } from "./vector-scan.ts";

export const BLOCK_ROWS = 1_024;

export interface BlockRow {
  block: number;
  revision: number;
  scales: Buffer;
  vectors: Buffer;
}

export const blockOf = (passage: number): number => Math.floor(passage / BLOCK_ROWS);

/** The content of a block, before it is stored. */
export interface BlockContent {
  scales: Float32Array;
  values: Int8Array;
}

export interface PassageVector {
  passage: number;
  vector: QuantisedVector;
}

/** A block with these vectors in their rows. */
export function filledBlock(
  old: Pick<BlockRow, "scales" | "vectors"> | undefined,
  vectors: readonly PassageVector[],
): BlockContent {
  const dimensions = vectors[0]!.vector.values.length;
  const oldRows = old ? old.scales.byteLength / 4 : 0;
  const rows = Math.max(oldRows, ...vectors.map(({ passage }) => (passage % BLOCK_ROWS) + 1));
  const scales = new Float32Array(rows);
  const values = new Int8Array(rows * dimensions);
  if (old) {
    scales.set(asFloat32(old.scales));
    values.set(asInt8(old.vectors));
  }
  for (const { passage, vector } of vectors) {
    const row = passage % BLOCK_ROWS;
    scales[row] = vector.scale;
    values.set(vector.values, row * dimensions);
  }
  return { scales, values };
}

/** The rows of a block that hold a vector of no passage. */
export function goneRows(scales: Float32Array, block: number, present: ReadonlySet<number>): number[] {
  return [...scales.keys()].filter((index) => scales[index] !== 0 && !present.has(block * BLOCK_ROWS + index));
}

/** A block with some rows emptied: a vector reveals something of its text. */
export function emptiedBlock(scales: Float32Array, vectors: Buffer, gone: readonly number[]): BlockContent {
  const values = new Int8Array(asInt8(vectors));
  const dimensions = values.length / scales.length;
  for (const index of gone) {
    scales[index] = 0;
    values.fill(0, index * dimensions, (index + 1) * dimensions);
  }
  return { scales, values };
}

/** The vectors of some passages of one block. */
export function vectorsIn(
  stored: Pick<BlockRow, "scales" | "vectors">,
  passages: readonly number[],
): [passage: number, vector: Float32Array][] {
  const scales = asFloat32(stored.scales);
  const dimensions = stored.vectors.length / scales.length;
  return passages.flatMap((passage) => {
    const row = passage % BLOCK_ROWS;
    const values = asInt8(stored.vectors).subarray(row * dimensions, (row + 1) * dimensions);
    return scales[row] ? [[passage, dequantise({ values, scale: scales[row] })] as const] : [];
  }) as [number, Float32Array][];
}

const KEPT_EMBEDDERS = 2;

interface Loaded {
  revision: number;
  scan: VectorScan;
}

/** The vectors of one shelf that this process has loaded. */
export interface LoadedVectors {
  /** The revision from which this embedder's blocks are to be loaded. */
  revision(embedder: string): number;
  load(embedder: string, dimensions: number, row: BlockRow): void;
  has(embedder: string): boolean;
  drop(embedder: string): void;
  dimensions(embedder: string): number;
  rows(embedder: string): number;
  read(embedder: string, passages: readonly number[]): (Float32Array | null)[];
  bitmap(embedder: string, passages: readonly number[]): Uint8Array;
  nearest(
    embedder: string,
    query: Float32Array,
    limit: number,
    allowed?: Uint8Array,
  ): { passage: number; score: number }[];
  /** Cosines of the given passages, in their order; null for one without a vector. */
  cosines(embedder: string, query: Float32Array, passages: readonly number[]): (number | null)[];
}

export function loadedVectors(): LoadedVectors {
  // Of a local embedder and a remote one beside it.
  const kept = new Map<string, Loaded>();
  return {
    revision: (embedder) => kept.get(embedder)?.revision ?? 0,
    load(embedder, dimensions, row) {
      // Allocated only if there are vectors: most shelves have none.
      const loaded = kept.get(embedder) ?? { revision: 0, scan: createVectorScan(dimensions) };
      if (!kept.has(embedder) && kept.size >= KEPT_EMBEDDERS) kept.clear();
      kept.set(embedder, loaded);
      loaded.scan.write(row.block * BLOCK_ROWS, asInt8(row.vectors), asFloat32(row.scales));
      loaded.revision = row.revision;
    },
    has: (embedder) => kept.has(embedder),
    dimensions: (embedder) => kept.get(embedder)?.scan.dimensions ?? 0,
    rows: (embedder) => kept.get(embedder)?.scan.rows ?? 0,
    read: (embedder, passages) => passages.map((passage) => kept.get(embedder)?.scan.read(passage) ?? null),
    drop: (embedder) => void kept.delete(embedder),
    bitmap: (embedder, passages) => bitmapOf(passages, kept.get(embedder)?.scan.rows ?? 0),
    cosines(embedder, query, passages) {
      const scores = kept.get(embedder)?.scan.score(query, passages) ?? [];
      return passages.map((_, index) => {
        const cosine = scores[index]?.score ?? -Infinity;
        return cosine === -Infinity ? null : cosine;
      });
    },
    nearest(embedder, query, limit, allowed) {
      const found = kept.get(embedder)?.scan.nearest(query, allowed ? { limit, allowed } : { limit }) ?? [];
      return found.map(({ row, score }) => ({ passage: row, score }));
    },
  };
}

/** One bit for each row, set for those of the passages. */
export function bitmapOf(passages: readonly number[], rows: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(rows / 8) + 1);
  for (const passage of passages) {
    if (passage >> 3 < bits.length) bits[passage >> 3]! |= 1 << (passage & 7);
  }
  return bits;
}

export function asInt8(bytes: Buffer): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function asFloat32(bytes: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}

/**
 * The best rows of blocks that are looked at one after the other, and not kept.
 *
 * Slower than a scan of loaded rows by the time that fetching them takes, and as exact. The memory is that of one block.
 */
export type StoredBlock = Pick<BlockRow, "block" | "scales" | "vectors">;

interface BlockRanking {
  offer(block: StoredBlock): void;
  /** Best first, ties by row number. */
  take(): ScoredRow[];
}

interface RankingOptions {
  limit: number;
  /** One bit for each row of all blocks; every row when omitted. */
  allowed?: Uint8Array | undefined;
}

/** Begins rankings that share the memory of one block. */
export function blockRanker(): (query: Float32Array, options: RankingOptions) => BlockRanking {
  let scan: VectorScan | undefined;

  /** Rows that the block does not have are emptied: they still hold those of another one. */
  function load({ scales, vectors }: StoredBlock, dimensions: number): VectorScan {
    if (scan?.dimensions !== dimensions) scan = createVectorScan(dimensions);
    const own = asFloat32(scales);
    scan.write(0, asInt8(vectors), own);
    const missing = BLOCK_ROWS - own.length;
    scan.write(own.length, new Int8Array(missing * dimensions), new Float32Array(missing));
    return scan;
  }

  return (query, { limit, allowed }) => {
    let best: ScoredRow[] = [];
    const keepBest = () => (best = best.sort(bestFirst).slice(0, limit));
    return {
      offer(stored) {
        const first = stored.block * BLOCK_ROWS;
        const bits = allowed?.subarray(first / 8, (first + BLOCK_ROWS) / 8);
        const found = load(stored, query.length).nearest(query, { limit, ...(bits && { allowed: bits }) });
        for (const { row, score } of found) best.push({ row: first + row, score });
        if (best.length > 2 * (limit + BLOCK_ROWS)) keepBest();
      },
      take: keepBest,
    };
  };
}
