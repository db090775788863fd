/** The vectors of one shelf: blocks in the database, and what this process has loaded of them. */
import type { Shelf } from "../../../model/memory/shelf.ts";
import {
  BLOCK_ROWS,
  type BlockContent,
  type BlockRow,
  type LoadedVectors,
  type PassageVector,
  asFloat32,
  blockOf,
  emptiedBlock,
  filledBlock,
  goneRows,
  loadedVectors,
  vectorsIn,
} from "../../vectors/vector-blocks.ts";
import type { Database, OpenDatabase } from "../connection/database.ts";

export interface VectorIndex extends Pick<LoadedVectors, "bitmap" | "nearest" | "cosines"> {
  /** Loads newer blocks and returns the number of rows. */
  refresh(embedder: string, dimensions: number): Promise<number>;
  /** Vectors of the given passages, in their order. Needs no refresh, and loads no more than their blocks. */
  vectors(embedder: string, passages: readonly number[]): Promise<(Float32Array | null)[]>;
}

/** So many blocks are asked for at once: about ten megabytes. */
const BLOCKS_AT_ONCE = 16;

export function vectorIndex(db: OpenDatabase, shelf: Shelf): VectorIndex {
  const loaded = loadedVectors();
  const newer = db.prepare<BlockRow>(`
    select block, revision, scales, vectors from ${shelf}_vector_block
    where embedder = @embedder and revision > @revision order by revision limit ${BLOCKS_AT_ONCE}`);
  const ofBlocks = db.prepare<BlockRow>(`
    select block, scales, vectors from ${shelf}_vector_block
    where embedder = @embedder and block = any (@blocks::bigint[])`);
  // Two loads at once would both load everything.
  let loading: Promise<unknown> = Promise.resolve();

  async function load(embedder: string, dimensions: number): Promise<void> {
    for (;;) {
      const rows = await newer.all({ embedder, revision: loaded.revision(embedder) });
      for (const row of rows) loaded.load(embedder, dimensions, row);
      if (rows.length < BLOCKS_AT_ONCE) return;
    }
  }

  const current = new Map<string, () => Promise<unknown>>();

  function loadInTurn(embedder: string, dimensions: number): Promise<void> {
    const after = loading.catch(() => undefined).then(() => load(embedder, dimensions));
    loading = after;
    return after;
  }

  async function refresh(embedder: string, dimensions: number): Promise<number> {
    const key = `${embedder} ${dimensions}`;
    const load = current.get(key) ?? db.kept([`vectors ${shelf}`], () => loadInTurn(embedder, dimensions));
    current.set(key, load);
    await load();
    // Only so many are kept, so another one may have taken its place.
    if (!loaded.has(embedder)) await loadInTurn(embedder, dimensions);
    return loaded.rows(embedder);
  }

  return {
    refresh,
    async vectors(embedder, passages) {
      if (loaded.has(embedder)) {
        await refresh(embedder, loaded.dimensions(embedder));
        return loaded.read(embedder, passages);
      }
      // A few blocks are read sooner than all of them.
      const blocks = Map.groupBy(passages, blockOf);
      const rows = await ofBlocks.all({ embedder, blocks: [...blocks.keys()] });
      const found = new Map(rows.flatMap((row) => vectorsIn(row, blocks.get(row.block) ?? [])));
      return passages.map((passage) => found.get(passage) ?? null);
    },
    bitmap: loaded.bitmap,
    cosines: loaded.cosines,
    nearest: loaded.nearest,
  };
}

export interface VectorWriter {
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
