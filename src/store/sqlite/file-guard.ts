/**
 * Watches over an open file: it may be removed, replaced or migrated by a newer program while a server lives.
 *
 * Looked at before every call and within every commit, so it asks the system and SQLite one small question each.
 */
import { Failure } from "../../errors.ts";
import { sameFileAt } from "./data-file.ts";
import { codeOf, type Database } from "./database.ts";
import { newestSchema } from "./migrate.ts";

/** Failures of a store that can no longer be written. */
function removedFailure(path: string): Failure {
  return new Failure(
    "unavailable",
    `${path} was removed or replaced since it was opened, so nothing was stored.`,
    "Put it back, or restart Stele.",
  );
}

export function readOnlyFailure(): Failure {
  return new Failure(
    "unavailable",
    "The data folder cannot be written, so nothing was stored.",
    "Check its permissions and the free space, or set STELE_HOME to a folder you can write.",
  );
}

export interface FileGuard {
  /** In words that an answer can carry. */
  fault(): string | null;
  /** Throws if nothing may be written. Within a transaction, nobody can migrate the file afterwards. */
  refuse(): void;
}

/** Encrypting, decrypting and another key put the stores into another folder; whoever opens them next finds them. */
const MOVED = "the data folder was encrypted, decrypted or given another key (repeat the call)";

const REMOVED = "the database was removed or replaced (restart Stele)";
const NEWER = "a newer version of Stele has changed the database (restart Stele)";

const nothingStored = (fault: string, hint: string): Failure =>
  new Failure("unavailable", `Nothing was stored: ${fault.replace(/ \(.*/, "")}.`, hint);

export function fileGuard(db: Database, path: string, isCurrent: () => boolean = () => true): FileGuard {
  const isSame = sameFileAt(path);
  const schema = db.prepare<[], number>("pragma user_version").pluck();
  const isNewer = () => (schema.get() ?? 0) > newestSchema();
  return {
    fault() {
      // A closed store says so itself.
      if (!db.open) return null;
      if (!isCurrent()) return MOVED;
      if (!isSame()) return REMOVED;
      try {
        return isNewer() ? NEWER : null;
      } catch (thrown) {
        // Whoever holds the file may be migrating it; what is read next waits for them.
        if (codeOf(thrown).startsWith("SQLITE_BUSY")) return null;
        throw thrown;
      }
    },
    refuse() {
      if (!isCurrent()) throw nothingStored(MOVED, "Repeat the call.");
      if (!isSame()) throw removedFailure(path);
      if (!isNewer()) return;
      throw nothingStored(NEWER, "Restart Stele.");
    },
  };
}
