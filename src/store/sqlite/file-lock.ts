/**
 * A lock between processes, on an empty file, through SQLite's own locking.
 *
 * Node has no file locks, and SQLite's work on every system. The system releases the lock however its holder ends, so
 * none is ever stale. The file stays: removing it would let two processes hold locks on two files of one name.
 */
import { closeSync, openSync } from "node:fs";
import { codeOf } from "./database.ts";
import { openSqlite } from "./sqlite.ts";

interface FileLock {
  release(): void;
}

/** Null while another process holds it. Throws if the file cannot be written. */
export function lockFile(path: string): FileLock | null {
  create(path);
  const db = openSqlite(path, { timeout: 0 });
  try {
    db.exec("begin exclusive");
    return { release: () => void db.close() };
  } catch (thrown) {
    db.close();
    if (codeOf(thrown).startsWith("SQLITE_BUSY")) return null;
    throw thrown;
  }
}

/** A process that closes a file loses its own locks on it, so one that exists is left to SQLite. */
function create(path: string): void {
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch (thrown) {
    if (codeOf(thrown) !== "EEXIST") throw thrown;
  }
}
