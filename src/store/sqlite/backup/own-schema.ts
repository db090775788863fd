/**
 * Whether a copy has only what Stele itself creates.
 *
 * A checksum proves nothing about a backup that somebody else put together. A trigger or view in it would run with
 * every later write, and a table of ours with other columns could compute what it pleases.
 */
import { Failure } from "../../../errors.ts";
import { type SpaceKind, migrate, migrationsTo, version } from "../connection/migrate.ts";
import { type Database, openSqlite } from "../connection/sqlite.ts";

interface SchemaObject {
  type: string;
  name: string;
  sql: string | null;
}

/** Must come before anything is written to the copy, or its triggers would run. */
export function refuseForeignSchema(db: Database, kind: SpaceKind, from: string, hint: string): void {
  const foreign = foreignObject(db, kind);
  if (foreign === null) return;
  throw new Failure("unavailable", `${from} has a ${foreign.type} "${foreign.name}" that Stele did not make.`, hint);
}

export function foreignObject(db: Database, kind: SpaceKind): SchemaObject | null {
  const model = openSqlite(":memory:");
  try {
    migrate(model, kind, migrationsTo(version(db)));
    const own = new Set(objectsOf(model).map(identityOf));
    return objectsOf(db).find((object) => !own.has(identityOf(object))) ?? null;
  } finally {
    model.close();
  }
}

const identityOf = ({ type, name, sql }: SchemaObject): string => JSON.stringify([type, name, sql]);

/** Those of SQLite too: a name proves nothing, because a file can have a trigger that is named like them. */
const objectsOf = (db: Database): SchemaObject[] =>
  db.prepare<[], SchemaObject>(`select type, name, sql from sqlite_schema order by name`).all();
