/**
 * One process at a time works on the backups: making, cleaning, restoring and dropping need the lock.
 *
 * The lock is SQLite's own, on an empty file next to the folder, so the system releases it when
 * a process dies. Nothing else may open that file: closing it would release the lock.
 */
import { dirname } from "node:path";
import { Failure } from "../../../errors.ts";
import { ensureFolder, makeOnce, refuseSpecial } from "../connection/data-file.ts";
import { codeOf, waitingUpTo } from "../connection/database.ts";
import { openSqlite } from "../connection/sqlite.ts";

const LOCK_PATIENCE_MS = 60_000;

export async function holdingBackups<T>(
  folder: string,
  work: () => Promise<T>,
  patienceMs = LOCK_PATIENCE_MS,
): Promise<T> {
  const path = `${folder}.lock`;
  ensureFolder(dirname(folder));
  refuseSpecial(path);
  makeOnce(path);
  const db = openSqlite(path, { timeout: 0, fileMustExist: true });
  try {
    await waitingUpTo(patienceMs, path, () => db.exec("begin exclusive")).catch(refuse);
    return await work();
  } finally {
    db.close();
  }
}

function refuse(thrown: unknown): never {
  if (!(thrown instanceof Failure) || !codeOf(thrown.cause).startsWith("SQLITE_BUSY")) throw thrown;
  const hint = "Try again when it has finished.";
  throw new Failure("unavailable", "Another process is working on the backups.", hint, { cause: thrown });
}
