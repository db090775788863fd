/** Indexes of vectors that earlier versions made with pgvector: `team init` drops them, and searches do without. */
import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { makeTeamSpace, openTeamSpace } from "../../../src/store/postgres/team-space.ts";
import type { TeamServer } from "../../../src/team/team.ts";
import { active, EMBEDDER } from "../suite/trial.ts";
import { clusteredVectors, fillMemories } from "./filled-shelf.ts";
import { postgresServer } from "./server.ts";

const server = await postgresServer();
const clock = { now: () => 1_700_000_000_000 };
const DIMENSIONS = 48;
const TABLE = `memory_vector_near_${DIMENSIONS}_0123456789ab`;

/** As the last version made them, but of a type that needs no extension. */
const FORMER = `
  create table ${TABLE} (passage bigint primary key, vector bytea not null);
  create function ${TABLE}_follow() returns trigger language plpgsql as $$
  begin
    raise exception 'the former index was written';
  end $$;
  create trigger ${TABLE}_written after insert or update on memory_vector_block
  for each row execute function ${TABLE}_follow();
  create trigger ${TABLE}_removed after delete on memory_vector_block
  for each row execute function ${TABLE}_follow();`;

if (server === null)
  test("no Postgres was tested: STELE_TEST_POSTGRES names no server, and none is packaged for this system", () => {
    assert.equal(server, null);
  });
else
  test("bringing a space up to date drops a former index with its triggers, and nothing else", async () => {
    const team: TeamServer = { url: server.url, tls: null, name: null };
    const schema = `stele_near${process.pid}`;
    const project = { schema, remote: null, firstCommit: null };
    const client = new pg.Client({ connectionString: server.url, options: `-c search_path=${schema}` });
    await client.connect();
    const names = async () =>
      (
        await client.query<{ name: string }>(`
          select relname as name from pg_class where relnamespace = '${schema}'::regnamespace union all
          select proname from pg_proc where pronamespace = '${schema}'::regnamespace union all
          select tgname from pg_trigger where not tgisinternal order by name`)
      ).rows.map(({ name }) => name);
    try {
      assert.deepEqual(await makeTeamSpace(team, project, { clock }), { isKnown: false });
      const before = await names();
      // A name that only looks alike is none of these.
      const other = `create table memory_vector_near_by (one integer)`;
      await client.query(`set role ${schema}_owner; ${FORMER}; ${other}; reset role`);
      const store = await openTeamSpace(team, schema, { clock });
      const make = clusteredVectors(DIMENSIONS, 1, 10);
      await assert.rejects(fillMemories(store, 5, make));
      assert.deepEqual(await makeTeamSpace(team, project, { clock }), { isKnown: true });
      assert.deepEqual(
        (await names()).filter((name) => name !== "memory_vector_near_by"),
        before,
      );
      await fillMemories(store, 50, make);
      const query = { embedder: EMBEDDER, vector: make() };
      assert.equal((await store.nearest("memory", query, active, 10)).length, 10);
      await store.close();
    } finally {
      await client.query(`drop schema if exists ${schema} cascade`);
      for (const role of ["owner", "reader", "writer", "ratifier"])
        await client.query(`drop owned by ${schema}_${role}; drop role ${schema}_${role}`);
      await client.end();
    }
  });
