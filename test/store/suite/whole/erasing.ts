/** Items that leave for good: purged, expired, and without a trace of them anywhere. */
import assert from "node:assert/strict";
import { quantise } from "../../../../src/embed/quantise.ts";
import type { Change } from "../../../../src/journal/change.ts";
import type { Store } from "../../../../src/store/store.ts";
import { contentHash } from "../../../../src/text/content-hash.ts";
import {
  active,
  adopt,
  apply,
  direction,
  EMBEDDER,
  embedWaiting,
  FOREVER,
  idsOf,
  newItem,
  newPassages,
  put,
  removal,
  revision,
  type Trials,
} from "../trial.ts";

const purge = (ids: string[], queries: string[] = []): Change => ({ kind: "purge_items", ids, queries });

export function testErasing(trials: Trials<Store>): void {
  testPurge(trials);
  testTraces(trials);
}

function testPurge({ once, everyShelf }: Trials<Store>): void {
  everyShelf("a purged item is found by nothing, and its neighbour by everything", async (store, shelf) => {
    await adopt(store);
    const [gone, stays] = [
      await put(store, shelf, { content: "walrus" }),
      await put(store, shelf, { content: "ferret" }),
    ];
    await embedWaiting(store, (text) => direction(text === "walrus" ? 1 : 2));
    await apply(store, purge([gone.id]));
    assert.deepEqual(idsOf(await store.items(shelf, [gone.id, stays.id])), [stays.id]);
    assert.deepEqual(await store.keyword(shelf, { terms: ["walrus"] }, active, 9), []);
    assert.deepEqual(idsOf(await store.keyword(shelf, { terms: ["ferret"] }, active, 9)), [stays.id]);
    const near = await store.nearest(shelf, { embedder: EMBEDDER, vector: direction(1) }, active, 9);
    assert.ok(idsOf(near).includes(stays.id) && !idsOf(near).includes(gone.id));
    assert.equal((await store.wordStatistics(shelf, ["walru"])).frequency.get("walru") ?? 0, 0);
  });
  once("what waits for a vector waits no longer", async (store) => {
    await adopt(store);
    const item = await put(store, "memory");
    await apply(store, purge([item.id]));
    assert.deepEqual(await store.waiting({ embedder: EMBEDDER, limit: 9, now: FOREVER }), []);
  });
  once("the journal says that it was erased and nothing else of it; an unknown id leaves no entry", async (store) => {
    const item = await put(store, "memory", { content: "walrus" });
    await apply(store, revision("memory", item, { content: "ferret" }));
    await apply(store, purge([item.id, "unknown"]));
    const chain = await store.chain(1, 100);
    assert.deepEqual(
      chain.map(({ kind, payload }) => [kind, payload]),
      [
        ["insert_item", null],
        ["revise_item", null],
        ["purge_items", null],
      ],
    );
    assert.notEqual(chain[1]!.payloadHash, null, "the chain still vouches for what was there");
  });
  once("a dry run of a purge erases nothing", async (store) => {
    const item = await put(store, "memory");
    await store.apply(
      [purge([item.id])],
      { verb: "v", host: "h", session: "s", call: "c", space: "p" },
      { dryRun: true },
    );
    assert.deepEqual(idsOf(await store.items("memory", [item.id])), [item.id]);
  });
}

const touch = (ids: string | string[], query: string): Change => ({
  kind: "touch_items",
  shelf: "memory",
  touches: [ids].flat().map((id) => ({ id, how: "search", relevance: 1 })),
  query,
  at: 5,
});

function testTraces({ once }: Trials<Store>): void {
  once("a question that also found what is gone by now is not kept", async (store) => {
    const [item, other] = [await put(store, "memory"), await put(store, "memory")];
    await apply(store, touch([item.id, other.id], "before"), purge([item.id], ["before"]));
    await apply(store, touch([item.id, other.id], "after"), touch(other.id, "own"));
    assert.deepEqual(await store.queriesFor([item.id, other.id]), ["own"]);
    assert.equal((await store.items("memory", [other.id]))[0]?.accessCount, 3, "that it was read counts");
  });
  once("a question is forgotten with what it found besides, which does not count as read", async (store) => {
    const [first, beside] = [await put(store, "memory"), await put(store, "memory")];
    const before = (await store.report()).accesses;
    const found = (query: string, touched: string[]): Change => ({
      kind: "touch_items",
      shelf: "memory",
      query,
      at: beside.accessedAt + 5,
      touches: touched.map((id) => ({ id, how: "search", relevance: 1 })),
      besides: [{ id: beside.id, relevance: 0 }],
    });
    await apply(store, found("behind another", [first.id]), found("nothing first", []));
    const { search, shown } = (await store.report()).accesses;
    assert.deepEqual([search - before.search, shown - before.shown], [1, 0]);
    const [item] = await store.items("memory", [beside.id]);
    assert.deepEqual([item?.accessCount, item?.accessedAt], [beside.accessCount, beside.accessedAt]);
    const queries = ["behind another", "nothing first"];
    assert.deepEqual((await store.queriesFor([beside.id])).sort(), queries);
    await apply(store, purge([beside.id], queries), found("after", [first.id]));
    assert.deepEqual(await store.queriesFor([first.id, beside.id]), []);
    assert.equal((await store.items("memory", [first.id]))[0]?.accessCount, 2);
  });
  once("questions that led to it are forgotten with their vectors, others are kept", async (store) => {
    const [item, other] = [await put(store, "memory"), await put(store, "memory")];
    await apply(store, touch(item.id, "shared"), touch(other.id, "shared"), touch(other.id, "own"));
    const entries = ["shared", "own"].map((query) => ({ hash: contentHash(query), vector: quantise(direction(1)) }));
    await apply(store, { kind: "cache_vectors", embedder: EMBEDDER, at: 5, entries });
    assert.deepEqual(await store.queriesFor([item.id]), ["shared"]);
    await apply(store, purge([item.id], await store.queriesFor([item.id])));
    assert.deepEqual(await store.queriesFor([item.id, other.id]), ["own"]);
    const cached = await store.cachedVectors(
      EMBEDDER,
      entries.map(({ hash }) => hash),
    );
    assert.deepEqual([...cached.keys()], [contentHash("own")]);
  });
  once("vectors cached for any of its texts, earlier ones and titled ones too, are dropped", async (store) => {
    const item = await put(store, "memory", { content: "now", title: "walrus" }, { texts: ["now"] });
    await apply(store, revision("memory", item, { content: "then", title: null }, ["then"]));
    const hashes = ["walrus\nnow", "then", "elsewhere"].map(contentHash);
    const entries = hashes.map((hash) => ({ hash, vector: quantise(direction(1)) }));
    await apply(store, { kind: "cache_vectors", embedder: EMBEDDER, at: 5, entries });
    await apply(store, purge([item.id]));
    assert.deepEqual([...(await store.cachedVectors(EMBEDDER, hashes)).keys()], [hashes[2]]);
  });
  once("what expired leaves nothing beside it; what was given more time stays, with all that", async (store) => {
    await adopt(store);
    const working = (content: string, expiresAt: number) =>
      put(store, "memory", { scope: "working", content, expiresAt }, { texts: [content] });
    const [gone, stays] = [await working("walrus", 100), await working("ferret", 200)];
    await embedWaiting(store, (text) => direction(text === "walrus" ? 1 : 2));
    const hashes = ["walrus", "ferret"].map(contentHash);
    const entries = hashes.map((hash) => ({ hash, vector: quantise(direction(1)) }));
    await apply(store, { kind: "cache_vectors", embedder: EMBEDDER, at: 5, entries });
    const touches = [gone, stays].map(({ id }) => ({ id, how: "search" as const, relevance: 1 }));
    for (const touch of touches)
      await apply(store, { kind: "touch_items", shelf: "memory", touches: [touch], query: touch.id, at: 5 });
    await apply(store, { kind: "evict_items", shelf: "memory", ids: [gone.id, stays.id], expiredAt: 100 });
    assert.deepEqual(idsOf(await store.items("memory", [gone.id, stays.id])), [stays.id]);
    assert.deepEqual(await store.queriesFor([gone.id, stays.id]), [stays.id]);
    assert.deepEqual([...(await store.cachedVectors(EMBEDDER, hashes)).keys()], [hashes[1]]);
    const near = await store.nearest("memory", { embedder: EMBEDDER, vector: direction(2) }, active, 9);
    assert.deepEqual(idsOf(near), [stays.id]);
    assert.deepEqual(await store.chain(1, 9), []);
  });
  once("evidence that was removed before is erased from the journal with its passages' vectors", async (store) => {
    const item = newItem({ content: "whole" });
    await apply(store, {
      kind: "insert_item",
      shelf: "evidence",
      item,
      passages: newPassages(["a turn"]),
      embed: true,
    });
    await apply(store, removal("evidence", item));
    const hash = contentHash("a turn");
    await apply(store, {
      kind: "cache_vectors",
      embedder: EMBEDDER,
      at: 5,
      entries: [{ hash, vector: quantise(direction(1)) }],
    });
    await apply(store, purge([item.id]));
    assert.equal((await store.cachedVectors(EMBEDDER, [hash])).size, 0);
    assert.ok((await store.chain(1, 9)).every(({ payload }) => payload === null));
  });
}
