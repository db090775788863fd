/** Items written: each change with its expectation, and transactions that stand or fall each for itself. */
import assert from "node:assert/strict";
import type { AccessKind, Change } from "../../../../src/journal/change.ts";
import type { Item } from "../../../../src/memory/item.ts";
import {
  active,
  anyStatus,
  apply,
  applyInVain,
  FOREVER,
  idsOf,
  insertion,
  type ItemStore,
  newItem,
  newPassages,
  ORIGIN,
  put,
  removal,
  revision,
  type Trials,
} from "../trial.ts";

export function testWriting(trials: Trials<ItemStore>): void {
  testInsertion(trials);
  testRevision(trials);
  testRemoval(trials);
  testEviction(trials);
  testSetsTogether(trials);
  testTouches(trials);
}

const UNUSUAL: Partial<Item> = {
  type: "gotcha",
  scope: "global",
  title: "Title ✓",
  content: "Quote \" apostrophe ' 中文 🚀\nsecond line",
  tags: ["one", "two words", "ümlaut"],
  confidence: 0.25,
  priority: 10,
  pinned: true,
  source: "file-index",
  context: { branch: "main", commits: ["abc"], files: ["a.ts"], symbols: ["f"], language: "ts" },
  label: "guide",
  path: "docs/a.md",
  version: 7,
  accessCount: 3,
  expiresAt: 9_000_000_000_000,
  validFrom: 1,
  validUntil: 2,
  supersededBy: "another",
  details: { nested: { list: [1, null, "x"] } },
};

function testInsertion({ everyShelf }: Trials<ItemStore>): void {
  everyShelf("an item is read back exactly as it was written", async (store, shelf) => {
    const item = await put(store, shelf, UNUSUAL);
    assert.deepEqual(await store.items(shelf, [item.id]), [item]);
    assert.deepEqual(await store.items(shelf, ["unknown"]), []);
  });
  everyShelf("an id is used once", async (store, shelf) => {
    const item = await put(store, shelf);
    await applyInVain(store, "insert_item", insertion(shelf, newItem({ id: item.id })));
  });
}

function testRevision({ everyShelf }: Trials<ItemStore>): void {
  everyShelf("a revision changes what it names, counts the version and nothing else", async (store, shelf) => {
    const item = await put(store, shelf, { tags: ["old"] });
    await apply(store, revision(shelf, item, { priority: 9, tags: ["new"], updatedAt: 5_000 }));
    const expected = { ...item, priority: 9, tags: ["new"], updatedAt: 5_000, version: 2 };
    assert.deepEqual(await store.items(shelf, [item.id]), [expected]);
    const tagged = (tag: string) => store.list(shelf, { ...active, tags: [tag] }, { limit: 1, offset: 0 });
    assert.deepEqual([(await tagged("old")).total, (await tagged("new")).total], [0, 1]);
  });
  everyShelf("a revision expects the version it was planned on", async (store, shelf) => {
    const item = await put(store, shelf);
    await apply(store, revision(shelf, item, { priority: 6 }));
    await applyInVain(store, "revise_item", revision(shelf, item, { priority: 7 }));
    await applyInVain(store, "revise_item", revision(shelf, newItem(), { priority: 7 }));
  });
}

function testRemoval({ everyShelf }: Trials<ItemStore>): void {
  everyShelf("equal text that moved to another heading and other lines is found there", async (store, shelf) => {
    const item = await put(store, shelf);
    const [passage] = newPassages([item.content]);
    const passages = [{ ...passage!, heading: "Elsewhere", startLine: 7, endLine: 9 }];
    const { id, version: expectedVersion } = item;
    await apply(store, { kind: "revise_item", shelf, id, expectedVersion, set: {}, passages, embed: true });
    const [whole] = (await store.walk(shelf, { after: null, limit: 100 })).filter((one) => one.item.id === id);
    assert.deepEqual(
      whole!.passages.map(({ heading, startLine, endLine }) => [heading, startLine, endLine]),
      [["Elsewhere", 7, 9]],
    );
  });
  everyShelf("a removal expects the version it was planned on", async (store, shelf) => {
    const item = await put(store, shelf);
    await applyInVain(store, "remove_item", removal(shelf, { ...item, version: 2 }));
    await applyInVain(store, "remove_item", removal(shelf, newItem()));
    await apply(store, removal(shelf, item));
    await applyInVain(store, "remove_item", removal(shelf, item));
  });
}

function testEviction({ everyShelf }: Trials<ItemStore>): void {
  everyShelf("an eviction takes working items, leaves others alone and asks for no version", async (store, shelf) => {
    const scratch = (set: Partial<Item> = {}) =>
      put(store, shelf, { scope: "working", expiresAt: FOREVER, tags: ["scratch"], ...set }, { texts: ["numbat"] });
    const gone = [await scratch(), await scratch({ session: "another" }), await scratch({ status: "superseded" })];
    await apply(store, revision(shelf, gone[0]!, { priority: 9 }));
    const stays = [await scratch(), await scratch({ scope: "project" }), await scratch({ scope: "global" })];
    const ids = [...idsOf(gone), idsOf(stays)[1]!, idsOf(stays)[2]!, "unknown"];
    await apply(store, { kind: "evict_items", shelf, ids });
    const { items } = await store.list(shelf, { ...anyStatus, tags: ["scratch"] }, { limit: 9, offset: 0 });
    assert.deepEqual(idsOf(items).toSorted(), idsOf(stays).toSorted());
    await apply(store, { kind: "evict_items", shelf, ids });
    await apply(store, { kind: "evict_items", shelf, ids: [] });
    assert.equal((await store.items(shelf, idsOf(stays))).length, 3);
  });
}

const touch = (id: string, how: AccessKind) => ({ id, how, relevance: null });

function testSetsTogether({ once }: Trials<ItemStore>): void {
  once("sets that are applied at once stand or fall each for itself", async (store) => {
    const item = await put(store, "memory");
    const same = newItem();
    const tried = newItem();
    const sets: Change[][] = [
      [insertion("memory", newItem())],
      [insertion("memory", newItem()), revision("memory", { ...item, version: 9 }, {})],
      [insertion("memory", same)],
      [insertion("memory", newItem({ content: same.content }))],
      [revision("memory", item, { priority: 9 })],
      [revision("memory", item, { priority: 1 })],
    ];
    const dryRun = store.apply([insertion("memory", tried)], ORIGIN, { dryRun: true });
    const answers = await Promise.all([...sets.map((set) => store.apply(set, ORIGIN)), dryRun]);
    const statuses = ["applied", "conflict", "applied", "conflict", "applied", "conflict", "applied"];
    assert.deepEqual(
      answers.map(({ status }) => status),
      statuses,
    );
    const { items, total } = await store.list("memory", anyStatus, { limit: 10, offset: 0 });
    assert.equal(total, 3);
    assert.ok(!idsOf(items).includes(tried.id));
    assert.equal(items.find(({ id }) => id === item.id)?.priority, 9);
  });
}

function testTouches({ everyShelf }: Trials<ItemStore>): void {
  everyShelf("being read or found counts and moves the time; being shown only moves the time", async (store, shelf) => {
    const item = await put(store, shelf);
    const touched = async (how: AccessKind, at: number) => {
      await apply(store, { kind: "touch_items", shelf, touches: [touch(item.id, how)], query: null, at });
      const [now] = await store.items(shelf, [item.id]);
      assert.deepEqual({ ...now, accessCount: 0, accessedAt: 0 }, { ...item, accessCount: 0, accessedAt: 0 });
      return [now?.accessCount, now?.accessedAt];
    };
    const start = item.accessedAt;
    assert.deepEqual(await touched("get", start + 10), [1, start + 10]);
    assert.deepEqual(await touched("shown", start + 20), [1, start + 20]);
    assert.deepEqual(await touched("search", start + 5), [2, start + 20], "time never runs backwards");
    assert.deepEqual(await touched("search", start + 30), [3, start + 30]);
  });
  everyShelf("a touch of something that has gone is no conflict", async (store, shelf) => {
    await apply(store, { kind: "touch_items", shelf, touches: [touch("gone", "get")], query: null, at: 1 });
    assert.deepEqual(await store.items(shelf, ["gone"]), []);
  });
}
