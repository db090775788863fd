/**
 * Migrations: numbered, forward only, one transaction each.
 *
 * A migration has up to three parts, run in this order: `NNN-name.shelf.sql` once for each shelf, `NNN-name.sql` once,
 * `NNN-name.global.sql` only in the global store. The number reached is the file's `user_version`. A file that
 * another program wrote, or a newer or unreleased version of this one, is not touched.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../../../errors.ts";
import { BRING_OVER } from "../../../model/care/finding.ts";
import { SHELVES } from "../../../model/memory/shelves.ts";
import type { Database } from "./sqlite.ts";

export type SpaceKind = "project" | "global";

/** "Stel" in the file's header. Versions before the first release did not write it. */
export const APPLICATION_ID = 0x53_74_65_6c;

const FOLDER = fileURLToPath(new URL("../../migrations/", import.meta.url));

/** The SQL of one migration. */
type Migration = (kind: SpaceKind) => string;

let released: readonly Migration[] | undefined;

/** Cached: the files belong to the program and do not change while it runs. */
function known(): readonly Migration[] {
  return (released ??= migrationsIn(FOLDER));
}

/** Ordered by number. */
export function migrationsIn(folder: string): Migration[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  const names = [...new Set(files.map((file) => file.split(".")[0]!))].sort();
  return names.map((name) => (kind) => {
    const part = (suffix: string) =>
      files.includes(name + suffix) ? readFileSync(join(folder, name + suffix), "utf8") : "";
    const ofShelf = part(".shelf.sql");
    const shelves = SHELVES.map((shelf) => ofShelf.replaceAll("{shelf}", shelf));
    return [...shelves, part(".sql"), kind === "global" ? part(".global.sql") : ""].join("\n");
  });
}

/** Migrates a file to the newest schema. */
export function migrate(db: Database, kind: SpaceKind, migrations: readonly Migration[] = known()): void {
  for (let number = version(db) + 1; number <= migrations.length; number += 1) {
    step(db, number, () => migrations[number - 1]!(kind));
  }
}

function step(db: Database, number: number, sql: () => string): void {
  const run = db.transaction(() => {
    // Another process may have migrated the file since the version was read.
    if (version(db) >= number) return;
    db.exec(sql());
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${number}`);
  });
  run.immediate();
}

/** Refuses a file that this program must not touch. */
export function refuseUnknown(db: Database): void {
  const origin = originOf(db);
  if (origin === "unreleased") {
    throw new Failure(
      "unavailable",
      "The store was written by a development version of Stele, from before the first release.",
      BRING_OVER,
    );
  }
  if (origin === "foreign") {
    throw new Failure(
      "unavailable",
      "The store belongs to another program.",
      "Move it elsewhere, or set STELE_HOME to another folder. The file was not changed.",
    );
  }
  if (origin === "newer") {
    throw new Failure(
      "unavailable",
      `The store has schema ${version(db)}; this version of Stele supports schemas up to ${known().length}.`,
      "Update Stele. The file was not changed.",
    );
  }
}

/** Which program and version wrote the file; an empty file counts as known. */
export function originOf(db: Database): "known" | "newer" | "unreleased" | "foreign" {
  const current = version(db);
  const application = db.pragma("application_id", { simple: true });
  if (current === 0) return application === 0 && isEmpty(db) ? "known" : "foreign";
  if (application !== APPLICATION_ID) return application === 0 ? "unreleased" : "foreign";
  return current > 0 && current <= known().length ? "known" : "newer";
}

function isEmpty(db: Database): boolean {
  return db.prepare<[], number>("select count(*) from sqlite_schema").pluck().get() === 0;
}

export function version(db: Database): number {
  return db.pragma("user_version", { simple: true }) as number;
}
