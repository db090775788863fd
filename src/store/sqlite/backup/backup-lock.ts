/**
 * One at a time among the backups: whoever makes, cleans, restores or drops one holds the lock.
 *
 * The lock is SQLite's own, on an empty file beside the folder, so the system gives it back when
 * a process dies. Nothing else may open that file: closing it again would give up the lock.
 */
import { dirname } from "node:path";
import { Failure } from "../../../errors.ts";
import { ensureFolder, makeOnce, refuseSpecial } from "../connection/data-file.ts";
import { codeOf, waitingUpTo } from "../connection/database.ts";
import { openSqlite } from "../connection/sqlite.ts";

export const LOCK_PATIENCE_MS = 60_000;

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
