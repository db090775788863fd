/**
 * Copies a store while others write to it.
 *
 * One read transaction holds still what is copied, so a steady writer cannot make the copy
 * begin anew. A copy is one file without a log beside it, and counts only after every page
 * of it was checked.
 */
import { statSync } from "node:fs";
import { basename } from "node:path";
import type Sqlite from "better-sqlite3-multiple-ciphers";
import { Failure } from "../../../errors.ts";
import type { BackupFile, StoreName } from "../../../model/care/backup.ts";
import { checksum, isOfSomething } from "./backup-folder.ts";
import { prepareFile, refuseSpecial, syncFile } from "../connection/data-file.ts";
import { BUSY_PATIENCE_MS, BUSY_TIMEOUT_MS, RECOVERABLE, waitingUpTo } from "../connection/database.ts";
import { checkFile } from "../connection/file-work.ts";
import { version } from "../connection/migrate.ts";
import { openSqlite } from "../connection/sqlite.ts";

/** Copied in one turn of the event loop: 2 MB. */
export const PAGES_A_TURN = 500;

export type OnPages = (done: number, total: number) => void;

export interface Snapshot {
  /** Writes the copy and checks it. */
  copyTo(target: string, onPages: OnPages): Promise<void>;
  close(): void;
}

export function openSnapshot(path: string, patienceMs = BUSY_PATIENCE_MS): Promise<Snapshot> {
  return waitingUpTo(patienceMs, path, () => {
    refuseSpecial(path);
    const db = openSqlite(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    try {
      db.exec("begin");
      version(db);
    } catch (thrown) {
      db.close();
      throw thrown;
    }
    return {
      async copyTo(target, onPages) {
        prepareFile(target);
        const progress = ({ totalPages, remainingPages }: Sqlite.BackupMetadata) => {
          onPages(totalPages - remainingPages, totalPages);
          return PAGES_A_TURN;
        };
        const { totalPages } = await db.backup(target, { progress });
        // The library takes a step that met a lock for the last one.
        if (totalPages === 0) throw Object.assign(new Error("nothing was copied"), { code: "SQLITE_BUSY" });
        onPages(totalPages, totalPages);
        await makeSingle(target);
        await refuseDamaged(target, path, RECOVERABLE);
      },
      close: () => db.close(),
    };
  });
}

/** Folds the log into the file, does without one, and sees it to the disk. */
export async function makeSingle(path: string): Promise<void> {
  const db = openSqlite(path, { fileMustExist: true, timeout: BUSY_PATIENCE_MS });
  try {
    // Once at the end is enough: nobody relies on the copy before.
    db.pragma("synchronous = off");
    db.pragma("journal_mode = delete");
  } finally {
    db.close();
  }
  await syncFile(path);
}

/** Reads every page of a copy; what is wrong with it is wrong with what it was made from. */
export async function refuseDamaged(copy: string, origin: string, hint: string): Promise<void> {
  const [problem] = await checkFile(copy);
  if (problem !== undefined) throw new Failure("unavailable", `${origin} is damaged: ${problem}.`, hint);
}

/** What the manifest will say of it. A copy of nothing is never vouched for. */
export async function describeCopy(path: string, store: StoreName): Promise<BackupFile> {
  const db = openSqlite(path, { readonly: true, fileMustExist: true });
  const schema = version(db);
  db.close();
  const file = { store, name: basename(path), bytes: statSync(path).size, sha256: await checksum(path), schema };
  if (isOfSomething(file)) return file;
  throw new Failure("unavailable", `Nothing was copied: ${path} is empty.`, RECOVERABLE);
}
