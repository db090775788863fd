/** Single vectors out of their blocks. The server sends no more than these: blocks are stored so that a part can be read. */
import type { Quantised } from "../../../logic/recall/quantise.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import { BLOCK_ROWS, asFloat32, asInt8 } from "../../vectors/vector-blocks.ts";
import type { Database } from "../connection/database.ts";

interface VectorRow {
  passage: number;
  /** Empty where the block ends before the passage. */
  scale: Buffer;
  vector: Buffer;
}

/** Those that hold a vector, by their passages. */
export type ReadVectorRows = (embedder: string, passages: readonly number[]) => Promise<Map<number, Quantised>>;

export function vectorRows(db: Database, shelf: Shelf): ReadVectorRows {
  const read = db.prepare<VectorRow>(`
    select named.passage,
      substring(scales from (named.passage % ${BLOCK_ROWS})::integer * 4 + 1 for 4) as scale,
      substring(vectors from (named.passage % ${BLOCK_ROWS})::integer * dimensions + 1 for dimensions) as vector
    from (select unnest(@passages::bigint[])) named (passage)
    join ${shelf}_vector_block on embedder = @embedder and block = named.passage / ${BLOCK_ROWS}
    cross join lateral (select octet_length(vectors) / (octet_length(scales) / 4)) width (dimensions)`);
  return async (embedder, passages) => {
    const found = new Map<number, Quantised>();
    for (const { passage, scale: bytes, vector } of await read.all({ embedder, passages })) {
      const [scale] = asFloat32(bytes);
      if (scale) found.set(passage, { scale, values: asInt8(vector) });
    }
    return found;
  };
}
