/**
 * Tables with an HNSW index of the extension pgvector, for shelves with more vectors than a process holds: one for each
 * embedder. They hold the same whole numbers as the blocks, which half precision represents exactly.
 *
 * Triggers on the blocks keep them in step within the transaction of whoever writes. So no writer knows of them, and what
 * is erased from a block is erased here. Only whoever manages the space makes them, and drops those that are not needed.
 */
import { SHELVES, type Shelf } from "../../../model/memory/shelves.ts";
import { BLOCK_ROWS } from "../../vectors/vector-blocks.ts";
import type { Database, OpenDatabase } from "../connection/database.ts";

export interface NearTable {
  table: string;
  /** The schema of the extension, quoted. */
  extension: string;
}

/** Names are made of a shelf, a number and hexadecimal digits, so they need no quotes. */
const nameSql = (shelf: Shelf, dimensions: string, embedder: string): string =>
  `('${shelf}_vector_near_' || ${dimensions} || '_' || left(md5(${embedder}), 12))`;
const ANY_NAME = "^[a-z]+_vector_near_[0-9]+_[0-9a-f]{12}$";

/** The index cannot have more. */
const MOST_DIMENSIONS = 4_000;

/** The schema of the extension, if it can search on until a filter is satisfied and the role may use it. */
const extensionSql = (role: string): string => `
  select quote_ident(nspname) as extension from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
  where extname = 'vector' and has_schema_privilege(${role}, extnamespace, 'usage')
    and (split_part(extversion, '.', 1)::integer, split_part(extversion, '.', 2)::integer) >= (0, 8)`;

const isBuiltSql = (table: string): string =>
  `exists (select 1 from pg_index where indexrelid = to_regclass(${table} || '_cosine') and indisvalid)`;

/** Selects the table of `@embedder` and `@dimensions` that can be searched, or null. */
export const nearTableSql = (shelf: Shelf): string => `
  select json_build_object('table', named.table, 'extension', extension)
  from (select ${nameSql(shelf, "@dimensions::integer", "@embedder")} as table) named, (${extensionSql("current_user")}) found
  where ${isBuiltSql("named.table")}`;

interface WantedTable extends NearTable {
  shelf: Shelf;
  embedder: string;
  dimensions: number;
  isBuilt: boolean;
}

export interface NearTablesOptions {
  /** Tables are for shelves with more passages than this. */
  heldPassages: number;
  /** The role that must be able to use the extension; the current one when omitted. */
  reader?: string;
  /** Done in the transaction that makes the tables, which are then still empty. */
  also?(db: Database): Promise<void>;
}

/** Makes the tables that are needed and missing, if the extension is there, and drops those that are not needed. */
export async function makeNearTables(
  db: OpenDatabase,
  { heldPassages, reader, also }: NearTablesOptions,
): Promise<{ made: number }> {
  let missing: WantedTable[] = [];
  await db.transact(async (within) => {
    const wanted = await wantedTables(within, { heldPassages, reader });
    missing = wanted.filter(({ isBuilt }) => !isBuilt);
    const kept = new Set(wanted.filter(({ isBuilt }) => isBuilt).map(({ table }) => table));
    const present = within.prepareColumn<string>(PRESENT);
    for (const table of (await present.all({ name: ANY_NAME })).filter((name) => !kept.has(name)))
      await within.exec(`drop function if exists ${table}_follow() cascade; drop table ${table}`);
    const schema = (await within.prepareColumn<string>(`select quote_ident(current_schema())`).get({}))!;
    for (const one of missing) await within.exec(creationSql(schema, one));
    await also?.(within);
    return true;
  });
  for (const one of missing) await fill(db, one);
  return { made: missing.length };
}

const PRESENT = `
  select relname from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname ~ @name`;

async function wantedTables(
  db: Database,
  { heldPassages, reader }: Pick<NearTablesOptions, "heldPassages"> & { reader: string | undefined },
): Promise<WantedTable[]> {
  const wanted: WantedTable[] = [];
  for (const shelf of SHELVES) {
    const rows = db.prepare<Omit<WantedTable, "shelf">>(wantedSql(shelf));
    for (const row of await rows.all({ heldPassages, reader })) wanted.push({ ...row, shelf });
  }
  return wanted;
}

const wantedSql = (shelf: Shelf): string => `
  select embedder, dimensions, extension, sized.table, ${isBuiltSql("sized.table")} as "isBuilt"
  from (
    select block.embedder, dimensions, ${nameSql(shelf, "dimensions", "block.embedder")} as table
    from (select embedder, max(block) as block from ${shelf}_vector_block group by embedder) last
    join ${shelf}_vector_block block using (embedder, block)
    cross join lateral (select octet_length(vectors) / (octet_length(scales) / 4)) width (dimensions)
    where (last.block + 1) * ${BLOCK_ROWS} > @heldPassages::bigint
  ) sized, (${extensionSql("coalesce(@reader::name, current_user)")}) found
  where dimensions <= ${MOST_DIMENSIONS}`;

/**
 * Bytes as the whole numbers from -128 to 127 that they stand for. The column makes a vector of them: its type is not named,
 * because an extension may move to another schema.
 */
const numbersOf = (bytes: string, dimensions: number): string =>
  `array(select (get_byte(${bytes}, place) # 128) - 128 from generate_series(0, ${dimensions - 1}) place)`;

const rowOf = (value: string, width: number): string => `substring(${value} from ${width} * number + 1 for ${width})`;

const EMPTY_SCALE = `'\\x00000000'`;

/**
 * A whole block is written at once, but few of its rows differ. Values are copied (`|| ''`) first, because parts of a long
 * one would each be fetched from where it is kept. The path is fixed, as of all functions of a shared space.
 */
function creationSql(schema: string, wanted: WantedTable): string {
  const { table, shelf, dimensions, extension } = wanted;
  const own = `${schema}.${table}`;
  const isOf = (row: string) => `${nameSql(shelf, `${dimensions}`, `${row}.embedder`)} = '${table}'`;
  return `
    create table ${table} (passage bigint primary key, vector ${extension}.halfvec(${dimensions}) not null);
    create function ${table}_follow() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
    declare
      scales bytea;
      vectors bytea;
      old_scales bytea := '';
      old_vectors bytea := '';
      changed record;
    begin
      -- Whoever removes the extension removes the column with it.
      if not exists (
        select 1 from pg_attribute where attrelid = '${own}'::regclass and attname = 'vector' and not attisdropped
      ) then
        return null;
      end if;
      if tg_op = 'DELETE' then
        delete from ${own} where passage >= old.block * ${BLOCK_ROWS} and passage < (old.block + 1) * ${BLOCK_ROWS};
        return null;
      end if;
      scales := new.scales || '';
      vectors := new.vectors || '';
      if tg_op = 'UPDATE' then
        old_scales := old.scales || '';
        old_vectors := old.vectors || '';
      end if;
      for changed in
        select new.block * ${BLOCK_ROWS} + number as passage, ${rowOf("scales", 4)} as scale, ${rowOf("vectors", dimensions)} as bytes
        from generate_series(0, length(scales) / 4 - 1) number
        where ${rowOf("scales", 4)} <> ${rowOf("old_scales", 4)}
          or ${rowOf("vectors", dimensions)} <> ${rowOf("old_vectors", dimensions)}
      loop
        if changed.scale = ${EMPTY_SCALE} then
          delete from ${own} where passage = changed.passage;
        else
          insert into ${own} (passage, vector) values (changed.passage, ${numbersOf("changed.bytes", dimensions)})
          on conflict (passage) do update set vector = excluded.vector;
        end if;
      end loop;
      return null;
    end $$;
    create trigger ${table}_written after insert or update on ${shelf}_vector_block
    for each row when (${isOf("new")}) execute function ${table}_follow();
    create trigger ${table}_removed after delete on ${shelf}_vector_block
    for each row when (${isOf("old")}) execute function ${table}_follow();`;
}

/**
 * One block at a time, under the lock of the space: what others write meanwhile is either in the block or follows it. The
 * index is built last, which is faster, and lets others write. Until it is valid nobody uses the table.
 */
async function fill(db: OpenDatabase, wanted: WantedTable): Promise<void> {
  const { table, shelf, embedder, extension } = wanted;
  const blocks = db.prepareColumn<number>(
    `select block from ${shelf}_vector_block where embedder = @embedder order by block`,
  );
  for (const block of await blocks.all({ embedder }))
    await db.transact(async (within) => {
      await within.prepare(fillingSql(wanted)).run({ embedder, block });
      return true;
    });
  // It waits for transactions that began earlier, however long they take.
  await db.exec(`set lock_timeout = 0`);
  await db.exec(`
    create index concurrently ${table}_cosine on ${table} using hnsw (vector ${extension}.halfvec_cosine_ops)`);
  await db.exec(`reset lock_timeout`);
}

const fillingSql = (wanted: WantedTable): string => `
  insert into ${wanted.table} (passage, vector)
  select @block::bigint * ${BLOCK_ROWS} + number, ${numbersOf("bytes", wanted.dimensions)}
  from (
    select number, ${rowOf("vectors", wanted.dimensions)} as bytes
    from (
      select scales || '' as scales, vectors || '' as vectors from ${wanted.shelf}_vector_block
      where embedder = @embedder and block = @block offset 0
    ) stored, generate_series(0, length(scales) / 4 - 1) number
    where ${rowOf("scales", 4)} <> ${EMPTY_SCALE} offset 0
  ) filled
  on conflict (passage) do nothing`;
