/** The vectors of one shelf: blocks in the database, and what this process has loaded of them, unless they are too many. */
import { dequantise, dotQuantised, type Quantised } from "../../embed/quantise.ts";
import type { Shelf } from "../../memory/shelves.ts";
import {
  asFloat32,
  asInt8,
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
} from "../vectors/vector-blocks.ts";
import type { Database, OpenDatabase } from "./database.ts";

/** Single vectors out of their blocks. The server sends no more than these: blocks are stored so that a part can be read. */
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

interface VectorIndex extends Pick<LoadedVectors, "bitmap" | "nearest"> {
  /** Loads newer blocks and returns the number of rows; null if they are too many to be held. */
  refresh(embedder: string, dimensions: number): Promise<number | null>;
  /** Vectors of the given passages, in their order. Needs no refresh, and loads nothing but them. */
  vectors(embedder: string, passages: readonly number[]): Promise<(Float32Array | null)[]>;
  /** Cosines of the given passages, in their order; null for one without a vector. */
  cosines(embedder: string, query: Float32Array, passages: readonly number[]): Promise<(number | null)[]>;
}

/** So many blocks are asked for at once: about ten megabytes. */
const BLOCKS_AT_ONCE = 16;

interface VectorIndexOptions {
  /** How many passages of a shelf a process holds at most. */
  heldPassages: number;
  readRows: ReadVectorRows;
}

export function vectorIndex(db: OpenDatabase, shelf: Shelf, options: VectorIndexOptions): VectorIndex {
  const loaded = loadedVectors();
  const { load, isLarge } = loader(db, shelf, loaded, options.heldPassages);
  // Two loads at once would both load everything.
  let loading: Promise<unknown> = Promise.resolve();
  const current = new Map<string, () => Promise<unknown>>();

  function loadInTurn(embedder: string, dimensions: number): Promise<void> {
    const after = loading.catch(() => undefined).then(() => load(embedder, dimensions));
    loading = after;
    return after;
  }

  async function refresh(embedder: string, dimensions: number): Promise<number | null> {
    const key = `${embedder} ${dimensions}`;
    const load = current.get(key) ?? db.kept([`vectors ${shelf}`], () => loadInTurn(embedder, dimensions));
    current.set(key, load);
    await load();
    // Only so many are kept, so another one may have taken its place.
    if (!loaded.has(embedder) && !isLarge(embedder)) await loadInTurn(embedder, dimensions);
    return isLarge(embedder) ? null : loaded.rows(embedder);
  }

  return {
    refresh,
    async vectors(embedder, passages) {
      if (loaded.has(embedder) && (await refresh(embedder, loaded.dimensions(embedder))) !== null)
        return loaded.read(embedder, passages);
      const found = await options.readRows(embedder, passages);
      return passages.map((passage) => {
        const row = found.get(passage);
        return row ? dequantise(row) : null;
      });
    },
    async cosines(embedder, query, passages) {
      if ((await refresh(embedder, query.length)) !== null) return loaded.cosines(embedder, query, passages);
      const found = await options.readRows(embedder, passages);
      return passages.map((passage) => {
        const row = found.get(passage);
        return row ? dotQuantised(query, row) : null;
      });
    },
    bitmap: loaded.bitmap,
    nearest: loaded.nearest,
  };
}

/** Memory is taken up to the last block, so that one decides whether the shelf can be held. */
function loader(db: OpenDatabase, shelf: Shelf, loaded: LoadedVectors, heldPassages: number) {
  const large = new Set<string>();
  const isTooMany = (last: number) => (last + 1) * BLOCK_ROWS > heldPassages;
  const lastBlock = `(select max(block) from ${shelf}_vector_block where embedder = @embedder)`;
  const last = db.prepareColumn<number | null>(`select ${lastBlock}`);
  // Of a shelf that cannot be held, one block is enough to learn it.
  const newer = db.prepare<BlockRow & { last: number }>(`
    select block, revision, scales, vectors, ${lastBlock} as last from ${shelf}_vector_block
    where embedder = @embedder and revision > @revision order by revision
    limit case when (${lastBlock} + 1) * ${BLOCK_ROWS} > @heldPassages::bigint then 1 else ${BLOCKS_AT_ONCE} end`);

  async function load(embedder: string, dimensions: number): Promise<void> {
    if (large.has(embedder) && isTooMany((await last.get({ embedder })) ?? -1)) return;
    large.delete(embedder);
    for (;;) {
      const rows = await newer.all({ embedder, revision: loaded.revision(embedder), heldPassages });
      if (rows.some((row) => isTooMany(row.last))) {
        large.add(embedder);
        return loaded.drop(embedder);
      }
      for (const row of rows) loaded.load(embedder, dimensions, row);
      if (rows.length < BLOCKS_AT_ONCE) return;
    }
  }
  return { load, isLarge: (embedder: string) => large.has(embedder) };
}

interface VectorWriter {
  write(embedder: string, vectors: readonly PassageVector[]): Promise<void>;
  /** Removes blocks without passages, after these were removed. */
  reclaim(passages: readonly number[]): void;
  /** Empties the rows of removed passages. */
  sweep(): Promise<void>;
}

export function vectorWriter(db: Database, shelf: Shelf): VectorWriter {
  const statements = prepareWriting(db, shelf);

  function save(embedder: string, block: number, { scales, values }: BlockContent): void {
    const bytes = { scales: Buffer.from(scales.buffer), vectors: Buffer.from(values.buffer) };
    statements.write.send({ embedder, block, ...bytes });
    db.note(`vectors ${shelf}`);
  }

  return {
    async write(embedder, vectors) {
      const blocks = Map.groupBy(vectors, ({ passage }) => blockOf(passage));
      const old = await statements.read.all({ embedder, blocks: [...blocks.keys()] });
      const present = new Map(old.map((row) => [row.block, row]));
      for (const [block, own] of blocks) save(embedder, block, filledBlock(present.get(block), own));
    },
    reclaim: (passages) => statements.reclaim.send({ blocks: [...new Set(passages.map(blockOf))] }),
    async sweep() {
      for (const { embedder, block, scales: bytes } of await statements.scales.all()) {
        const scales = asFloat32(bytes);
        const held = new Set(await statements.present.all({ from: block * BLOCK_ROWS, to: (block + 1) * BLOCK_ROWS }));
        const gone = goneRows(scales, block, held);
        if (gone.length === 0) continue;
        const { vectors } = (await statements.read.get({ embedder, blocks: [block] }))!;
        save(embedder, block, emptiedBlock(scales, vectors, gone));
      }
    },
  };
}

function prepareWriting(db: Database, shelf: Shelf) {
  return {
    read: db.prepare<BlockRow>(`
      select block, revision, scales, vectors from ${shelf}_vector_block
      where embedder = @embedder and block = any (@blocks::bigint[])`),
    scales: db.prepare<Pick<BlockRow, "block" | "scales"> & { embedder: string }>(
      `select embedder, block, scales from ${shelf}_vector_block`,
    ),
    present: db.prepareColumn<number>(`select seq from ${shelf}_passage where seq >= @from and seq < @to`),
    // The last revision is kept separately from the blocks, so that none is reused after blocks were dropped.
    write: db.prepare(`
      with next as (
        insert into fact (key, value) values ('vector_revision_${shelf}', '1')
        on conflict (key) do update set value = (fact.value::bigint + 1)::text returning value::bigint as revision
      )
      insert into ${shelf}_vector_block (embedder, block, revision, scales, vectors)
      select @embedder, @block::bigint, next.revision, @scales::bytea, @vectors::bytea from next
      on conflict (embedder, block) do update
      set revision = excluded.revision, scales = excluded.scales, vectors = excluded.vectors`),
    reclaim: db.prepare(`
      delete from ${shelf}_vector_block
      where embedder in (select identity from embedder) and block = any (@blocks::bigint[]) and not exists (
        select 1 from ${shelf}_passage where seq >= block * ${BLOCK_ROWS} and seq < (block + 1) * ${BLOCK_ROWS})`),
  };
}
