/**
 * Whether anything that is kept has changed, seen from a connection of its own.
 *
 * `data_version` says whether anybody wrote at all; only then are items and journal looked at. Access
 * counts, vectors, leases, what was taken in from files and memories that expire are left out: they are written or
 * removed after an answer, at idle, or before a search, by right.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { StoreKey } from "../../src/encryption/store-key.ts";
import { type Database, openKeyed } from "../../src/store/sqlite/sqlite.ts";
import { storesOf } from "./home-key.ts";

export interface Watch {
  /** Equal before and after when no item and no entry of the journal was added, changed or removed. */
  state(): string;
  close(): void;
}

/** A file that is still to be made says the same as one that holds nothing. */
const EMPTY = "";

interface WatchedFile {
  identity: string;
  state(): string;
  close(): void;
}

export function watch(home: string): Watch {
  const files = new Map<string, WatchedFile>();
  const look = (): WatchedFile[] =>
    storesIn(home).map((path) => {
      const known = files.get(path);
      const identity = String(statSync(path).ino);
      if (known?.identity === identity) return known;
      // A restored file stands in the place of the one we held.
      known?.close();
      const fresh = watchFile(path, identity, storesOf(home).key);
      files.set(path, fresh);
      return fresh;
    });
  return {
    state: () =>
      look()
        .map((file) => file.state())
        .filter((state) => state !== EMPTY)
        .join("\n"),
    close() {
      for (const file of files.values()) file.close();
      files.clear();
    },
  };
}

/** The database files of a home, those of backups left out. */
export function storesIn(home: string): string[] {
  const { folder } = storesOf(home);
  const spaces = join(folder, "spaces");
  const names = existsSync(spaces) ? readdirSync(spaces).filter((name) => name.endsWith(".db")) : [];
  return [join(folder, "global.db"), ...names.map((name) => join(spaces, name))].filter((path) => existsSync(path));
}

function watchFile(path: string, identity: string, key: StoreKey | null): WatchedFile {
  const db = openKeyed(path, key, { readonly: true });
  const version = db.prepare("pragma data_version").pluck();
  let seen: unknown = null;
  let state = "";
  return {
    identity,
    state() {
      const now = version.get();
      if (now !== seen) [seen, state] = [now, stateOf(db)];
      return state;
    },
    close: () => db.close(),
  };
}

function stateOf(db: Database): string {
  const tables = db
    .prepare<
      [],
      string
    >("select name from sqlite_schema where type = 'table' and name glob '*_item' and name not in ('document_item', 'code_item')")
    .pluck()
    .all();
  if (tables.length === 0) return EMPTY;
  const items = tables.map(
    (table) => `select count(*), total(seq), total(version), total(updated_at) from ${table} where expires_at is null`,
  );
  const head = "select length, 0, 0, hex(hash) from journal_head";
  const rows = db
    .prepare<[], [number]>([...items, head].join(" union all "))
    .raw()
    .all();
  return rows.every(([count]) => count === 0) ? EMPTY : JSON.stringify(rows);
}
