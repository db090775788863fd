/** The queues of passages to embed, one for each embedder: their order, their leases, and the cache of vectors. */
import assert from "node:assert/strict";
import { quantise } from "../../../src/logic/recall/quantise.ts";
import type { Change } from "../../../src/model/journal/change.ts";
import { SHELVES } from "../../../src/model/memory/shelf.ts";
import type { WaitingPassage } from "../../../src/ports/queue.ts";
import type { Store } from "../../../src/ports/store.ts";
import {
  EMBEDDER,
  type Trials,
  active,
  adopt,
  apply,
  applyInVain,
  direction,
  embedWaiting,
  idsOf,
  insertion,
  newItem,
  put,
  removal,
  revision,
} from "./trial.ts";

const DAY_MS = 86_400_000;

export function testQueue(trials: Trials): void {
  testOrder(trials);
  testLeases(trials);
  testVectorsOfHolder(trials);
  testAdoption(trials);
  testSeveralEmbedders(trials);
  testRetirement(trials);
  testCache(trials);
}

const placesOf = (waiting: readonly WaitingPassage[]) => waiting.map(({ shelf, passage }) => ({ shelf, passage }));

function lease(
  waiting: readonly WaitingPassage[],
  owner: string,
  [at, until]: readonly [number, number],
  embedder = EMBEDDER,
): Change {
  return { kind: "lease_passages", embedder, passages: placesOf(waiting), owner, at, until };
}

function vectorsFor(waiting: readonly WaitingPassage[], owner: string, embedder = EMBEDDER): Change {
  const vector = quantise(direction(0));
  return { kind: "store_vectors", embedder, owner, vectors: placesOf(waiting).map((at) => ({ ...at, vector })) };
}

const adoption = (embedder: string, at: number): Change => ({ kind: "adopt_embedder", embedder, at });
const waits = (store: Store, now = 0, embedder = EMBEDDER) => store.waiting({ embedder, limit: 100, now });
const textsOf = (waiting: readonly WaitingPassage[]) => waiting.map(({ text }) => text);

function testOrder({ once, everyShelf }: Trials): void {
  once("what people said waits first, then documents, then code, then evidence", async (store) => {
    await adopt(store);
    for (const shelf of SHELVES)
      for (const part of ["a", "b"]) await put(store, shelf, {}, { texts: [`${shelf} ${part}`] });
    const texts = textsOf(await waits(store));
    const first = texts.slice(0, 6).map((text) => text.split(" ")[0]);
    assert.deepEqual(new Set(first), new Set(["memory", "decision", "proposal"]));
    const then = ["document b", "document a", "code b", "code a", "evidence b", "evidence a"];
    assert.deepEqual(texts.slice(6), then, "and the newest before the older");
    assert.deepEqual(textsOf(await store.waiting({ embedder: EMBEDDER, limit: 8, now: 0 })), texts.slice(0, 8));
    assert.equal(await store.waitingCount(EMBEDDER), 12);
    const shelves = ["evidence", "code"] as const;
    const some = await store.waiting({ embedder: EMBEDDER, limit: 3, now: 0, shelves });
    assert.deepEqual(textsOf(some), ["code b", "code a", "evidence b"], "of some shelves alone");
    assert.deepEqual([await store.waitingCount(EMBEDDER, shelves), await store.waitingCount("late", shelves)], [4, 4]);
    await adopt(store, "late");
    assert.deepEqual(textsOf(await waits(store, 0, "late")), texts, "also for one that came late");
  });
  everyShelf("the title is embedded with the passage; what needs no vector never waits", async (store, shelf) => {
    await adopt(store);
    const before = await store.waitingCount(EMBEDDER);
    await put(store, shelf, {}, { embed: false });
    await put(store, shelf, { title: "Title" }, { texts: ["text"] });
    const waiting = await waits(store);
    assert.deepEqual(textsOf(waiting.filter((entry) => entry.shelf === shelf)), ["Title\ntext"]);
    assert.equal(await store.waitingCount(EMBEDDER), before + 1);
  });
}

async function threeWaiting(store: Store): Promise<WaitingPassage[]> {
  await adopt(store);
  await put(store, "memory", {}, { texts: ["one", "two", "three"] });
  return store.waiting({ embedder: EMBEDDER, limit: 3, now: 0 });
}

function testLeases({ once }: Trials): void {
  once("what one owner holds nobody else is given, until the lease runs out", async (store) => {
    const [one, two, three] = await threeWaiting(store);
    await apply(store, lease([one!, two!], "a", [10, 20]));
    assert.deepEqual(await waits(store, 19), [three]);
    assert.equal(await store.waitingCount(EMBEDDER), 3, "what is held still waits");
    await applyInVain(store, "lease_passages", lease([three!, two!], "b", [19, 30]));
    assert.deepEqual(await waits(store, 20), [one, two, three]);
    await apply(store, lease([two!], "b", [20, 30]));
    assert.deepEqual(await waits(store, 25), [one, three]);
  });
  once("an owner may hold on to its own, and nobody holds what is done", async (store) => {
    const [one] = await threeWaiting(store);
    await apply(store, lease([one!], "a", [10, 20]));
    await apply(store, lease([one!], "a", [15, 40]));
    await applyInVain(store, "lease_passages", lease([one!], "b", [30, 50]));
    await apply(store, vectorsFor([one!], "a"));
    await applyInVain(store, "lease_passages", lease([one!], "a", [30, 50]));
  });
  once("a lease holds for its own embedder alone", async (store) => {
    const all = await threeWaiting(store);
    await adopt(store, "other");
    await apply(store, lease(all, "a", [0, 100]));
    assert.deepEqual(await waits(store, 10, "other"), all);
    await apply(store, lease(all, "b", [10, 100], "other"));
    await applyInVain(store, "lease_passages", lease(all, "c", [10, 100], "nobody adopted this"));
    await apply(store, vectorsFor(all, "a", "other"));
    assert.equal(await store.waitingCount("other"), 3, "a holds nothing there");
  });
}

function testVectorsOfHolder({ once }: Trials): void {
  once("vectors are taken from the holder alone", async (store) => {
    const [one, two, three] = await threeWaiting(store);
    const numbers = [one!, two!, three!].map(({ passage }) => passage);
    const done = async () => {
      const query = { embedder: EMBEDDER, vector: direction(0) };
      const has = (await store.cosines("memory", query, numbers)).filter((cosine) => cosine !== null);
      return [has.length, await store.waitingCount(EMBEDDER)];
    };
    await apply(store, vectorsFor([one!], "a"));
    assert.deepEqual(await done(), [0, 3], "without a lease");
    await apply(store, lease([one!], "a", [10, 20]), lease([two!], "b", [10, 20]));
    await apply(store, vectorsFor([one!, two!], "a"));
    assert.deepEqual(await done(), [1, 2], "the other's is left");
    await apply(store, lease([two!], "a", [20, 30]));
    await apply(store, vectorsFor([two!], "b"));
    assert.deepEqual(await done(), [1, 2], "one that came too late");
    await apply(store, vectorsFor([two!], "a"));
    assert.deepEqual(await done(), [2, 1]);
  });
  once("what was removed or rewritten while it was embedded is skipped", async (store) => {
    await adopt(store);
    const removed = await put(store, "memory");
    const rewritten = await put(store, "memory");
    const waiting = await waits(store);
    assert.equal(waiting.length, 2);
    await apply(store, lease(waiting, "a", [0, 10]));
    await apply(store, removal("memory", removed), revision("memory", rewritten, {}, ["other words"]));
    await apply(store, vectorsFor(waiting, "a"));
    assert.deepEqual(await store.nearest("memory", { embedder: EMBEDDER, vector: direction(0) }, active, 9), []);
    assert.deepEqual(textsOf(await waits(store)), ["other words"]);
  });
}

function testAdoption({ everyShelf }: Trials): void {
  everyShelf("before an embedder is adopted nothing is queued for it, but all waits", async (store, shelf) => {
    const embedder = `${shelf} embedder`;
    const { embeddable } = await store.report();
    await put(store, shelf, {}, { texts: ["one", "two"] });
    await put(store, shelf, {}, { embed: false });
    assert.deepEqual(await waits(store, 0, embedder), []);
    assert.deepEqual(
      [await store.waitingCount(embedder), (await store.report()).embeddable, await store.embedderUsedAt(embedder)],
      [embeddable + 2, embeddable + 2, null],
    );
    await adopt(store, embedder, 7);
    assert.deepEqual([await store.waitingCount(embedder), await store.embedderUsedAt(embedder)], [embeddable + 2, 7]);
    assert.equal((await waits(store, 0, embedder)).length, embeddable + 2);
  });
  everyShelf("adoption counts at once, within its own set too", async (store, shelf) => {
    const { embeddable } = await store.report();
    const [early, late] = [newItem(), newItem()];
    const embedder = `${shelf} amid`;
    await apply(store, insertion(shelf, early), adoption(embedder, 5), insertion(shelf, late));
    assert.equal((await waits(store, 0, embedder)).length, embeddable + 2);
    const change = adoption(`${shelf} after`, 5 + 8 * DAY_MS);
    await apply(store, removal(shelf, early), change, insertion(shelf, newItem()));
    assert.equal(await store.embedderUsedAt(embedder), null);
    assert.equal((await waits(store, 0, `${shelf} after`)).length, embeddable + 2);
  });
  everyShelf("adopting again only says that it is in use", async (store, shelf) => {
    const embedder = `${shelf} again`;
    const item = await put(store, shelf);
    await adopt(store, embedder, 5);
    const held = await waits(store, 0, embedder);
    await apply(store, lease(held.slice(0, 1), "a", [0, 100], embedder));
    await adopt(store, embedder, 9);
    assert.equal(await store.embedderUsedAt(embedder), 9);
    assert.equal((await waits(store, 50, embedder)).length, held.length - 1, "what is held is still held");
    await apply(store, vectorsFor(held.slice(0, 1), "a", embedder));
    await embedWaiting(store, () => direction(0), { embedder });
    await adopt(store, embedder, 10);
    assert.equal(await store.waitingCount(embedder), 0);
    const found = await store.nearest(shelf, { embedder, vector: direction(0) }, active, 99);
    assert.ok(idsOf(found).includes(item.id));
  });
}

function testSeveralEmbedders({ everyShelf }: Trials): void {
  everyShelf("each embedder has its own queue and its own vectors, and undoes no other's", async (store, shelf) => {
    const [first, second] = [`${shelf} first`, `${shelf} second`];
    const look = (embedder: string, axis: number) =>
      store.nearest(shelf, { embedder, vector: direction(axis) }, active, 99);
    const scoreOf = async (embedder: string, axis: number, id: string) =>
      (await look(embedder, axis)).find(({ itemId }) => itemId === id)?.score ?? null;
    const old = await put(store, shelf);
    await embedWaiting(store, () => direction(1), { embedder: first });
    await embedWaiting(store, () => direction(2), { embedder: second });
    assert.deepEqual([await store.waitingCount(first), await store.waitingCount(second)], [0, 0]);
    const own = [await scoreOf(first, 1, old.id), await scoreOf(second, 2, old.id)];
    assert.ok(
      own.every((score) => score! > 0.99),
      `${own}`,
    );
    assert.ok((await scoreOf(first, 2, old.id))! < 0.9, "nobody sees the other's vector");

    const fresh = await put(store, shelf, {}, { texts: ["one", "two"] });
    assert.deepEqual([await store.waitingCount(first), await store.waitingCount(second)], [2, 2]);
    await embedWaiting(store, () => direction(1), { embedder: first });
    assert.deepEqual([await store.waitingCount(first), await store.waitingCount(second)], [0, 2]);
    assert.equal(await scoreOf(second, 2, fresh.id), null);
    await apply(store, removal(shelf, fresh));
    assert.deepEqual([await store.waitingCount(first), await store.waitingCount(second)], [0, 0]);
    const kept = (await store.report()).embedders.filter(({ identity }) => identity.startsWith(`${shelf} `));
    assert.deepEqual(new Set(kept.map(({ identity }) => identity)), new Set([first, second]));
  });
}

function testRetirement({ once }: Trials): void {
  once("an embedder that nobody used for a week goes when another is used", async (store) => {
    await put(store, "memory", {}, { texts: ["one", "two"] });
    await embedWaiting(store, () => direction(0), { embedder: "idle" });
    await adopt(store, "busy", DAY_MS);
    const identities = async () => (await store.report()).embedders.map(({ identity }) => identity);
    await adopt(store, "busy", 7 * DAY_MS);
    assert.deepEqual(await identities(), ["busy", "idle"], "a week is not over yet");
    assert.equal(await store.waitingCount("idle"), 0);
    await adopt(store, "busy", 7 * DAY_MS + 1);
    assert.deepEqual(await identities(), ["busy"]);
    assert.deepEqual([await store.embedderUsedAt("idle"), await store.waitingCount("idle")], [null, 2]);
    await adopt(store, "idle", 8 * DAY_MS);
    assert.equal((await waits(store, 0, "idle")).length, 2, "when it comes back it starts anew");
    assert.equal(await store.waitingCount("busy"), 2, "and the other's queue is as it was");
  });
  once("being used keeps an embedder, and a first use lets idle ones go too", async (store) => {
    await adopt(store, "kept", 0);
    await adopt(store, "idle", 0);
    await adopt(store, "kept", 3 * DAY_MS);
    await adopt(store, "new", 9 * DAY_MS);
    const { embedders } = await store.report();
    assert.deepEqual(
      embedders.map(({ identity }) => identity),
      ["new", "kept"],
    );
  });
  once("vectors on their way for an embedder that has gone do not count", async (store) => {
    await adopt(store, "old");
    await put(store, "memory");
    const waiting = await waits(store, 0, "old");
    await apply(store, lease(waiting, "a", [0, 30 * DAY_MS], "old"));
    await adopt(store, "new", 8 * DAY_MS);
    await apply(store, vectorsFor(waiting, "a", "old"));
    await adopt(store, "old", 8 * DAY_MS);
    assert.deepEqual(await waits(store, 10, "old"), waiting, "nor does the lease");
    assert.deepEqual(await store.nearest("memory", { embedder: "old", vector: direction(0) }, active, 9), []);
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
