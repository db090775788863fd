/** The queues of passages to embed, one for each embedder: their order, their leases, and the cache of vectors. */
import assert from "node:assert/strict";
import { quantise } from "../../../src/embed/quantise.ts";
import type { Change } from "../../../src/journal/change.ts";
import { SHELVES } from "../../../src/memory/shelves.ts";
import type { WaitingPassage } from "../../../src/store/store.ts";
import {
  adopt,
  apply,
  applyInVain,
  direction,
  EMBEDDER,
  embedWaiting,
  insertion,
  type Make,
  newItem,
  put,
  type QueueStore,
  removal,
  type Trials,
  trialsOf,
} from "./trial.ts";

export const DAY_MS = 86_400_000;

export function testQueue(make: Make<QueueStore>): void {
  const trials = trialsOf(make);
  testOrder(trials);
  testLeases(trials);
  testAdoption(trials);
  testRetirement(trials);
  testCache(trials);
  testRemote(trials);
}

function testRemote({ once }: Trials<QueueStore>): void {
  once("code and evidence never wait for a remote embedder", async (store) => {
    const remote = "remote:somewhere";
    for (const shelf of SHELVES) await put(store, shelf);
    assert.equal(await store.waitingCount(remote), 4, "not even before it is adopted");
    assert.equal(await store.waitingCount(remote, ["code", "evidence"]), 0);
    await adopt(store, remote);
    for (const shelf of SHELVES) await put(store, shelf);
    const waiting = await store.waiting({ embedder: remote, limit: 100, now: 0 });
    const shelves = new Set(waiting.map(({ shelf }) => shelf));
    assert.deepEqual([waiting.length, [...shelves].toSorted()], [8, ["decision", "document", "memory", "proposal"]]);
  });
}

const placesOf = (waiting: readonly WaitingPassage[]) => waiting.map(({ shelf, passage }) => ({ shelf, passage }));

export function lease(
  waiting: readonly WaitingPassage[],
  owner: string,
  [at, until]: readonly [number, number],
  embedder = EMBEDDER,
): Change {
  return { kind: "lease_passages", embedder, passages: placesOf(waiting), owner, at, until };
}

export function vectorsFor(waiting: readonly WaitingPassage[], owner: string, embedder = EMBEDDER): Change {
  const vector = quantise(direction(0));
  return { kind: "store_vectors", embedder, owner, vectors: placesOf(waiting).map((at) => ({ ...at, vector })) };
}

const adoption = (embedder: string, at: number): Change => ({ kind: "adopt_embedder", embedder, at });
export const waits = (store: QueueStore, now = 0, embedder = EMBEDDER) => store.waiting({ embedder, limit: 100, now });
export const textsOf = (waiting: readonly WaitingPassage[]) => waiting.map(({ text }) => text);

function testOrder({ once, everyShelf }: Trials<QueueStore>): void {
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

export async function threeWaiting(store: QueueStore): Promise<WaitingPassage[]> {
  await adopt(store);
  await put(store, "memory", {}, { texts: ["one", "two", "three"] });
  return store.waiting({ embedder: EMBEDDER, limit: 3, now: 0 });
}

function testLeases({ once }: Trials<QueueStore>): void {
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
  once("a lease taken while the clock was ahead is ignored", async (store) => {
    const [one, two, three] = await threeWaiting(store);
    await apply(store, lease([one!], "a", [100_000, 100_010]), lease([two!], "a", [100, 110]));
    const free = () => store.waiting({ embedder: EMBEDDER, limit: 3, now: 100, leaseMs: 10 });
    assert.deepEqual(await free(), [one, three]);
    await apply(store, lease([one!], "b", [100, 110]));
    assert.deepEqual(await free(), [three]);
    await applyInVain(store, "lease_passages", lease([two!], "b", [100, 0]));
  });
  once("a lease is nobody else's who read the clock a little earlier", async (store) => {
    const [one, two, three] = await threeWaiting(store);
    await apply(store, lease([one!], "a", [1_000, 1_010]));
    for (const at of [999, 900]) {
      assert.deepEqual(await store.waiting({ embedder: EMBEDDER, limit: 3, now: at, leaseMs: 10 }), [two, three]);
      await applyInVain(store, "lease_passages", lease([one!], "b", [at, at + 10]));
    }
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

function testAdoption({ everyShelf }: Trials<QueueStore>): void {
  everyShelf("before an embedder is adopted nothing is queued for it, but all waits", async (store, shelf) => {
    const embedder = `${shelf} embedder`;
    const embeddable = await store.waitingCount("nobody adopted this");
    await put(store, shelf, {}, { texts: ["one", "two"] });
    await put(store, shelf, {}, { embed: false });
    assert.deepEqual(await waits(store, 0, embedder), []);
    assert.deepEqual(
      [await store.waitingCount(embedder), await store.embedderUsedAt(embedder)],
      [embeddable + 2, null],
    );
    await adopt(store, embedder, 7);
    assert.deepEqual([await store.waitingCount(embedder), await store.embedderUsedAt(embedder)], [embeddable + 2, 7]);
    assert.equal((await waits(store, 0, embedder)).length, embeddable + 2);
  });
  everyShelf("adoption counts at once, within its own set too", async (store, shelf) => {
    const embeddable = await store.waitingCount("nobody adopted this");
    const [early, late] = [newItem(), newItem()];
    const embedder = `${shelf} amid`;
    await apply(store, insertion(shelf, early), adoption(embedder, 5), insertion(shelf, late));
    assert.equal((await waits(store, 0, embedder)).length, embeddable + 2);
    const change = adoption(`${shelf} after`, 5 + 8 * DAY_MS);
    await apply(store, removal(shelf, early), change, insertion(shelf, newItem()));
    assert.equal(await store.embedderUsedAt(embedder), null);
    assert.equal((await waits(store, 0, `${shelf} after`)).length, embeddable + 2);
  });
}

function testRetirement({ once }: Trials<QueueStore>): void {
  once("an embedder that nobody used for a week goes when another is used", async (store) => {
    await put(store, "memory", {}, { texts: ["one", "two"] });
    await embedWaiting(store, () => direction(0), { embedder: "idle" });
    await adopt(store, "busy", DAY_MS);
    const usedAt = async () => [await store.embedderUsedAt("busy"), await store.embedderUsedAt("idle")];
    await adopt(store, "busy", 7 * DAY_MS);
    assert.deepEqual(await usedAt(), [7 * DAY_MS, 0], "a week is not over yet");
    assert.equal(await store.waitingCount("idle"), 0);
    await adopt(store, "busy", 7 * DAY_MS + 1);
    assert.deepEqual([await usedAt(), await store.waitingCount("idle")], [[7 * DAY_MS + 1, null], 2]);
    await adopt(store, "idle", 8 * DAY_MS);
    assert.equal((await waits(store, 0, "idle")).length, 2, "when it comes back it starts anew");
    assert.equal(await store.waitingCount("busy"), 2, "and the other's queue is as it was");
  });
  once("being used keeps an embedder, and a first use lets idle ones go too", async (store) => {
    await adopt(store, "kept", 0);
    await adopt(store, "idle", 0);
    await adopt(store, "kept", 3 * DAY_MS);
    await adopt(store, "new", 9 * DAY_MS);
    const kept = ["kept", "idle", "new"].map((embedder) => store.embedderUsedAt(embedder));
    assert.deepEqual(await Promise.all(kept), [3 * DAY_MS, null, 9 * DAY_MS]);
  });
}

function testCache({ once }: Trials<QueueStore>): void {
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
