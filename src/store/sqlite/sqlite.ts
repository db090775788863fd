/**
 * SQLite itself: the only place that opens a file with it. Stores and their copies are opened with `openKeyed`.
 *
 * It also locates the native addon. The package would do so through a full process report of Node, just to tell glibc
 * from musl, which takes longer than opening a file.
 */
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { HEAD_BYTES, headOf, rawKey, type StoreKey } from "../../encryption/store-key.ts";
import { Failure } from "../../errors.ts";

export type Database = Sqlite.Database;

const PACKAGE = "better-sqlite3-multiple-ciphers";
const HERE = fileURLToPath(import.meta.url);

let addon: string | undefined;

/** Opens the file of a store. A wrong key shows when the first page is read. */
export function openKeyed(path: string, key: StoreKey | null, options: Sqlite.Options = {}): Database {
  const db = openSqlite(path, options);
  // Without the last one, sorting and compacting would write plain text to temporary files.
  if (key) db.exec(`pragma cipher = 'aegis'; pragma key = '${rawKey(key)}'; pragma temp_store = memory`);
  return db;
}

/** For files that are no stores of ours: locks, databases in memory, and those of other programs. */
export function openSqlite(path: string, options: Sqlite.Options = {}): Database {
  addon ??= join(packageFolder(), addonIn(packageFolder()));
  return new Sqlite(path, { ...options, nativeBinding: addon });
}

/** Tries the likely folders before Node's resolver, which takes time to load; both find the same package. */
function packageFolder(): string {
  for (let folder = dirname(HERE); folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, "node_modules", PACKAGE);
    if (existsSync(found)) return found;
  }
  return join(dirname(createRequire(HERE).resolve(PACKAGE)), "..");
}

/** The prebuilt addon for this machine, or one built on it. */
function addonIn(folder: string): string {
  const system = process.platform === "linux" && isMusl() ? "linuxmusl" : process.platform;
  const prebuilt = join("prebuilds", `${system}-${process.arch}.node`);
  return existsSync(join(folder, prebuilt)) ? prebuilt : join("build", "Release", "better_sqlite3.node");
}

/** A glibc system may have the musl loader too, for cross-compiling; only then is the slow report consulted. */
function isMusl(): boolean {
  const hasLoader = ["x86_64", "aarch64"].some((processor) => existsSync(`/lib/ld-musl-${processor}.so.1`));
  if (!hasLoader) return false;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}

// Tells a missing or wrong key from damage, by the first bytes of a file.
//
// Only asked after SQLite has refused the file: closing a file releases every lock that this process holds on it.

/** Why the key is at fault; null if it is not. */
export function keyFault(path: string, key: StoreKey | null): Failure | null {
  const head = readHead(path);
  if (head === "unknown") return null;
  if (head === "plain") return key === null ? null : notEncrypted(path);
  if (key?.id === head.keyId) return null;
  const hint = "`stele doctor` says which key this data folder has. Nothing was changed.";
  return key === null
    ? new Failure("locked", `${path} is encrypted, and there is no key for it.`, hint)
    : new Failure("locked", `${path} is encrypted with another key (${head.keyId}).`, hint);
}

/** Whether nobody can say what a file holds without opening it as a store. */
export const isEncrypted = (path: string): boolean => typeof readHead(path) === "object";

const notEncrypted = (path: string): Failure =>
  new Failure(
    "unavailable",
    `${path} is not encrypted, although this data folder is.`,
    "Somebody put it there: move it elsewhere. Nothing was changed.",
  );

function readHead(path: string): ReturnType<typeof headOf> {
  try {
    const file = openSync(path, "r");
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      return headOf(head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0)));
    } finally {
      closeSync(file);
    }
  } catch {
    return "unknown";
  }
}
