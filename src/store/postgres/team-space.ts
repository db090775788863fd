/**
 * Spaces that a team shares, on its server: making one with its roles, finding one, and looking at the connection.
 *
 * A space is a schema and four roles of the same name. Which repository it is of stands in the space itself, so nobody
 * learns of a project that they may not read.
 */
import { performance } from "node:perf_hooks";
import { Failure } from "../../errors.ts";
import {
  isSchemaName,
  roleOf,
  SCHEMA_PREFIX,
  TEAM_ROLES,
  type TeamCondition,
  type TeamProject,
  type TeamServer,
} from "../../team/team.ts";
import type { Clock } from "../../world.ts";
import type { Store } from "../store.ts";
import { type Database, openDatabase } from "./database.ts";
import { newestSchema, versionOf } from "./migrate.ts";
import { type BeyondHead, foundBeyond, mendJournalEnd, rightsSql } from "./rights.ts";
import { openPostgresStore, type PostgresStoreOptions, rightsOn } from "./store.ts";

const connectionOf = ({ url, password, tls, name }: TeamServer) => ({ url, password, tls, author: name });

async function onServer<T>(server: TeamServer, schema: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase({ ...connectionOf(server), schema, connections: 1 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

interface MadeSpace {
  /** Whether it was there already; then its tables and rights were brought up to date. */
  isKnown: boolean;
}

/**
 * Makes the space of a project, or brings it up to date. Needs a user who may create roles and schemas. Fails after all of
 * it if somebody wrote to the journal without Stele.
 */
export async function makeTeamSpace(
  server: TeamServer,
  project: TeamProject,
  { clock }: { clock: Clock },
): Promise<MadeSpace> {
  const { schema } = project;
  if (!isSchemaName(schema)) throw new Error(`${schema} is no name of a schema`);
  const isKnown = await onServer(server, "pg_catalog", (db) => makeRoles(db, project));
  const owner = roleOf(schema, "owner");
  const connection = { ...connectionOf(server), schema, actsAs: owner };
  await (await openPostgresStore({ ...connection, kind: "project", clock })).close();
  const db = await openDatabase({ ...connection, connections: 1 });
  let beyond: BeyondHead = { continued: 0, aside: 0 };
  try {
    await db.transact(async (within) => {
      await within.exec(DROP_FORMER_INDEXES);
      beyond = await mendJournalEnd(within);
      await within.exec(rightsSql(schema));
      await noteProject(within, project);
      return true;
    });
    const found = foundBeyond(schema, beyond);
    if (found) throw found;
    return { isKnown };
  } finally {
    await db.close();
  }
}

/** Earlier versions indexed the vectors of large shelves by tables that triggers on the blocks kept in step. */
const DROP_FORMER_INDEXES = `
  do $$
  declare
    former name;
  begin
    for former in
      select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
        and relname ~ '^[a-z]+_vector_near_[0-9]+_[0-9a-f]{12}$'
    loop
      execute format('drop function if exists %I() cascade', former || '_follow');
      execute format('drop table %I', former);
    end loop;
  end $$`;

/** Roles belong to the whole server, not to a database, so one that another database uses must not get rights here. */
async function makeRoles(db: Database, { schema }: TeamProject): Promise<boolean> {
  const isKnown = (await db.prepareColumn<boolean>(IS_SCHEMA).get({ schema })) ?? false;
  const names = [roleOf(schema, "owner"), ...TEAM_ROLES.map((role) => roleOf(schema, role))];
  const there = await db
    .prepareColumn<string>(`select rolname from pg_roles where rolname = any (@names)`)
    .all({ names });
  if (isKnown && (await db.prepareColumn<string>(OWNER).get({ schema })) !== roleOf(schema, "owner")) {
    const hint = "Choose another name with --name. Nothing was changed.";
    throw new Failure("conflict", `The schema ${schema} belongs to somebody else.`, hint);
  }
  if (!isKnown && there.length > 0) {
    throw new Failure(
      "conflict",
      `The server already has the role ${there[0]}, for a project of another database.`,
      "Choose another name with --name, or remove the roles if nobody uses them.",
    );
  }
  const missing = names.filter((name) => !there.includes(name));
  const [owner, reader, writer, ratifier] = names;
  const database = await db.prepareColumn<string>(`select quote_ident(current_database())`).get({});
  await db.exec(`
    begin;
    ${missing.map((name) => `create role "${name}" nologin;`).join("\n")}
    grant "${reader}" to "${writer}";
    grant "${writer}" to "${ratifier}";
    grant "${owner}" to current_user;
    grant create on database ${database} to "${owner}";
    create schema if not exists "${schema}" authorization "${owner}";
    commit`);
  return isKnown;
}

const OWNER = `select pg_get_userbyid(nspowner)::text from pg_namespace where nspname = @schema`;
const IS_SCHEMA = `select exists (select 1 from pg_namespace where nspname = @schema)`;
const FACTS = { remote: "team_remote", firstCommit: "team_first_commit" } as const;

async function noteProject(db: Database, { remote, firstCommit }: TeamProject): Promise<void> {
  const note = db.prepare(`
    insert into fact (key, value) values (@key, @value) on conflict (key) do update set value = excluded.value`);
  if (remote !== null) await note.run({ key: FACTS.remote, value: remote });
  if (firstCommit !== null) await note.run({ key: FACTS.firstCommit, value: firstCommit });
}

/**
 * The spaces that this user may read. One that somebody else has made under such a name is not even looked at: a view in
 * the place of a table would run whatever its maker wants, with the rights of whoever reads it.
 */
export function teamProjects(server: TeamServer): Promise<TeamProject[]> {
  return onServer(server, "pg_catalog", async (db) => {
    const schemas = await db
      .prepareColumn<string>(
        `select nspname from pg_namespace
        where starts_with(nspname, @prefix) and has_schema_privilege(oid, 'usage')
          and pg_get_userbyid(nspowner) = nspname || '_owner'
          and to_regclass(quote_ident(nspname) || '.fact') is not null order by nspname`,
      )
      .all({ prefix: SCHEMA_PREFIX });
    const projects: TeamProject[] = [];
    for (const schema of schemas.filter(isSchemaName)) {
      const facts = new Map(
        await db
          .prepareRaw<[string, string]>(`select key, value from "${schema}".fact where key = any (@keys)`)
          .all({ keys: Object.values(FACTS) }),
      );
      projects.push({
        schema,
        remote: facts.get(FACTS.remote) ?? null,
        firstCommit: facts.get(FACTS.firstCommit) ?? null,
      });
    }
    return projects;
  });
}

export function examineTeam(server: TeamServer, schema: string): Promise<TeamCondition> {
  return onServer(server, schema, async (db) => {
    const found = (await db
      .prepare<{ server: string; user: string; isEncrypted: boolean | null }>(
        `select split_part(version(), ' ', 1) || ' ' || current_setting('server_version') as server,
          session_user as "user", (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as "isEncrypted"`,
      )
      .get({}))!;
    const started = performance.now();
    await db.prepareColumn<number>(`select 1`).get({});
    const roundTripMs = performance.now() - started;
    const roles = await db
      .prepare<{ name: string; isInherited: boolean }>(
        `select rolname as name, pg_has_role(oid, 'usage') as "isInherited" from pg_roles
        where rolname = any (@names) and pg_has_role(oid, 'member')`,
      )
      .all({ names: TEAM_ROLES.map((role) => roleOf(schema, role)) });
    const highestOf = (some: readonly { name: string }[]) =>
      TEAM_ROLES.findLast((role) => some.some(({ name }) => name === roleOf(schema, role))) ?? null;
    const mayLook = await db
      .prepareColumn<boolean>(
        `select coalesce((select has_schema_privilege(oid, 'usage') from pg_namespace where nspname = @schema), false)`,
      )
      .get({ schema });
    const role = highestOf(roles.filter(({ isInherited }) => isInherited));
    const version = mayLook ? (await versionOf(db)) || null : null;
    return {
      server: found.server,
      user: found.user,
      isEncrypted: found.isEncrypted ?? false,
      roundTripMs,
      role,
      granted: highestOf(roles),
      // Where there are no tables, only the role's name says what it would allow.
      mayWrite: version === null ? role !== null && role !== "reader" : (await rightsOn(db)).mayWrite,
      version,
      newest: newestSchema(),
      extensions: await db.prepareColumn<string>(`select extname from pg_extension order by extname`).all({}),
    };
  });
}

/** Opens the shared space of a project. Never makes or migrates one: that is for whoever manages the server. */
export const openTeamSpace = (
  server: TeamServer,
  schema: string,
  options: Pick<PostgresStoreOptions, "clock" | "listens" | "onRole">,
): Promise<Store> =>
  openPostgresStore({
    ...connectionOf(server),
    schema,
    kind: "project",
    ...options,
    check: (db) => refuseOther(db, schema),
  });

async function refuseOther(db: Database, schema: string): Promise<void> {
  const [version, newest] = [await versionOf(db), newestSchema()];
  if (version === newest) return;
  if (version === 0) {
    const hint = "Ask whoever manages the server for a role in it, or to run `stele team init`.";
    throw new Failure("unavailable", `You cannot read ${schema} on the team's server.`, hint);
  }
  const hint = "Ask whoever manages the server to run `stele team init` with this version of Stele.";
  throw new Failure("unavailable", `The team's server has schema ${version}; this Stele needs ${newest}.`, hint);
}
