/**
 * Migrations: numbered files, forward only, one transaction each.
 *
 * A file `*.shelf.sql` runs once for each shelf; a file `*.global.sql` runs only in the
 * person's own space. The number reached is the file's `user_version`; a higher one than
 * we know means a newer program wrote it, and then nothing is touched.
 */
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Failure } from "../../../errors.ts";
import { SHELVES } from "../../../model/memory/shelf.ts";
import type { Database } from "./database.ts";

export type SpaceKind = "project" | "global";

const FOLDER = fileURLToPath(new URL("../../migrations/", import.meta.url));

let known: readonly string[] | undefined;

/** Cached: the files belong to the program and do not change while it runs. */
function files(): readonly string[] {
  known ??= readdirSync(FOLDER)
    .filter((name) => name.endsWith(".sql"))
    .sort();
  return known;
}

/** Migrates a file to the newest schema, or to `target`, for tests of older ones. */
export function migrate(db: Database, kind: SpaceKind, target?: number): void {
  const current = version(db);
  const migrations = files();
  const goal = target ?? migrations.length;
  for (let number = current + 1; number <= goal; number += 1) step(db, kind, migrations[number - 1]!, number);
}

/** A file written by a newer program must not be touched. */
export function refuseNewer(db: Database): void {
  const current = version(db);
  const newest = knownVersion();
  if (current >= 0 && current <= newest) return;
  throw new Failure(
    "unavailable",
    `The database has schema ${current}; this version of Stele knows ${newest}.`,
    "Update Stele. The file was not changed.",
  );
}

/** The newest schema this program knows. */
export function knownVersion(): number {
  return files().length;
}

export function version(db: Database): number {
  return db.pragma("user_version", { simple: true }) as number;
}

function step(db: Database, kind: SpaceKind, file: string, number: number): void {
  const run = db.transaction(() => {
    // Another process may have migrated the file since the version was read.
    if (version(db) >= number) return;
    for (const sql of statements(file, kind)) db.exec(withoutKnownColumns(sql, db));
    db.pragma(`user_version = ${number}`);
  });
  run.immediate();
}

const ADD_COLUMN = /^alter table (\w+) add column (\w+) [^;]*;$/gm;

/**
 * A new file has its columns from the start: adding one makes SQLite read the whole schema again, and a score of them
 * took half of the time in which a file is made.
 */
function withoutKnownColumns(sql: string, db: Database): string {
  const known = (table: string) => (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
  return sql.replace(ADD_COLUMN, (statement, table: string, column: string) =>
    known(table).includes(column) ? "" : statement,
  );
}

function statements(file: string, kind: SpaceKind): string[] {
  if (file.endsWith(".global.sql") && kind !== "global") return [];
  const sql = readFileSync(FOLDER + file, "utf8");
  return file.endsWith(".shelf.sql") ? SHELVES.map((shelf) => sql.replaceAll("{shelf}", shelf)) : [sql];
}
