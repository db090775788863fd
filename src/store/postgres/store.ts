/**
 * The store on Postgres: reads are methods, `apply` is the only writer.
 *
 * Each space is a schema, so a role is granted a space by grants of Postgres alone, and one space cannot reach another.
 * The driver is loaded when a store is opened, and nothing else loads it.
 */
import { type Shelf, SHELVES } from "../../memory/shelves.ts";
import type { Clock } from "../../world.ts";
import { accessCounts } from "../care.ts";
import { ITEM_READS, onShelves, perShelf } from "../item-row.ts";
import type { Random } from "../journal-link.ts";
import { journalReads } from "../journal.ts";
import type { SpaceKind } from "../migration-files.ts";
import { embeddable, embedders } from "../queue.ts";
import { changeRecords } from "../records.ts";
import { type SharedReads, sharedReads } from "../rooms.ts";
import type { ShelfCount, Store, StoreReport } from "../store.ts";
import { committer } from "./committer.ts";
import { type ConnectionOptions, type Database, type OpenDatabase, openDatabase } from "./database.ts";
import { readOnlyFailure, roleFailure } from "./failures.ts";
import { type ShelfReader, shelfReader } from "./items.ts";
import { migrate, versionOf } from "./migrate.ts";
import { keptQueue } from "./queue.ts";
import { rightOfWay } from "./right-of-way.ts";
import { searchReads } from "./search.ts";
import { reading } from "./statements.ts";

// Reports what a store holds, its size, and how many passages are not embedded yet.

/** `place` names the server, the database and the schema. */
async function report(place: string, db: Database, on: (shelf: Shelf) => ShelfReader): Promise<StoreReport> {
  const counts: ShelfCount[] = [];
  for (const shelf of SHELVES) counts.push(...(await on(shelf).counts()));
  return {
    path: place,
    bytes: await sizeOf(db),
    schema: await versionOf(db),
    counts,
    embeddable: await db.drive(embeddable()),
    embedders: await db.drive(embedders()),
    journalLength: (await db.drive(journalReads.chainHead())).length,
    accesses: await db.drive(accessCounts()),
  };
}

/** The bytes of all tables and indexes of the space. The server reuses what is freed, so none of it is free. */
async function sizeOf(db: Database): Promise<number> {
  const bytes = db.prepareColumn<number>(`
    select coalesce(sum(pg_total_relation_size(oid)), 0) from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'`);
  return (await bytes.get()) ?? 0;
}

/** Of a shelf, a process holds the vectors of so many passages: about 390 MB. */
const VECTORS_IN_MEMORY = 1_000_000;

export interface PostgresStoreOptions extends ConnectionOptions {
  kind: SpaceKind;
  clock: Clock;
  random?: Random;
  /** How many passages of a shelf this process holds the vectors of; those of a larger shelf are fetched for each search. */
  vectorsInMemory?: number | undefined;
  /** Checks the schema instead of making or migrating it; fails if it is not as this version needs it. */
  check?: (db: Database) => Promise<void>;
  /** Told whether the role may write, whatever the server takes at the moment. */
  onRole?: ((mayWrite: boolean) => void) | undefined;
}

export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const db = await openDatabase(options);
  try {
    await (options.check?.(db) ?? migrate(db, options.schema, options.kind));
    const { mayWrite, isCopy } = await rightsOn(db);
    options.onRole?.(mayWrite);
    return storeOn(db, options, !mayWrite || isCopy);
  } catch (thrown) {
    await db.close();
    throw thrown;
  }
}

/** What the role may do, and whether the server takes changes at all. The schema must be there, and readable. */
export async function rightsOn(db: Database): Promise<{ mayWrite: boolean; isCopy: boolean }> {
  const rights = db.prepare<{ mayWrite: boolean; isCopy: boolean }>(
    `select has_table_privilege('journal', 'insert') as "mayWrite", pg_is_in_recovery() as "isCopy"`,
  );
  return (await rights.get())!;
}

const mayWriteOn = async (shelf: Shelf, db: Database): Promise<boolean> =>
  (await db.prepareColumn<boolean>(`select has_table_privilege(@table, 'insert')`).get({ table: `${shelf}_item` })) ??
  false;

function storeOn(db: OpenDatabase, options: PostgresStoreOptions, readOnly: boolean): Store {
  const onShelf = perShelf((shelf) => shelfReader(db, shelf));
  const { goFirst, isFirst } = rightOfWay(db);
  const writer = committer(db, { ...options, isFirst });
  return {
    readOnly,
    async refusal(shelf) {
      if (readOnly) return readOnlyFailure();
      return shelf === undefined || (await mayWriteOn(shelf, db)) ? null : roleFailure();
    },
    fault: () => null,
    async apply(changes, origin, applyOptions) {
      if (readOnly) throw readOnlyFailure();
      if (changes.length === 0) return { status: "applied", transaction: null };
      return writer.commit(changes, origin, applyOptions ?? {});
    },
    ...onShelves(onShelf, ITEM_READS),
    ...searchReads(db, options.vectorsInMemory ?? VECTORS_IN_MEMORY),
    journal: (query, page) =>
      db.atOneMoment((within) =>
        within.drive(changeRecords(query, page, (shelf, ids) => shelfReader(within, shelf).readable(ids))),
      ),
    size: async () => ({ bytes: await sizeOf(db), freeBytes: 0 }),
    ...reading<SharedReads>(sharedReads, db),
    ...keptQueue(db),
    report: () => report(placeOf(options), db, onShelf),
    goFirst,
    /** The server decides when to reuse the space of what was erased. */
    compact: async () => true,
    async close() {
      await writer.settle();
      await db.close();
    },
  };
}

/** Without user and password, which a URL may contain, and without options. */
const placeOf = ({ url, schema }: ConnectionOptions): string =>
  `${url.replace(/\/\/[^/]*@/, "//").replace(/\?.*$/s, "")}#${schema}`;
