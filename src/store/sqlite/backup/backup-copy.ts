/**
 * Copies a store while other processes write to it.
 *
 * One read transaction freezes the state being copied, so a steady writer cannot make the
 * copy start over; an encrypted store is copied as it is when its turn comes. A copy is a single file without a log, and is valid only after every
 * page has been checked.
 */
import { statSync } from "node:fs";
import { basename } from "node:path";
import type Sqlite from "better-sqlite3-multiple-ciphers";
import type { StoreKey } from "../../../encryption/store-key.ts";
import { Failure } from "../../../errors.ts";
import type { BackupFile, StoreName } from "../../../maintenance/backup.ts";
import { prepareFile, refuseSpecial, syncFile } from "../data-file.ts";
import { BUSY_PATIENCE_MS, BUSY_TIMEOUT_MS, RECOVERABLE, waitingUpTo } from "../database.ts";
import { checkFile, copyFile } from "../file-work.ts";
import { migrate, migrationsTo, type SpaceKind, version } from "../migrate.ts";
import { type Database, openKeyed, openSqlite } from "../sqlite.ts";
import { checksum, hasContent } from "./backup-folder.ts";

/** Pages copied in one turn of the event loop: 2 MB. */
export const PAGES_A_TURN = 500;

export type OnPages = (done: number, total: number) => void;

interface Snapshot {
  /** Writes the copy and checks it. */
  copyTo(target: string, onPages: OnPages): Promise<void>;
  close(): void;
}

export function openSnapshot(
  path: string,
  key: StoreKey | null = null,
  patienceMs = BUSY_PATIENCE_MS,
): Promise<Snapshot> {
  const open = (): Snapshot => {
    refuseSpecial(path);
    const db = openKeyed(path, key, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    try {
      if (key === null) db.exec("begin");
      version(db);
    } catch (thrown) {
      db.close();
      throw thrown;
    }
    return {
      async copyTo(target, onPages) {
        prepareFile(target);
        // SQLite's own backup would write the copy without the key.
        if (key !== null) await copyFile(path, key, target);
        else await copyPages(db, target, onPages);
        await makeSingle(target, key);
        await refuseDamaged({ copy: target, origin: path, key, hint: RECOVERABLE });
      },
      close: () => db.close(),
    };
  };
  return waitingUpTo(patienceMs, path, open, key);
}

async function copyPages(db: Database, target: string, onPages: OnPages): Promise<void> {
  const progress = ({ totalPages, remainingPages }: Sqlite.BackupMetadata) => {
    onPages(totalPages - remainingPages, totalPages);
    return PAGES_A_TURN;
  };
  const { totalPages } = await db.backup(target, { progress });
  // The library mistakes a step that met a lock for the last one.
  if (totalPages === 0) throw Object.assign(new Error("nothing was copied"), { code: "SQLITE_BUSY" });
  onPages(totalPages, totalPages);
}

/** Folds the log into the file, turns the log off, and syncs the file to disk. */
export async function makeSingle(path: string, key: StoreKey | null): Promise<void> {
  const db = openKeyed(path, key, { fileMustExist: true, timeout: BUSY_PATIENCE_MS });
  try {
    // One sync at the end is enough: nobody uses the copy before that.
    db.pragma("synchronous = off");
    db.pragma("journal_mode = delete");
  } finally {
    db.close();
  }
  await syncFile(path);
}

interface CheckedCopy {
  copy: string;
  origin: string;
  key: StoreKey | null;
  hint: string;
}

/** Reads every page of a copy; damage in it means damage in the original. */
export async function refuseDamaged({ copy, origin, key, hint }: CheckedCopy): Promise<void> {
  const [problem] = await checkFile(copy, key);
  if (problem !== undefined) throw new Failure("unavailable", `${origin} is damaged: ${problem}.`, hint);
}

/** The copy's entry in the manifest. An empty copy never gets one. */
export async function describeCopy(path: string, store: StoreName, key: StoreKey | null): Promise<BackupFile> {
  const db = openKeyed(path, key, { readonly: true, fileMustExist: true });
  const schema = version(db);
  db.close();
  const file = { store, name: basename(path), bytes: statSync(path).size, sha256: await checksum(path), schema };
  if (hasContent(file)) return file;
  throw new Failure("unavailable", `Nothing was copied: ${path} is empty.`, RECOVERABLE);
}

/**
 * Whether a copy has only what Stele itself creates.
 *
 * A checksum proves nothing about a backup that somebody else put together. A trigger or view in it would run with
 * every later write, and a table of ours with other columns could compute what it pleases.
 */
interface SchemaObject {
  type: string;
  name: string;
  sql: string | null;
}

/** Must come before anything is written to the copy, or its triggers would run. */
export function refuseForeignSchema(db: Database, kind: SpaceKind, from: string, hint: string): void {
  const foreign = foreignObject(db, kind);
  if (foreign === null) return;
  throw new Failure("unavailable", `${from} has a ${foreign.type} "${foreign.name}" that Stele did not make.`, hint);
}

export function foreignObject(db: Database, kind: SpaceKind): SchemaObject | null {
  const model = openSqlite(":memory:");
  try {
    migrate(model, kind, migrationsTo(version(db)));
    const own = new Set(objectsOf(model).map(identityOf));
    return objectsOf(db).find((object) => !own.has(identityOf(object))) ?? null;
  } finally {
    model.close();
  }
}

const identityOf = ({ type, name, sql }: SchemaObject): string => JSON.stringify([type, name, sql]);

/** Those of SQLite too: a name proves nothing, because a file can have a trigger that is named like them. */
const objectsOf = (db: Database): SchemaObject[] =>
  db.prepare<[], SchemaObject>(`select type, name, sql from sqlite_schema order by name`).all();
