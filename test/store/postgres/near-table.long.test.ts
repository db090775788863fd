/** Shelves that the server searches by an index of pgvector: nearly the same answers, and always in step with the blocks. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import type { TeamServer } from "../../../src/model/care/team.ts";
import type { Item } from "../../../src/model/memory/item.ts";
import { SHELVES } from "../../../src/model/memory/shelf.ts";
import type { Filter } from "../../../src/model/recall/search.ts";
import type { Store } from "../../../src/ports/store/store.ts";
import { openDatabase } from "../../../src/store/postgres/connection/database.ts";
import { makeNearTables } from "../../../src/store/postgres/search/near-table.ts";
import { makeTeamSpace, openTeamSpace } from "../../../src/store/postgres/team/team-space.ts";
import { EMBEDDER, active, apply, direction, embedWaiting, idsOf, put, removal, revision } from "../suite/trial.ts";
import { type VectorMaker, clusteredVectors, fillMemories, randomVectors } from "./filled-shelf.ts";
import { type Spaces, spacesOn } from "./fresh-space.ts";
import { type Server, postgresServer } from "./server.ts";
import { testUnheldVectors } from "./unheld-vectors.ts";

const server = await postgresServer();
const clock = { now: () => 1_700_000_000_000 };
const DIMENSIONS = 48;
const COUNT = 3_000;
const NOT_HELD = { clock, vectorsInMemory: 0 };
const HELD = { clock };

/** Whether the server offers a version that can be used. */
const offered = server !== null && (await isOffered(server.url));

if (server && offered) describe("Postgres, with pgvector", () => testNearTables(server));
else if (server)
  test("no pgvector was tested: the server does not offer it, so no index is made, however large a shelf is", () =>
    withoutExtension(server));
else
  test("no Postgres was tested: STELE_TEST_POSTGRES names no server, and none is packaged for this system", () => {
    assert.equal(server, null);
  });

type Rows = Record<string, unknown>[];

/** The rows of a single statement. */
async function sqlOn(url: string, text: string, values: readonly unknown[] = [], schema = "public"): Promise<Rows> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

async function isOffered(url: string): Promise<boolean> {
  const rows = await sqlOn(
    url,
    `select 1 from pg_available_extensions
    where name = 'vector' and string_to_array(default_version, '.')::integer[] >= array[0, 8]`,
  );
  return rows.length > 0;
}

const schemaOf = (name: string) => `stele_near${process.pid}${name}`;
const projectOf = (schema: string) => ({ schema, remote: null, firstCommit: null });
const tablesSql = `
  select relname as name, oid::integer as oid from pg_class
  where relnamespace = $1::regnamespace and relkind = 'r' and relname like '%\\_vector\\_near\\_%'`;

async function dropSpace(url: string, schema: string): Promise<void> {
  await sqlOn(url, `drop schema ${schema} cascade`);
  for (const role of ["owner", "reader", "writer", "ratifier"])
    await sqlOn(url, `drop owned by ${schema}_${role}; drop role ${schema}_${role}`);
}

async function withoutExtension({ url }: Server): Promise<void> {
  const [team, schema]: [TeamServer, string] = [{ url, tls: null, name: null }, schemaOf("none")];
  await makeTeamSpace(team, projectOf(schema), NOT_HELD);
  const [large, held] = [await openTeamSpace(team, schema, NOT_HELD), await openTeamSpace(team, schema, HELD)];
  const make = clusteredVectors(DIMENSIONS, 1, 10);
  await fillMemories(large, 50, make);
  await makeTeamSpace(team, projectOf(schema), NOT_HELD);
  assert.deepEqual(await sqlOn(url, tablesSql, [schema]), []);
  const query = { embedder: EMBEDDER, vector: make() };
  const found = await large.nearest("memory", query, active, 10);
  assert.equal(found.length, 10);
  assert.deepEqual(found, await held.nearest("memory", query, active, 10));
  for (const store of [large, held]) await store.close();
  await dropSpace(url, schema);
}

interface Space {
  schema: string;
  /** Asks the server. */
  large: Store;
  /** Holds all vectors, and so is exact. */
  held: Store;
  /** Does what `stele team init` does, for shelves with more passages than this. */
  init(heldPassages?: number): Promise<void>;
  tables(): Promise<{ name: string; oid: number }[]>;
  /** The passages of an item that the index holds. */
  indexed(item: Item): Promise<number>;
  sql(text: string, ...values: unknown[]): Promise<Rows>;
}

/** A database of its own: an extension belongs to one, and is removed here. */
function testNearTables(on: Server): void {
  const database = `stele_near_${process.pid}`;
  const url = on.url.replace(/\/[^/]*$/, `/${database}`);
  const team: TeamServer = { url, tls: null, name: null };
  const made: string[] = [];
  before(async () => {
    await sqlOn(on.url, `create database ${database} template template0 encoding 'UTF8'`);
    await sqlOn(url, `create schema "ex""tensions"; create extension vector schema "ex""tensions"`);
    await sqlOn(url, `grant usage on schema "ex""tensions" to public`);
  });
  const last: (() => Promise<void>)[] = [];
  after(async () => {
    for (const work of last) await work();
    for (const schema of made) await dropSpace(url, schema);
    await sqlOn(on.url, `drop database ${database} with (force)`);
  });

  async function withSpace(work: (space: Space) => Promise<void>): Promise<void> {
    const schema = schemaOf(`x${made.length}`);
    const init = async (heldPassages = 0) => {
      await makeTeamSpace(team, projectOf(schema), { clock, vectorsInMemory: heldPassages });
    };
    await init();
    made.push(schema);
    const [large, held] = [await openTeamSpace(team, schema, NOT_HELD), await openTeamSpace(team, schema, HELD)];
    const sql = (text: string, ...values: unknown[]) => sqlOn(url, text, values, schema);
    const tables = async () => (await sql(tablesSql, schema)) as { name: string; oid: number }[];
    const indexed = async ({ id }: Item) => {
      const [table] = await tables();
      const [row] = await sql(
        `select count(*)::integer as count from ${table!.name} near
        join memory_passage passage on passage.seq = near.passage
        join memory_item item on item.seq = passage.item_seq where item.id = $1`,
        id,
      );
      return row!["count"] as number;
    };
    try {
      await work({ schema, large, held, init, tables, indexed, sql });
    } finally {
      for (const store of [large, held]) await store.close();
    }
  }

  testSuite(spacesOn({ ...on, url, atEnd: (work) => void last.push(work) }, { kind: "project", clock }), url);
  testAnswers(withSpace);
  testInStep(withSpace);
  testManaging(withSpace, { url, team });
}

/** The parts of the suite that compare vectors, in spaces that have an index of every shelf from the beginning. */
function testSuite(spaces: Spaces, url: string): void {
  const indexed = new Set<string>();
  const takeIndexed = async (): Promise<Awaited<ReturnType<Spaces["take"]>>> => {
    const space = await spaces.take();
    if (indexed.has(space.schema)) return space;
    const store = await space.open();
    for (const shelf of SHELVES) await put(store, shelf);
    await embedWaiting(store, () => direction(0));
    await store.close();
    const db = await openDatabase({ url, schema: space.schema, connections: 1 });
    assert.deepEqual(await makeNearTables(db, { heldPassages: 0 }), { made: SHELVES.length });
    await db.close();
    indexed.add(space.schema);
    await space.giveBack();
    return takeIndexed();
  };
  testUnheldVectors(takeIndexed);
}

type WithSpace = (work: (space: Space) => Promise<void>) => Promise<void>;

/** The share of what is nearest that is found, on average. Scores must be the same. */
async function recallOf({ large, held }: Space, make: VectorMaker, filter: Filter, limit: number): Promise<number> {
  let [found, all] = [0, 0];
  for (let round = 0; round < 20; round += 1) {
    const query = { embedder: EMBEDDER, vector: make() };
    const exact = new Map(
      (await held.nearest("memory", query, filter, limit)).map(({ itemId, score }) => [itemId, score]),
    );
    const near = await large.nearest("memory", query, filter, limit);
    assert.equal(near.length, exact.size, "the limit is filled");
    const scores = near.map(({ score }) => score);
    assert.deepEqual(
      scores,
      scores.toSorted((one, other) => other - one),
    );
    for (const { itemId, score } of near)
      if (exact.has(itemId)) {
        assert.equal(score, exact.get(itemId));
        found += 1;
      }
    all += exact.size;
  }
  return found / all;
}

function testAnswers(withSpace: WithSpace): void {
  const kinds = {
    random: () => randomVectors(DIMENSIONS, 11),
    clustered: () => clusteredVectors(DIMENSIONS, 13, 30),
  };
  for (const [kind, maker] of Object.entries(kinds))
    test(`of ${kind} vectors it finds nearly all that are nearest, with and without a filter`, () =>
      withSpace(async (space) => {
        const make = maker();
        const items = await fillMemories(space.held, COUNT, make, (number) => ({
          tags: [`third${number % 3}`, `fiftieth${number % 50}`, ...(number % 1_000 === 7 ? ["rare"] : [])],
        }));
        await space.init();
        assert.equal((await space.tables()).length, 1);
        for (const tags of [[], ["third1"], ["fiftieth9"], ["rare"], ["none"]])
          for (const limit of [1, 10, 100]) {
            const recall = tags[0] === "none" ? 1 : await recallOf(space, make, { ...active, tags }, limit);
            assert.ok(recall >= 0.95, `${recall} of ${limit} with ${tags[0] ?? "no filter"}`);
          }
        const query = { embedder: EMBEDDER, vector: make() };
        assert.deepEqual(await space.large.nearest("memory", query, { ...active, tags: ["none"] }, 10), []);
        const tagged = new Set(items.filter(({ tags }) => tags.includes("third2")).map(({ id }) => id));
        const found = await space.large.nearest("memory", query, { ...active, tags: ["third2"] }, 50);
        assert.ok(idsOf(found).every((id) => tagged.has(id)));
      }));

  test("it is the index that answers, not the blocks", () =>
    withSpace(async (space) => {
      const make = clusteredVectors(DIMENSIONS, 17, 30);
      await fillMemories(space.held, 500, make);
      await space.init();
      const query = { embedder: EMBEDDER, vector: make() };
      const nearest = async (store: Store) => (await store.nearest("memory", query, active, 5))[0]!;
      const first = await nearest(space.held);
      assert.deepEqual(await nearest(space.large), first);
      const [table] = await space.tables();
      await space.sql(`delete from ${table!.name} where passage = ${first.passage}`);
      assert.notEqual((await nearest(space.large)).itemId, first.itemId);
    }));
}

function testInStep(withSpace: WithSpace): void {
  test("what another process writes, revises, removes or erases is seen at once", () =>
    withSpace(async (space) => {
      const { held, large, init, indexed } = space;
      const make = clusteredVectors(DIMENSIONS, 19, 30);
      const own = randomVectors(DIMENSIONS, 23);
      const others = await fillMemories(held, 1_100, make);
      await init();
      const nearestTo = async (vector: Float32Array) =>
        (await large.nearest("memory", { embedder: EMBEDDER, vector }, active, 5)).map(({ itemId }) => itemId);
      const [first, second] = [own(), own()];

      const item = await put(held, "memory", { content: "written later" });
      assert.notEqual((await nearestTo(first))[0], item.id, "it has no vector yet");
      await embedWaiting(held, () => first);
      assert.equal((await nearestTo(first))[0], item.id);

      await apply(held, revision("memory", item, { content: "revised" }, ["revised"]));
      await embedWaiting(held, () => second);
      assert.equal((await nearestTo(second))[0], item.id);
      assert.equal(await indexed(item), 1);

      await apply(held, { kind: "purge_items", ids: [item.id], queries: [] });
      assert.ok(!(await nearestTo(second)).includes(item.id));
      assert.deepEqual(await strayRows(space), [], "nothing of what was erased is left, nor of its former text");

      const [removed] = others;
      const { vector } = await vectorOf(held, removed!);
      assert.equal((await nearestTo(vector))[0], removed!.id);
      await apply(held, removal("memory", removed!));
      assert.ok(!(await nearestTo(vector)).includes(removed!.id));
    }));

  test("blocks that are removed leave nothing, nor do those of an embedder that nobody uses", () =>
    withSpace(async (space) => {
      const items = await fillMemories(space.held, 1_100, clusteredVectors(DIMENSIONS, 29, 30));
      await space.init();
      const [table] = await space.tables();
      const count = async () => (await space.sql(`select count(*)::integer as count from ${table!.name}`))[0]!["count"];
      assert.equal(await count(), 1_100);
      await apply(space.held, ...items.slice(1_000).map((item) => removal("memory", item)));
      assert.equal(await count(), 1_023, "the second block is gone; the first has rows of removed passages");
      const muchLater = Date.UTC(2100, 0);
      await apply(space.held, { kind: "adopt_embedder", embedder: "embedder-two", at: muchLater });
      assert.equal(await count(), 0);
      await space.init();
      assert.deepEqual(await space.tables(), []);
    }));
}

/** Rows of the index whose passages are gone although their block has lost their vectors. */
async function strayRows({ sql, tables }: Space): Promise<unknown[]> {
  const [table] = await tables();
  return sql(`select passage from ${table!.name} where passage not in (select seq from memory_passage)`);
}

async function vectorOf(store: Store, { id }: Item): Promise<{ vector: Float32Array }> {
  const [first] = await store.firstPassages("memory", [id]);
  const [vector] = await store.passageVectors("memory", EMBEDDER, [first!.passage]);
  return { vector: vector! };
}

function testManaging(withSpace: WithSpace, { url, team }: { url: string; team: TeamServer }): void {
  test("an index is made for shelves that are large enough, stays as it is, and goes when it is not needed", () =>
    withSpace(async ({ held, init, tables }) => {
      assert.deepEqual(await tables(), []);
      await fillMemories(held, 1_100, clusteredVectors(DIMENSIONS, 31, 30));
      await init(2_048);
      assert.deepEqual(await tables(), []);
      await init(2_047);
      const first = await tables();
      assert.equal(first.length, 1);
      await init(2_047);
      assert.deepEqual(await tables(), first);
      await init(2_048);
      assert.deepEqual(await tables(), []);
      await fillMemories(held, 10, clusteredVectors(DIMENSIONS, 31, 30));
    }));

  test("an index whose making was interrupted is not used, and made again", () =>
    withSpace(async ({ held, large, init, tables, sql }) => {
      const make = clusteredVectors(DIMENSIONS, 37, 30);
      await fillMemories(held, 300, make);
      await init();
      const [table] = await tables();
      await sql(`update pg_index set indisvalid = false where indexrelid = '${table!.name}_cosine'::regclass;
        delete from ${table!.name}`);
      const query = { embedder: EMBEDDER, vector: make() };
      const expected = await held.nearest("memory", query, active, 10);
      assert.deepEqual(await large.nearest("memory", query, active, 10), expected);
      await init();
      assert.notEqual((await tables())[0]!.oid, table!.oid);
      assert.deepEqual(await large.nearest("memory", query, active, 10), expected);
    }));

  test("each role may do with it what it may do with vectors", () =>
    withSpace(async ({ schema, held, init, tables }) => {
      const make = clusteredVectors(DIMENSIONS, 41, 30);
      await fillMemories(held, 300, make);
      const decision = await put(held, "decision", { content: "we use one index" });
      await embedWaiting(held, make);
      await init();
      assert.equal((await tables()).length, 2);
      const people = { reader: `reads_${process.pid}`, writer: `writes_${process.pid}` };
      for (const [role, login] of Object.entries(people))
        await sqlOn(url, `create role ${login} login; grant ${schema}_${role} to ${login}`);
      const as = (login: string) =>
        openTeamSpace({ ...team, url: url.replace(/\/\/[^@]*@/, `//${login}@`) }, schema, NOT_HELD);
      const [reader, writer] = [await as(people.reader), await as(people.writer)];
      const item = await put(writer, "memory");
      await embedWaiting(writer, make);
      const { vector } = await vectorOf(writer, item);
      const query = { embedder: EMBEDDER, vector };
      assert.equal((await reader.nearest("memory", query, active, 3))[0]!.itemId, item.id);
      assert.deepEqual(idsOf(await reader.nearest("decision", query, active, 3)), [decision.id]);
      await apply(writer, { kind: "purge_items", ids: [item.id], queries: [] });
      assert.notEqual((await reader.nearest("memory", query, active, 3))[0]!.itemId, item.id);
      const [table] = await tables();
      const asReader = url.replace(/\/\/[^@]*@/, `//${people.reader}@`);
      await assert.rejects(sqlOn(asReader, `delete from ${schema}.${table!.name}`), { code: "42501" });
      for (const store of [reader, writer]) await store.close();
      for (const login of Object.values(people)) await sqlOn(url, `drop role ${login}`);
    }));

  test("an extension that moves to another schema is found there, and nothing was missed", () =>
    withSpace(async ({ held, large, init, sql, tables }) => {
      const make = clusteredVectors(DIMENSIONS, 47, 30);
      await fillMemories(held, 300, make);
      await init();
      await sqlOn(url, `create schema moved; alter extension vector set schema moved`);
      const [item] = await fillMemories(held, 1, make);
      const { vector } = await vectorOf(held, item!);
      await sqlOn(url, `grant usage on schema moved to public`);
      const query = { embedder: EMBEDDER, vector };
      assert.equal((await large.nearest("memory", query, active, 10))[0]!.itemId, item!.id);
      const [table] = await tables();
      assert.deepEqual(await sql(`select count(*)::integer as count from ${table!.name}`), [{ count: 301 }]);
    }));

  test("without the extension everything goes on, from the blocks", () =>
    withSpace(async ({ held, large, init, tables }) => {
      const make = clusteredVectors(DIMENSIONS, 43, 30);
      await fillMemories(held, 300, make);
      await init();
      await sqlOn(url, `drop extension vector cascade`);
      const [item] = await fillMemories(held, 1, make);
      const { vector } = await vectorOf(held, item!);
      const found = await large.nearest("memory", { embedder: EMBEDDER, vector }, active, 10);
      assert.equal(found[0]!.itemId, item!.id);
      assert.deepEqual(found, await held.nearest("memory", { embedder: EMBEDDER, vector }, active, 10));
      await apply(held, { kind: "purge_items", ids: [item!.id], queries: [] });
      await init();
      assert.deepEqual(await tables(), []);
    }));
}
