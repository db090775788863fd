/** A transaction of changes of every kind: all or nothing, and a dry run leaves no trace. */
import assert from "node:assert/strict";
import { quantise } from "../../../../src/embed/quantise.ts";
import type { AccessKind, Change } from "../../../../src/journal/change.ts";
import type { Item } from "../../../../src/memory/item.ts";
import type { Store } from "../../../../src/store/store.ts";
import {
  apply,
  applyInVain,
  direction,
  EMBEDDER,
  embedWaiting,
  everything,
  FOREVER,
  insertion,
  newItem,
  ORIGIN,
  put,
  removal,
  revision,
  type Trials,
} from "../trial.ts";

/** One good change of each kind, on a store that `prepared` has filled. */
function goodChanges(item: Item, passage: number): Change[] {
  const vector = quantise(direction(1));
  const space = { id: "space-b", key: "/b/.git", root: "/b", remote: null, firstCommit: null, createdAt: 2 };
  const passages = [{ shelf: "memory" as const, passage }];
  return [
    insertion("memory", newItem()),
    revision("memory", item, { title: "Replaced" }, ["replaced words"]),
    { kind: "touch_items", shelf: "memory", touches: [touch(item.id, "search")], query: "q", at: 9_999 },
    { kind: "insert_space", space },
    { kind: "move_space", id: "space-a", expectedKey: "/a", space: { ...space, id: "space-a", key: "/moved" } },
    { kind: "cache_vectors", embedder: EMBEDDER, at: 1, entries: [{ hash: "hash-one", vector }] },
    { kind: "lease_passages", embedder: EMBEDDER, passages, owner: "drainer", at: 0, until: 100 },
    { kind: "store_vectors", embedder: EMBEDDER, owner: "drainer", vectors: [{ ...passages[0]!, vector }] },
    removal("memory", { ...item, version: 2 }),
    { kind: "adopt_embedder", embedder: "embedder-two", at: 1 },
    { kind: "evict_items", shelf: "memory", ids: ["scratch", "unknown"] },
  ];
}

const touch = (id: string, how: AccessKind) => ({ id, how, relevance: null });

async function prepared(store: Store): Promise<{ neighbour: Item; item: Item; passage: number }> {
  const neighbour = await put(store, "memory", {}, { texts: ["content of a neighbour", "and its second passage"] });
  await apply(store, { kind: "insert_space", space: spaceNamed("/a") });
  await apply(store, { kind: "insert_space", space: { ...spaceNamed("/taken"), id: "space-taken" } });
  await embedWaiting(store, () => direction(0));
  await put(store, "memory");
  const [waiting] = await store.waiting({ embedder: EMBEDDER, limit: 1, now: 0 });
  await put(store, "memory", { id: "scratch", scope: "working", expiresAt: FOREVER });
  return { neighbour, item: await put(store, "memory"), passage: waiting!.passage };
}

function spaceNamed(key: string) {
  return { id: "space-a", key, root: key, remote: null, firstCommit: null, createdAt: 1 };
}

export function testTransactions({ once }: Trials<Store>): void {
  once("an empty set is applied", async (store) => apply(store));
  once("one conflict takes every change of its set back, wherever it stands", async (store) => {
    const { neighbour, item, passage } = await prepared(store);
    const good = goodChanges(item, passage);
    const unknown = [{ shelf: "memory" as const, passage: 9_999 }];
    const bad: Change[] = [
      insertion("memory", newItem({ id: neighbour.id })),
      revision("memory", { ...item, version: 99 }, {}),
      removal("memory", { ...item, version: 99 }),
      { kind: "lease_passages", embedder: EMBEDDER, passages: unknown, owner: "x", at: 0, until: 1 },
      { kind: "insert_space", space: { ...spaceNamed("/taken"), id: "other" } },
      { kind: "move_space", id: "space-a", expectedKey: "/elsewhere", space: spaceNamed("/c") },
    ];
    for (const change of bad) {
      await applyInVain(store, change.kind, change, ...good);
      await applyInVain(store, change.kind, ...good.slice(0, 3), change, ...good.slice(3));
      await applyInVain(store, change.kind, ...good, change);
    }
    await apply(store, ...good);
  });
  once("a dry run answers like the real thing and leaves no trace", async (store) => {
    const { item, passage } = await prepared(store);
    const good = goodChanges(item, passage);
    const before = await everything(store);
    assert.equal((await store.apply(good, ORIGIN, { dryRun: true })).status, "applied");
    assert.deepEqual(await everything(store), before);
    const bad = [...good, removal("memory", item)];
    const refused = await store.apply(bad, ORIGIN, { dryRun: true });
    assert.equal(refused.status === "conflict" && refused.kind, "remove_item");
    assert.deepEqual(await everything(store), before);
    await apply(store, ...good);
    assert.notDeepEqual(await everything(store), before);
  });
  once("what is known of files is not on record", async (store) => {
    const { id } = await put(store, "document", { path: "a.md" });
    await apply(
      store,
      { kind: "note_look", at: 1, checkout: "/work" },
      { kind: "put_references", itemId: id, written: ["b.md"] },
      { kind: "rank_documents", ranks: [{ id, rank: 1 }], links: [], upTo: 0 },
    );
    assert.equal((await store.chainHead()).length, 0);
  });
}
