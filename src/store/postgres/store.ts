/**
 * The store on Postgres: reads are methods, `apply` is the only writer.
 *
 * Each space is a schema, so a role is granted a space by grants of Postgres alone, and one space cannot reach another.
 * The driver is loaded when a store is opened, and nothing else loads it.
 */
import type { Shelf } from "../../model/memory/shelves.ts";
import type { Store } from "../../ports/store/store.ts";
import type { Clock } from "../../ports/world.ts";
import type { SpaceKind } from "../migration-files.ts";
import type { Random } from "../rows/journal/journal-link.ts";
import { perShelf } from "../rows/items/per-shelf.ts";
import { committer } from "./committer.ts";
import { type ConnectionOptions, type Database, type OpenDatabase, openDatabase } from "./connection/database.ts";
import { readOnlyFailure, roleFailure } from "./connection/failures.ts";
import { reading } from "./connection/drive.ts";
import { migrate } from "./connection/migrate.ts";
import { rightOfWay } from "./connection/right-of-way.ts";
import { type SharedReads, sharedReads } from "../rooms.ts";
import { itemReads } from "./items/items.ts";
import { shelfReader } from "./items/shelf-reader.ts";
import { changeRecords } from "../records.ts";
import { report, sizeOf } from "./report.ts";
import { keptQueue } from "./search/queue.ts";
import { searchReads } from "./search/search.ts";

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
    ...itemReads(onShelf),
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
