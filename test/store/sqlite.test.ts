/** The store on SQLite: the promises of the port, and what only a file shared by processes has to keep. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { quantise } from "../../src/logic/quantise.ts";
import type { Store } from "../../src/ports.ts";
import { CACHE_LIMIT_ENTRIES } from "../../src/store/sqlite/appliers.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { testStore } from "./store-suite.ts";
import { ORIGIN, active, apply, direction, embedWaiting, everything, idsOf, insertion } from "./suite/trial.ts";
import { newItem, put, removal } from "./suite/trial.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const { path } = temporaryFolder("store");
const clock = { now: () => 1_700_000_000_000 };
const open = (file: string): Promise<Store> => openSqliteStore({ path: file, kind: "global", clock });

testStore("SQLite", async () => {
  const store = await open(path());
  return { store, close: () => store.close() };
});

async function withTwo(check: (one: Store, other: Store) => Promise<void>): Promise<void> {
  const file = path();
  const [one, other] = [await open(file), await open(file)];
  await check(one, other);
  await Promise.all([one.close(), other.close()]);
}

test("what one connection writes the other sees at once, vectors included", async () => {
  await withTwo(async (one, other) => {
    const near = async (store: Store, embedder: string) =>
      idsOf(await store.nearest("memory", { embedder, vector: direction(0) }, active, 9));
    const first = await put(one, "memory");
    await embedWaiting(one, () => direction(0), { embedder: "a" });
    assert.deepEqual(await near(other, "a"), [first.id]);
    const second = await put(other, "memory");
    await embedWaiting(other, () => direction(0, 0.5), { embedder: "a" });
    assert.deepEqual(await near(one, "a"), [first.id, second.id]);
    await apply(other, removal("memory", first));
    assert.deepEqual(await near(one, "a"), [second.id]);
    await apply(other, { kind: "adopt_embedder", embedder: "b" });
    await apply(other, { kind: "adopt_embedder", embedder: "a" });
    await embedWaiting(other, () => direction(0), { embedder: "a" });
    assert.deepEqual(await near(one, "a"), [second.id]);
    assert.deepEqual(await everything(one), await everything(other));
  });
});

test("vectors reach over the end of a block", async () => {
  const store = await open(path());
  const items = Array.from({ length: 1_030 }, () => newItem());
  await apply(store, ...items.map((item) => insertion("memory", item, { texts: [item.id] })));
  const wanted = new Map(
    [items[0]!, items[1_022]!, items[1_023]!, items[1_024]!, items[1_029]!].map(({ id }, axis) => [id, axis]),
  );
  await embedWaiting(store, (text) => direction(wanted.get(text) ?? 7));
  for (const [id, axis] of wanted) {
    const found = await store.nearest("memory", { embedder: "embedder-one", vector: direction(axis) }, active, 1);
    assert.deepEqual(idsOf(found), [id]);
  }
  assert.equal((await store.report()).vectors, 1_030);
  await store.close();
});

test("a set that fails halfway leaves nothing, and the store goes on", async () => {
  const store = await open(path());
  await put(store, "memory");
  const before = await everything(store);
  const impossible = insertion("memory", newItem({ priority: 11 }));
  await assert.rejects(store.apply([insertion("memory", newItem()), impossible], ORIGIN));
  assert.deepEqual(await everything(store), before);
  await put(store, "memory");
  await store.close();
});

test("the cache keeps the newest vectors and no more than its limit", async () => {
  const store = await open(path());
  const vector = quantise(direction(0));
  const fill = (at: number, from: number, to: number) =>
    apply(store, {
      kind: "cache_vectors",
      embedder: "a",
      at,
      entries: Array.from({ length: to - from }, (_, index) => ({ hash: `${from + index}`, vector })),
    });
  await fill(1, 0, 10);
  await fill(2, 10, CACHE_LIMIT_ENTRIES + 5);
  const hashes = Array.from({ length: CACHE_LIMIT_ENTRIES + 25 }, (_, index) => `${index}`);
  const kept = async () => [...(await store.cachedVectors("a", hashes)).keys()].map(Number);
  assert.equal((await kept()).length, CACHE_LIMIT_ENTRIES);
  assert.equal((await kept()).filter((number) => number < 10).length, 5, "five of the older ones had to go");
  await fill(3, CACHE_LIMIT_ENTRIES + 5, CACHE_LIMIT_ENTRIES + 25);
  assert.equal((await kept()).length, CACHE_LIMIT_ENTRIES);
  assert.equal((await kept()).filter((number) => number < 10).length, 0);
  assert.equal((await kept()).filter((number) => number >= CACHE_LIMIT_ENTRIES + 5).length, 20);
  await store.close();
});

test("closing twice is no fault", async () => {
  const store = await open(path());
  await store.close();
  await store.close();
});
