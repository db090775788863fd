/** A store that listens knows without asking whether anything has changed, and asks again when it no longer hears. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import pg from "pg";
import { quantise } from "../../../src/embed/quantise.ts";
import type { Store } from "../../../src/store/store.ts";
import { contentHash } from "../../../src/text/content-hash.ts";
import { until } from "../../until.ts";
import { active, apply, direction, EMBEDDER, embedWaiting, idsOf, put } from "../suite/trial.ts";
import { type Spaces, spacesOn } from "./fresh-space.ts";
import { postgresServer, type Server } from "./server.ts";
import { tripCounter } from "./trip-counter.ts";

const server = await postgresServer();
const clock = { now: () => 1_700_000_000_000 };

interface Pair {
  writer: Store;
  listener: Store;
  schema: string;
  /** Resolves when the listener answers from what it keeps. */
  listens(): Promise<void>;
  asksEachTime(): Promise<boolean>;
}

async function withPair(on: Server, spaces: Spaces, check: (pair: Pair) => Promise<void>): Promise<void> {
  const { open, schema, giveBack } = await spaces.take();
  const counter = await tripCounter(on.url);
  const writer = await open();
  const listener = await open({ url: counter.url, listens: true });
  /** The first may have to read what the second is told from memory. */
  const asksEachTime = async () => {
    await listener.filledShelves();
    const before = counter.count();
    await listener.filledShelves();
    return counter.count() > before;
  };
  try {
    const listens = () => until(async () => !(await asksEachTime()));
    await check({ writer, listener, schema, listens, asksEachTime });
  } finally {
    for (const store of [listener, writer]) await store.close();
    await counter.close();
    await giveBack();
  }
}

const near = (store: Store) => store.nearest("memory", { embedder: EMBEDDER, vector: direction(1) }, active, 5);
const byWord = (store: Store) => store.keyword("memory", { terms: ["herons"] }, active, 5);

/** The connections of a schema that listen. */
async function listening(on: Server, schema: string): Promise<number[]> {
  const admin = new pg.Client({ connectionString: on.url });
  await admin.connect();
  const { rows } = await admin.query<{ pid: number }>(`select pid from pg_stat_activity where query = $1`, [
    `listen "${schema}"`,
  ]);
  await admin.end();
  return rows.map(({ pid }) => pid);
}

async function end(on: Server, pids: readonly number[]): Promise<void> {
  const admin = new pg.Client({ connectionString: on.url });
  await admin.connect();
  await admin.query(`select pg_terminate_backend(pid) from unnest($1::integer[]) pid`, [pids]);
  await admin.end();
}

if (server) describe("Postgres, listening", () => testFreshness(server, spacesOn(server, { kind: "project", clock })));
else
  test("no Postgres was tested: STELE_TEST_POSTGRES names no server, and none is packaged for this system", () => {
    assert.equal(server, null);
  });

function testFreshness(on: Server, spaces: Spaces): void {
  test("what another store writes is found: items, words, vectors and the queue", () =>
    withPair(on, spaces, async ({ writer, listener, listens }) => {
      await listens();
      assert.deepEqual([await byWord(listener), await near(listener), await listener.filledShelves()], [[], [], []]);
      assert.equal(await listener.waitingCount(EMBEDDER), 0);
      const { id } = await put(writer, "memory", { content: "herons fish at dawn" });
      await until(async () => idsOf(await byWord(listener)).includes(id));
      await until(async () => (await listener.waitingCount(EMBEDDER)) === 1);
      await embedWaiting(writer, () => direction(1));
      await until(async () => idsOf(await near(listener)).includes(id));
      await until(async () => (await listener.waitingCount(EMBEDDER)) === 0);
      assert.deepEqual(await listener.filledShelves(), ["memory"]);
    }));

  test("what it writes itself it finds at once", () =>
    withPair(on, spaces, async ({ listener, listens }) => {
      await listens();
      assert.deepEqual(await byWord(listener), []);
      const { id } = await put(listener, "memory", { content: "herons fish at dawn" });
      assert.deepEqual(idsOf(await byWord(listener)), [id]);
      assert.deepEqual(await near(listener), []);
      await embedWaiting(listener, () => direction(1));
      assert.deepEqual(idsOf(await near(listener)), [id]);
    }));

  test("an erased item is no longer found, nor the vector of a question that was erased with it", () =>
    withPair(on, spaces, async ({ writer, listener, listens }) => {
      await listens();
      const { id } = await put(writer, "memory", { content: "herons fish at dawn" });
      const hash = contentHash("where are the herons?");
      const entries = [{ hash, vector: quantise(direction(1)) }];
      await apply(writer, { kind: "cache_vectors", embedder: EMBEDDER, at: 1, entries });
      await embedWaiting(writer, () => direction(1));
      const isCached = async () => (await listener.cachedVectors(EMBEDDER, [hash])).has(hash);
      await until(async () => idsOf(await near(listener)).includes(id) && (await isCached()));
      await apply(writer, { kind: "purge_items", ids: [id], queries: ["where are the herons?"] });
      await until(async () => (await near(listener)).length === 0 && !(await isCached()));
    }));

  test("without its connection it asks each time, until it has another one", () =>
    withPair(on, spaces, async ({ writer, listener, schema, listens }) => {
      await listens();
      assert.deepEqual(await byWord(listener), []);
      const lost = await listening(on, schema);
      assert.equal(lost.length, 1);
      await end(on, lost);
      const { id } = await put(writer, "memory", { content: "herons fish at dawn" });
      await until(async () => idsOf(await byWord(listener)).includes(id));
      await listens();
      assert.notDeepEqual(await listening(on, schema), lost);
    }));

  test("a store that is not told to listen asks each time, and holds no connection for it", () =>
    withPair(on, spaces, async ({ schema, listens }) => {
      await listens();
      const { open, giveBack, schema: other } = await spaces.take();
      const short = await open();
      await short.filledShelves();
      assert.deepEqual(await listening(on, other), []);
      assert.equal((await listening(on, schema)).length, 1);
      await short.close();
      await giveBack();
    }));
}
