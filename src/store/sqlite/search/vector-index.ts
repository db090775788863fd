/**
 * The vectors of one shelf, in memory and in blocks on disk.
 *
 * A block holds 1,024 rows and a growing revision. Before a scan a process loads only blocks
 * with a newer revision, so many processes share one file without a sidecar. A removed
 * passage leaves its row behind; the filter drops it.
 */
import { dequantise } from "../../../logic/recall/quantise.ts";
import type { QuantisedVector } from "../../../model/journal/change.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import { type VectorScan, createVectorScan } from "../../vectors/vector-scan.ts";
import type { Database } from "../connection/database.ts";

export const BLOCK_ROWS = 1_024;

interface BlockRow {
  block: number;
  revision: number;
  scales: Buffer;
  vectors: Buffer;
}

export interface VectorIndex {
  /** Loads newer blocks and returns the number of rows. */
  refresh(embedder: string, dimensions: number): number;
  bitmap(passages: readonly number[]): Uint8Array;
  nearest(query: Float32Array, limit: number, allowed?: Uint8Array): { passage: number; score: number }[];
  /** Cosines of the given passages, in their order; null for one without a vector. */
  cosines(query: Float32Array, passages: readonly number[]): (number | null)[];
  /** Vectors of the given passages, in their order. Needs no refresh, and loads no more than their blocks. */
  vectors(embedder: string, passages: readonly number[]): (Float32Array | null)[];
}

interface Loaded {
  embedder: string;
  revision: number;
  scan: VectorScan;
}

const KEPT_EMBEDDERS = 2;

export function vectorIndex(db: Database, shelf: Shelf): VectorIndex {
  // Of a local embedder and a remote one beside it.
  const kept = new Map<string, Loaded>();
  let loaded: Loaded | null = null;
  const newer = db.prepare<[string, number], BlockRow>(`
    select block, revision, scales, vectors from ${shelf}_vector_block
    where embedder = ? and revision > ? order by revision`);
  const ofBlock = blockReader(db, shelf);

  function refresh(embedder: string, dimensions: number): number {
    if (loaded?.embedder !== embedder) loaded = kept.get(embedder) ?? null;
    for (const row of newer.iterate(embedder, loaded?.revision ?? 0)) {
      // Allocated only if there are vectors: most shelves have none.
      loaded ??= { embedder, revision: 0, scan: createVectorScan(dimensions) };
      if (!kept.has(embedder) && kept.size >= KEPT_EMBEDDERS) kept.clear();
      kept.set(embedder, loaded);
      loaded.scan.write(row.block * BLOCK_ROWS, asInt8(row.vectors), asFloat32(row.scales));
      loaded.revision = row.revision;
    }
    return loaded?.scan.rows ?? 0;
  }

  return {
    refresh,
    vectors(embedder, passages) {
      // A few blocks are read sooner than all of them.
      if (loaded?.embedder !== embedder) return ofBlock(embedder, passages);
      refresh(embedder, loaded.scan.dimensions);
      return passages.map((passage) => loaded?.scan.read(passage) ?? null);
    },
    bitmap(passages) {
      const bits = new Uint8Array(Math.ceil((loaded?.scan.rows ?? 0) / 8) + 1);
      for (const passage of passages) {
        if (passage >> 3 < bits.length) bits[passage >> 3]! |= 1 << (passage & 7);
      }
      return bits;
    },
    cosines(query, passages) {
      const scores = loaded?.scan.score(query, passages) ?? [];
      return passages.map((_, index) => {
        const cosine = scores[index]?.score ?? -Infinity;
        return cosine === -Infinity ? null : cosine;
      });
    },
    nearest(query, limit, allowed) {
      const found = loaded?.scan.nearest(query, allowed ? { limit, allowed } : { limit }) ?? [];
      return found.map(({ row, score }) => ({ passage: row, score }));
    },
  };
}

/** Reads single vectors from their blocks. */
function blockReader(
  db: Database,
  shelf: Shelf,
): (embedder: string, passages: readonly number[]) => (Float32Array | null)[] {
  const read = db.prepare<[string, number], Pick<BlockRow, "scales" | "vectors">>(
    `select scales, vectors from ${shelf}_vector_block where embedder = ? and block = ?`,
  );
  return (embedder, passages) => {
    const found = new Map<number, Float32Array>();
    for (const [block, own] of Map.groupBy(passages, (passage) => Math.floor(passage / BLOCK_ROWS))) {
      const stored = read.get(embedder, block);
      if (!stored) continue;
      const scales = asFloat32(stored.scales);
      const dimensions = stored.vectors.length / scales.length;
      for (const passage of own) {
        const row = passage % BLOCK_ROWS;
        const values = asInt8(stored.vectors).subarray(row * dimensions, (row + 1) * dimensions);
        if (scales[row]) found.set(passage, dequantise({ values, scale: scales[row] }));
      }
    }
    return passages.map((passage) => found.get(passage) ?? null);
  };
}

export interface VectorWriter {
  write(embedder: string, vectors: readonly { passage: number; vector: QuantisedVector }[]): void;
  /** Removes blocks without passages, after these were removed. */
  reclaim(passages: readonly number[]): void;
  /** Empties the rows of removed passages. */
  sweep(): void;
}

export function vectorWriter(db: Database, shelf: Shelf): VectorWriter {
  const read = db.prepare<[string, number], BlockRow>(
    `select block, revision, scales, vectors from ${shelf}_vector_block where embedder = ? and block = ?`,
  );
  const write = db.prepare(`
    insert into ${shelf}_vector_block (embedder, block, revision, scales, vectors)
    values (@embedder, @block, @revision, @scales, @vectors)
    on conflict (embedder, block) do update
    set revision = excluded.revision, scales = excluded.scales, vectors = excluded.vectors`);
  // Kept separately from the blocks, so that no revision is reused after blocks were dropped.
  const nextRevision = db.prepare<[string], { value: string }>(`
    insert into fact (key, value) values (?, '1')
    on conflict (key) do update set value = cast(value as integer) + 1 returning value`);
  const reclaim = db.prepare<[number, number, number]>(`
    delete from ${shelf}_vector_block
    where embedder in (select identity from embedder) and block = ? and not exists (select 1 from ${shelf}_passage where seq >= ? and seq < ?)`);

  function save(embedder: string, block: number, scales: Float32Array, values: Int8Array): void {
    const revision = Number(nextRevision.get(`vector_revision_${shelf}`)!.value);
    write.run({ embedder, block, revision, scales: Buffer.from(scales.buffer), vectors: Buffer.from(values.buffer) });
  }

  function writeBlock(
    embedder: string,
    block: number,
    vectors: readonly { passage: number; vector: QuantisedVector }[],
  ) {
    const dimensions = vectors[0]!.vector.values.length;
    const old = read.get(embedder, block);
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
    save(embedder, block, scales, values);
  }

  return {
    write(embedder, vectors) {
      const blocks = Map.groupBy(vectors, ({ passage }) => Math.floor(passage / BLOCK_ROWS));
      for (const [block, inBlock] of blocks) writeBlock(embedder, block, inBlock);
    },
    reclaim(passages) {
      for (const block of new Set(passages.map((passage) => Math.floor(passage / BLOCK_ROWS)))) {
        reclaim.run(block, block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS);
      }
    },
    sweep() {
      for (const { embedder, block, ...swept } of sweptBlocks(db, shelf))
        save(embedder, block, swept.scales, swept.values);
    },
  };
}

/** The blocks that held rows of removed passages, with those rows emptied: a vector reveals something of its text. */
function* sweptBlocks(db: Database, shelf: Shelf) {
  const blocks = db.prepare<[], { embedder: string; block: number }>(
    `select embedder, block from ${shelf}_vector_block`,
  );
  const column = (name: "scales" | "vectors") =>
    db
      .prepare<[string, number], Buffer>(`select ${name} from ${shelf}_vector_block where embedder = ? and block = ?`)
      .pluck();
  // Scales are stored before the vectors, so most blocks need only a hundredth of their bytes read.
  const [readScales, readVectors] = [column("scales"), column("vectors")];
  const present = db
    .prepare<[number, number], number>(`select seq from ${shelf}_passage where seq >= ? and seq < ?`)
    .pluck();
  for (const { embedder, block } of blocks.all()) {
    const scales = asFloat32(readScales.get(embedder, block)!);
    const held = new Set(present.all(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS));
    const gone = [...scales.keys()].filter((index) => scales[index] !== 0 && !held.has(block * BLOCK_ROWS + index));
    if (gone.length === 0) continue;
    const values = new Int8Array(asInt8(readVectors.get(embedder, block)!));
    const dimensions = values.length / scales.length;
    for (const index of gone) {
      scales[index] = 0;
      values.fill(0, index * dimensions, (index + 1) * dimensions);
    }
    yield { embedder, block, scales, values };
  }
}

export function asInt8(bytes: Buffer): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function asFloat32(bytes: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}
