/**
 * Migrations of a schema: numbered, forward only, one transaction each.
 *
 * The number reached is in the table `schema_version`. A schema that another program made, or that a newer version of
 * this one has changed, is not touched.
 */
import { fileURLToPath } from "node:url";
import { Failure } from "../../errors.ts";
import { RULES_FINGERPRINT } from "../../redaction/rules-fingerprint.ts";
import { type Migration, migrationsIn, type SpaceKind } from "../migration-files.ts";
import type { Database, OpenDatabase } from "./database.ts";
import { codeOf } from "./failures.ts";

const FOLDER = fileURLToPath(new URL("./migrations/", import.meta.url));

let released: readonly Migration[] | undefined;

/** Cached: the files belong to the program and do not change while it runs. */
const known = (): readonly Migration[] => (released ??= migrationsIn(FOLDER));

export const newestSchema = (): number => known().length;

/** Makes the schema, unless it is there, and brings it up to date. */
export async function migrate(db: OpenDatabase, schema: string, kind: SpaceKind): Promise<void> {
  if ((await versionOf(db)) === newestSchema()) return;
  await makeSchema(db, schema);
  const work = async (within: Database) => {
    const isNew = await within.prepareColumn<boolean>(`select to_regclass('schema_version') is null`).get({});
    if (isNew) await begin(within);
    // Nobody writes meanwhile.
    else await within.exec(`select from journal_head where one = 1 for update`);
    const reached = await versionOf(within);
    for (const migration of known().slice(reached)) await within.exec(migration(kind));
    const note = within.prepare(`update schema_version set version = @version where one = 1`);
    await note.run({ version: newestSchema() });
    // Whatever comes into a new store is redacted by the rules of today.
    const redacted = within.prepare(`
      insert into fact (key, value) values ('redacted_by', @rules) on conflict do nothing`);
    if (isNew) await redacted.run({ rules: RULES_FINGERPRINT });
    return true;
  };
  // Locks the schema, for whoever owns it: its tables may not be there yet.
  await db.transact(work, { lockSql: `comment on schema "${schema}" is 'Stele'` });
}

/** Two that make it at once may both find it missing; the later one is refused when the other has made it. */
async function makeSchema(db: Database, schema: string): Promise<void> {
  try {
    await db.exec(`create schema if not exists "${schema}"`);
  } catch (thrown) {
    if (!/^(23505|42P06)$/.test(codeOf(thrown))) throw thrown;
  }
}

async function begin(db: Database): Promise<void> {
  const others = db.prepareColumn<number>(
    `select count(*) from pg_class where relnamespace = current_schema()::regnamespace`,
  );
  if ((await others.get({})) !== 0) {
    throw new Failure(
      "unavailable",
      "The schema belongs to another program.",
      "Name another one. Nothing was changed.",
    );
  }
  await db.exec(`
    create table schema_version (one integer primary key check (one = 1), version integer not null);
    insert into schema_version (one, version) values (1, 0)`);
}

/** 0 if there is nothing yet. */
export async function versionOf(db: Database): Promise<number> {
  const isThere = db.prepareColumn<boolean>(`select to_regclass('schema_version') is not null`);
  if (!(await isThere.get({}))) return 0;
  const version = (await db.prepareColumn<number>(`select version from schema_version where one = 1`).get({})) ?? 0;
  if (version <= newestSchema()) return version;
  throw new Failure(
    "unavailable",
    `The store has schema ${version}; this version of Stele supports schemas up to ${newestSchema()}.`,
    "Update Stele. Nothing was changed.",
  );
}
