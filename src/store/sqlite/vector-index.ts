/** The vectors of one shelf: blocks in the file, and what this process has loaded of them. */
import type { QuantisedVector } from "../../journal/change.ts";
import type { Shelf } from "../../memory/shelves.ts";
import {
  asFloat32,
  BLOCK_ROWS,
  type BlockContent,
  blockOf,
  type BlockRow,
  emptiedBlock,
  filledBlock,
  goneRows,
  type LoadedVectors,
  loadedVectors,
  type PassageVector,
  vectorsIn,
} from "../vectors/vector-blocks.ts";
import type { Database } from "./database.ts";

interface VectorIndex extends Pick<LoadedVectors, "bitmap" | "nearest" | "cosines"> {
  /** Loads newer blocks and returns the number of rows. */
  refresh(embedder: string, dimensions: number): number;
  /** Vectors of the given passages, in their order. Needs no refresh, and loads no more than their blocks. */
  vectors(embedder: string, passages: readonly number[]): (Float32Array | null)[];
}

export function vectorIndex(db: Database, shelf: Shelf): VectorIndex {
  const loaded = loadedVectors();
  const newer = db.prepare<[string, number], BlockRow>(`
    select block, revision, scales, vectors from ${shelf}_vector_block
    where embedder = ? and revision > ? order by revision`);
  const ofBlock = blockReader(db, shelf);

  function refresh(embedder: string, dimensions: number): number {
    for (const row of newer.iterate(embedder, loaded.revision(embedder))) loaded.load(embedder, dimensions, row);
    return loaded.rows(embedder);
  }

  return {
    refresh,
    vectors(embedder, passages) {
      // A few blocks are read sooner than all of them.
      if (!loaded.has(embedder)) return ofBlock(embedder, passages);
      refresh(embedder, loaded.dimensions(embedder));
      return loaded.read(embedder, passages);
    },
    bitmap: loaded.bitmap,
    cosines: loaded.cosines,
    nearest: loaded.nearest,
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
    for (const [block, own] of Map.groupBy(passages, blockOf)) {
      const stored = read.get(embedder, block);
      if (!stored) continue;
      for (const [passage, vector] of vectorsIn(stored, own)) found.set(passage, vector);
    }
    return passages.map((passage) => found.get(passage) ?? null);
  };
}

export interface VectorWriter {
  write(embedder: string, vectors: readonly PassageVector[]): void;
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

  function save(embedder: string, block: number, { scales, values }: BlockContent): void {
    const revision = Number(nextRevision.get(`vector_revision_${shelf}`)!.value);
    write.run({ embedder, block, revision, scales: Buffer.from(scales.buffer), vectors: Buffer.from(values.buffer) });
  }

  return {
    write(embedder, vectors) {
      for (const [block, inBlock] of Map.groupBy(vectors, ({ passage }) => blockOf(passage)))
        save(embedder, block, filledBlock(read.get(embedder, block), inBlock));
    },
    reclaim(passages) {
      for (const block of new Set(passages.map(blockOf))) {
        reclaim.run(block, block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS);
      }
    },
    sweep() {
      for (const { embedder, block, ...swept } of sweptBlocks(db, shelf)) save(embedder, block, swept);
    },
  };
}

/** The blocks that held rows of removed passages, with those rows emptied. */
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
    const gone = goneRows(scales, block, held);
    if (gone.length === 0) continue;
    yield { embedder, block, ...emptiedBlock(scales, readVectors.get(embedder, block)!, gone) };
  }
}

/** Vectors by embedder and text, so that no text is embedded twice. When full, the oldest are removed. */
export const CACHE_LIMIT_ENTRIES = 20_000;
/** Trimming walks the whole index, so it runs only once in this many writes. */
const WRITES_BETWEEN_TRIMS = 256;

export function cacheWriter(db: Database) {
  const keep = db.prepare(`
    insert into embedding_cache (embedder, text_hash, at, scale, vector) values (@embedder, @hash, @at, @scale, @vector)
    on conflict (embedder, text_hash) do update set at = excluded.at`);
  const trim = db.prepare<[number]>(`
    delete from embedding_cache where (embedder, text_hash) in (
      select embedder, text_hash from embedding_cache order by at desc limit -1 offset ?)`);
  let written = WRITES_BETWEEN_TRIMS;
  return {
    keep(embedder: string, at: number, entries: readonly { hash: string; vector: QuantisedVector }[]): void {
      for (const { hash, vector } of entries) {
        keep.run({ embedder, hash, at, scale: vector.scale, vector: Buffer.from(vector.values) });
      }
      written += entries.length;
      if (written < WRITES_BETWEEN_TRIMS) return;
      trim.run(CACHE_LIMIT_ENTRIES);
      written = 0;
    },
  };
}
