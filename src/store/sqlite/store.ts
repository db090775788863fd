/**
 * The store on SQLite: reads are methods, `apply` is the only writer.
 *
 * One connection per store. Statements are compiled when they are first used, so opening
 * costs little. Every call waits for a busy file without blocking.
 */
import { statSync } from "node:fs";
import type { StoreFolder } from "../../encryption/store-key.ts";
import type { Clock } from "../../world.ts";
import { ITEM_READS, onShelves, perShelf } from "../item-row.ts";
import type { Random } from "../journal-link.ts";
import { type SharedReads, sharedReads } from "../rooms.ts";
import type { ItemReads, SearchReads, Store } from "../store.ts";
import type { Committer } from "./committer.ts";
import { type Database, type Durability, type OpenDatabase, openDatabase, openInMemory, waiting } from "./database.ts";
import { driveOn, reading } from "./drive.ts";
import { fileGuard, readOnlyFailure } from "./file-guard.ts";
import { compactFile } from "./file-work.ts";
import { shelfReader } from "./items.ts";
import { migrate, refuseUnknown, type SpaceKind } from "./migrate.ts";
import { rightOfWay } from "./right-of-way.ts";
import { searchReads } from "./search.ts";

export interface SqliteStoreOptions {
  path: string;
  kind: SpaceKind;
  clock: Clock;
  /** Holds what is written in memory, as long as the file does not exist: for whoever only reads. */
  isInMemory?: boolean | undefined;
  /** How long to wait for a file that another process holds. */
  patienceMs?: number;
  /** In place of `node:crypto`, which takes long to load. */
  random?: Random;
  durability?: Durability;
  /** Null or none if the file is not encrypted. */
  key?: StoreFolder["key"];
  /** Whether the store is still in this folder; it is, unless told otherwise. */
  isCurrent?: StoreFolder["isCurrent"];
}

export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { path, kind, patienceMs, durability, key } = options;
  const isRequired = kind === "global";
  const opened = options.isInMemory
    ? openInMemory()
    : await openDatabase(path, { inspect: refuseUnknown, isRequired, patienceMs, durability, key });
  try {
    return await opened.whenFree(() => {
      migrate(opened.db, kind);
      return storeOn(opened, options);
    });
  } catch (thrown) {
    opened.close();
    throw thrown;
  }
}

function storeOn({ db, readOnly, whenFree, close }: OpenDatabase, options: SqliteStoreOptions): Store {
  const { path, clock, random, key, isCurrent } = options;
  const onShelf = perShelf((shelf) => shelfReader(db, shelf));
  const guard = fileGuard(db, path, isCurrent);
  const { giveWay, goFirst } = rightOfWay(path);
  // Many processes only read, and the writing half of the store is the larger one.
  let writer: Promise<Committer> | null = null;
  const committing = () => {
    writer ??= import("./committer.ts").then(({ committer }) =>
      committer(db, { clock, whenFree, giveWay, guard, random }),
    );
    // A failed import may succeed the next time.
    writer.catch(() => (writer = null));
    return writer;
  };

  return {
    readOnly,
    fault: guard.fault,
    async apply(changes, origin, applying) {
      if (readOnly) throw readOnlyFailure();
      if (changes.length === 0) return { status: "applied", transaction: null };
      return (await committing()).commit(changes, origin, applying ?? {});
    },
    ...waiting<Pick<ItemReads, (typeof ITEM_READS)[number]>>(onShelves(onShelf, ITEM_READS), whenFree),
    ...waiting<SearchReads>(searchReads(db), whenFree),
    async journal(query, page) {
      const { changeRecords } = await import("../records.ts");
      const steps = () => changeRecords(query, page, (shelf, ids) => onShelf(shelf).readable(ids));
      // In one transaction, because an entry and its current row must be read at the same moment.
      return whenFree(db.transaction(() => driveOn(db)(steps())));
    },
    size: () => whenFree(() => sizeOf(path, db)),
    ...reading<SharedReads>(sharedReads, db, whenFree),
    async report() {
      const { report } = await import("./report.ts");
      return whenFree(() => report(path, db, onShelf));
    },
    goFirst,
    async compact() {
      if (readOnly) throw readOnlyFailure();
      await (await writer)?.settle();
      await whenFree(() => undefined);
      return compactFile(path, key);
    },
    async close() {
      try {
        await (await writer)?.settle();
      } finally {
        close();
      }
    },
  };
}

function sizeOf(path: string, db: Database): { bytes: number; freeBytes: number } {
  const freePages = db.pragma("freelist_count", { simple: true }) as number;
  const pageBytes = db.pragma("page_size", { simple: true }) as number;
  return { bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0, freeBytes: freePages * pageBytes };
}
