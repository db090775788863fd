/**
 * The best rows of blocks that are looked at one after the other, and not kept.
 *
 * Slower than a scan of loaded rows by the time that fetching them takes, and as exact. The memory is that of one block.
 */
import { type ScoredRow, bestFirst } from "./best-rows.ts";
import { BLOCK_ROWS, type BlockRow, asFloat32, asInt8 } from "./vector-blocks.ts";
import { type VectorScan, createVectorScan } from "./vector-scan.ts";

export type StoredBlock = Pick<BlockRow, "block" | "scales" | "vectors">;

export interface BlockRanking {
  offer(block: StoredBlock): void;
  /** Best first, ties by row number. */
  take(): ScoredRow[];
}

export interface RankingOptions {
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
