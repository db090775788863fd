/** The queue of passages to embed: its order, its leases, the embedder it works for, and the cache of vectors. */
import assert from "node:assert/strict";
import { quantise } from "../../../src/logic/quantise.ts";
import type { Change } from "../../../src/model/change.ts";
import { SHELVES } from "../../../src/model/shelf.ts";
import type { Store, WaitingPassage } from "../../../src/ports.ts";
import {
  EMBEDDER,
  type Trials,
  active,
  apply,
  applyInVain,
  direction,
  embedWaiting,
  idsOf,
  put,
  removal,
  revision,
} from "./trial.ts";

export function testQueue(trials: Trials): void {
  testOrder(trials);
  testLeases(trials);
  testVectorsOfHolder(trials);
  testAdoption(trials);
  testCache(trials);
}

const placesOf = (waiting: readonly WaitingPassage[]) => waiting.map(({ shelf, passage }) => ({ shelf, passage }));

function lease(waiting: readonly WaitingPassage[], owner: string, at: number, until: number): Change {
  return { kind: "lease_passages", passages: placesOf(waiting), owner, at, until };
}

function vectorsFor(waiting: readonly WaitingPassage[], owner: string, embedder = EMBEDDER): Change {
  const vector = quantise(direction(0));
  return { kind: "store_vectors", embedder, owner, vectors: placesOf(waiting).map((at) => ({ ...at, vector })) };
}

function testOrder({ once, everyShelf }: Trials): void {
  once("what people said waits first, then documents, then code, then evidence", async (store) => {
    for (const shelf of SHELVES)
      for (const part of ["a", "b"]) await put(store, shelf, {}, { texts: [`${shelf} ${part}`] });
    const texts = (await store.waiting({ limit: 100, now: 0 })).map(({ text }) => text);
    const first = texts.slice(0, 6).map((text) => text.split(" ")[0]);
    assert.deepEqual(new Set(first), new Set(["memory", "decision", "proposal"]));
    const then = ["document b", "document a", "code b", "code a", "evidence b", "evidence a"];
    assert.deepEqual(texts.slice(6), then, "and the newest before the older");
    const some = (await store.waiting({ limit: 8, now: 0 })).map(({ text }) => text);
    assert.deepEqual(some, texts.slice(0, 8));
    assert.equal(await store.waitingCount(), 12);
  });
  everyShelf("the title is embedded with the passage; what needs no vector never waits", async (store, shelf) => {
    const before = await store.waitingCount();
    await put(store, shelf, {}, { embed: false });
    await put(store, shelf, { title: "Title" }, { texts: ["text"] });
    const waiting = await store.waiting({ limit: 100, now: 0 });
    assert.deepEqual(
      waiting.filter((entry) => entry.shelf === shelf).map(({ text }) => text),
      ["Title\ntext"],
    );
    assert.equal(await store.waitingCount(), before + 1);
  });
}

async function threeWaiting(store: Store): Promise<WaitingPassage[]> {
  await put(store, "memory", {}, { texts: ["one", "two", "three"] });
  return store.waiting({ limit: 3, now: 0 });
}

function testLeases({ once }: Trials): void {
  once("what one owner holds nobody else is given, until the lease runs out", async (store) => {
    const [one, two, three] = await threeWaiting(store);
    await apply(store, lease([one!, two!], "a", 10, 20));
    assert.deepEqual(await store.waiting({ limit: 9, now: 19 }), [three]);
    assert.equal(await store.waitingCount(), 3, "what is held still waits");
    await applyInVain(store, "lease_passages", lease([three!, two!], "b", 19, 30));
    assert.deepEqual(await store.waiting({ limit: 9, now: 20 }), [one, two, three]);
    await apply(store, lease([two!], "b", 20, 30));
    assert.deepEqual(await store.waiting({ limit: 9, now: 25 }), [one, three]);
  });
  once("an owner may hold on to its own, and nobody holds what is done", async (store) => {
    const [one] = await threeWaiting(store);
    await apply(store, lease([one!], "a", 10, 20));
    await apply(store, lease([one!], "a", 15, 40));
    await applyInVain(store, "lease_passages", lease([one!], "b", 30, 50));
    await apply(store, vectorsFor([one!], "a"));
    await applyInVain(store, "lease_passages", lease([one!], "a", 30, 50));
  });
}

function testVectorsOfHolder({ once }: Trials): void {
  const count = async (store: Store) => (await store.report()).vectors;
  once("vectors are taken from the holder alone", async (store) => {
    const [one, two] = await threeWaiting(store);
    await apply(store, vectorsFor([one!], "a"));
    assert.deepEqual([await count(store), await store.waitingCount()], [0, 3], "without a lease");
    await apply(store, lease([one!], "a", 10, 20), lease([two!], "b", 10, 20));
    await apply(store, vectorsFor([one!, two!], "a"));
    assert.deepEqual([await count(store), await store.waitingCount()], [1, 2], "the other's is left");
    await apply(store, lease([two!], "a", 20, 30));
    await apply(store, vectorsFor([two!], "b"));
    assert.deepEqual([await count(store), await store.waitingCount()], [1, 2], "one that came too late");
    await apply(store, vectorsFor([two!], "a"));
    assert.deepEqual([await count(store), await store.waitingCount()], [2, 1]);
  });
  once("what was removed or rewritten while it was embedded is skipped", async (store) => {
    const removed = await put(store, "memory");
    const rewritten = await put(store, "memory");
    const waiting = await store.waiting({ limit: 2, now: 0 });
    await apply(store, lease(waiting, "a", 0, 10));
    await apply(store, removal("memory", removed), revision("memory", rewritten, {}, ["other words"]));
    await apply(store, vectorsFor(waiting, "a"));
    assert.equal(await count(store), 0);
    assert.deepEqual(
      (await store.waiting({ limit: 9, now: 0 })).map(({ text }) => text),
      ["other words"],
    );
  });
}

function testAdoption({ once, everyShelf }: Trials): void {
  everyShelf("another embedder makes everything wait again and drops the old vectors", async (store, shelf) => {
    const item = await put(store, shelf);
    await put(store, shelf, {}, { embed: false });
    const look = (embedder: string) => store.nearest(shelf, { embedder, vector: direction(0) }, active, 9);
    const [first, second] = [`${shelf}-one`, `${shelf}-two`];
    await apply(store, { kind: "adopt_embedder", embedder: first });
    await embedWaiting(store, () => direction(0), { embedder: first });
    assert.deepEqual([idsOf(await look(first)), await store.embedder()], [[item.id], first]);
    assert.equal(await store.waitingCount(), 0);
    await apply(store, { kind: "adopt_embedder", embedder: second });
    assert.equal(await store.embedder(), second);
    const waiting = await store.waiting({ limit: 99, now: 0 });
    assert.deepEqual(
      waiting.filter((entry) => entry.shelf === shelf).map(({ text }) => text),
      [item.content],
    );
    assert.deepEqual([(await store.report()).vectors, await look(second)], [0, []]);
    await embedWaiting(store, () => direction(0), { embedder: second });
    assert.deepEqual(idsOf(await look(second)), [item.id]);
  });
  once("vectors of the embedder before, still on their way, do not count as done", async (store) => {
    await apply(store, { kind: "adopt_embedder", embedder: "old" });
    const waiting = await threeWaiting(store);
    await apply(store, lease(waiting, "a", 0, 1_000));
    await apply(store, { kind: "adopt_embedder", embedder: "new" });
    await apply(store, vectorsFor(waiting, "a", "old"));
    assert.equal((await store.waiting({ limit: 9, now: 10 })).length, 3);
    assert.equal((await store.report()).vectors, 0);
  });
}

function testCache({ once }: Trials): void {
  once("a cached vector comes back exactly, to its own embedder only", async (store) => {
    const vector = { values: Int8Array.from([-128, -1, 0, 1, 127]), scale: Math.fround(0.0123) };
    const entries = [{ hash: "known", vector }];
    await apply(store, { kind: "cache_vectors", embedder: EMBEDDER, at: 1, entries });
    assert.deepEqual(await store.cachedVectors(EMBEDDER, ["unknown", "known"]), new Map([["known", vector]]));
    assert.deepEqual(await store.cachedVectors("another", ["known"]), new Map());
    assert.deepEqual(await store.cachedVectors(EMBEDDER, []), new Map());
    await apply(store, { kind: "cache_vectors", embedder: EMBEDDER, at: 2, entries });
    assert.equal((await store.cachedVectors(EMBEDDER, ["known"])).size, 1);
  });
}
