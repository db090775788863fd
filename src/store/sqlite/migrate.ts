/**
 * Migrations: numbered, forward only, one transaction each.
 *
 * A migration has up to three parts, run in this order: `NNN-name.shelf.sql` once for each shelf, `NNN-name.sql` once,
 * `NNN-name.global.sql` only in the global store. The number reached is the file's `user_version`. A file that
 * another program wrote, or a newer or unreleased version of this one, is not touched.
 */
import { fileURLToPath } from "node:url";
import { Failure } from "../../errors.ts";
import { BRING_OVER } from "../../maintenance/finding.ts";
import { RULES_FINGERPRINT } from "../../redaction/rules-fingerprint.ts";
import { type Migration, migrationsIn, type SpaceKind } from "../migration-files.ts";
import type { Database } from "./sqlite.ts";

export { type SpaceKind, migrationsIn } from "../migration-files.ts";

/** "Stel" in the file's header. Versions before the first release did not write it. */
const APPLICATION_ID = 0x53_74_65_6c;

const FOLDER = fileURLToPath(new URL("../migrations/", import.meta.url));

let released: readonly Migration[] | undefined;

/** Cached: the files belong to the program and do not change while it runs. */
function known(): readonly Migration[] {
  return (released ??= migrationsIn(FOLDER));
}

/** Those that lead to an older schema. */
export const migrationsTo = (schema: number): readonly Migration[] => known().slice(0, schema);

/** Migrates a file to the newest schema. */
export function migrate(db: Database, kind: SpaceKind, migrations: readonly Migration[] = known()): void {
  const isNew = version(db) === 0;
  for (let number = version(db) + 1; number <= migrations.length; number += 1) {
    step(db, number, () => migrations[number - 1]!(kind));
  }
  // Whatever comes into a new store is redacted by the rules of today.
  if (isNew)
    db.prepare<[string]>(`insert or ignore into fact (key, value) values ('redacted_by', ?)`).run(RULES_FINGERPRINT);
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
  // One snapshot: another process may create the schema between two reads, and a mixture of both looks foreign.
  const read = db.transaction(() => ({
    current: version(db),
    application: db.pragma("application_id", { simple: true }),
    isEmpty: isEmpty(db),
  }));
  const { current, application, isEmpty: hasNothing } = read();
  if (current === 0) return application === 0 && hasNothing ? "known" : "foreign";
  if (application !== APPLICATION_ID) return application === 0 ? "unreleased" : "foreign";
  return current > 0 && current <= known().length ? "known" : "newer";
}

function isEmpty(db: Database): boolean {
  return db.prepare<[], number>("select count(*) from sqlite_schema").pluck().get() === 0;
}

/** The newest schema that this program knows. */
export const newestSchema = (): number => known().length;

export function version(db: Database): number {
  return db.pragma("user_version", { simple: true }) as number;
}
