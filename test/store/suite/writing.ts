/** Writes: all or nothing, each with its expectation, and a rehearsal that leaves no trace. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { quantise } from "../../../src/logic/recall/quantise.ts";
import type { AccessKind, Change } from "../../../src/model/journal/change.ts";
import type { Item } from "../../../src/model/memory/item.ts";
import type { Shelf } from "../../../src/model/memory/shelf.ts";
import type { Store } from "../../../src/ports/store.ts";
import { runs } from "../../lane.ts";
import {
  EMBEDDER,
  FOREVER,
  ORIGIN,
  type Trials,
  active,
  anyStatus,
  apply,
  applyInVain,
  direction,
  embedWaiting,
  everything,
  idsOf,
  insertion,
  newItem,
  put,
  removal,
  revision,
  newPassages,
} from "./trial.ts";

export function testWriting(trials: Trials): void {
  testInsertion(trials);
  testRevision(trials);
  testRemoval(trials);
  testEviction(trials);
  testWholeSets(trials);
  testSetsTogether(trials);
  testTouches(trials);
  testAgainstModel(trials);
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

function testInsertion({ everyShelf }: Trials): void {
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

function testRevision({ everyShelf }: Trials): void {
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
  everyShelf("passages stay unless new ones are given, and then the old words are gone", async (store, shelf) => {
    const item = await put(store, shelf, {}, { texts: ["walrus", "penguin"] });
    const finds = async (term: string) => idsOf(await store.keyword(shelf, { terms: [term] }, active, 5));
    await apply(store, revision(shelf, item, { priority: 6 }));
    assert.deepEqual([await finds("walrus"), await finds("penguin")], [[item.id], [item.id]]);
    await apply(store, revision(shelf, { ...item, version: 2 }, {}, ["giraffe"]));
    assert.deepEqual([await finds("walrus"), await finds("penguin"), await finds("giraffe")], [[], [], [item.id]]);
  });
}

function testRemoval({ everyShelf }: Trials): void {
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
  everyShelf("what was removed never comes back, by no way of looking", async (store, shelf) => {
    await embedWaiting(store, () => direction(5));
    const before = await everything(store);
    const item = await put(store, shelf, { title: "Okapi", tags: ["okapi"], expiresAt: 5, scope: "working" });
    const [waiting] = await store.waiting({ embedder: EMBEDDER, limit: 1, now: 0 });
    await embedWaiting(store, () => direction(3));
    const near = () => store.nearest(shelf, { embedder: EMBEDDER, vector: direction(3) }, active, 10);
    assert.ok(idsOf(await near()).includes(item.id));
    await apply(store, removal(shelf, item));
    assert.ok(!idsOf(await near()).includes(item.id));
    assert.deepEqual(await store.substring(shelf, "okapi", anyStatus, 5), []);
    assert.deepEqual(await store.passages(shelf, [waiting!.passage]), []);
    assert.deepEqual(await store.leaving(shelf, { session: item.session, capacity: 1, now: 9 }), []);
    assert.equal(await store.sameContent(shelf, item.scope, item.hash), null);
    // The journal and the blocks of vectors may know that something was there.
    const comparable = (all: unknown) => ({ ...(all as Record<string, unknown>), report: null });
    assert.deepEqual(comparable(await everything(store)), comparable(before));
    await put(store, shelf, { content: item.content, scope: "working", expiresAt: 9 });
    assert.ok(!idsOf(await near()).includes(item.id));
  });
}

function testEviction({ everyShelf }: Trials): void {
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
    const found = await store.keyword(shelf, { terms: ["numbat"] }, anyStatus, 9);
    assert.deepEqual(idsOf(found).toSorted(), idsOf(stays).toSorted());
    await apply(store, { kind: "evict_items", shelf, ids });
    await apply(store, { kind: "evict_items", shelf, ids: [] });
    assert.equal((await store.items(shelf, idsOf(stays))).length, 3);
  });
}

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

function testWholeSets({ once }: Trials): void {
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
  once("a rehearsal answers like the real thing and leaves no trace", async (store) => {
    const { item, passage } = await prepared(store);
    const good = goodChanges(item, passage);
    const before = await everything(store);
    assert.equal((await store.apply(good, ORIGIN, { rehearse: true })).status, "applied");
    assert.deepEqual(await everything(store), before);
    const bad = [...good, removal("memory", item)];
    const refused = await store.apply(bad, ORIGIN, { rehearse: true });
    assert.equal(refused.status === "conflict" && refused.kind, "remove_item");
    assert.deepEqual(await everything(store), before);
    await apply(store, ...good);
    assert.notDeepEqual(await everything(store), before);
  });
}

function testSetsTogether({ once }: Trials): void {
  once("sets that are applied at once stand or fall each for itself", async (store) => {
    const item = await put(store, "memory");
    const same = newItem();
    const rehearsed = newItem();
    const sets: Change[][] = [
      [insertion("memory", newItem())],
      [insertion("memory", newItem()), revision("memory", { ...item, version: 9 }, {})],
      [insertion("memory", same)],
      [insertion("memory", newItem({ content: same.content }))],
      [revision("memory", item, { priority: 9 })],
      [revision("memory", item, { priority: 1 })],
    ];
    const rehearsal = store.apply([insertion("memory", rehearsed)], ORIGIN, { rehearse: true });
    const answers = await Promise.all([...sets.map((set) => store.apply(set, ORIGIN)), rehearsal]);
    const statuses = ["applied", "conflict", "applied", "conflict", "applied", "conflict", "applied"];
    assert.deepEqual(
      answers.map(({ status }) => status),
      statuses,
    );
    const { items, total } = await store.list("memory", anyStatus, { limit: 10, offset: 0 });
    assert.equal(total, 3);
    assert.ok(!idsOf(items).includes(rehearsed.id));
    assert.equal(items.find(({ id }) => id === item.id)?.priority, 9);
  });
}

function spaceNamed(key: string) {
  return { id: "space-a", key, root: key, remote: null, firstCommit: null, createdAt: 1 };
}

function testTouches({ everyShelf }: Trials): void {
  everyShelf("being read or found counts and moves the time; being shown only moves the time", async (store, shelf) => {
    const item = await put(store, shelf);
    const before = (await store.report()).accesses;
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
    await touched("search", start + 30);
    const log = (await store.report()).accesses;
    const since = Object.entries(log).map(([how, count]) => [how, count - before[how as AccessKind]]);
    assert.deepEqual(Object.fromEntries(since), { get: 1, search: 2, shown: 1 });
  });
  everyShelf("a touch of something that has gone is no conflict", async (store, shelf) => {
    await apply(store, { kind: "touch_items", shelf, touches: [touch("gone", "get")], query: null, at: 1 });
    assert.deepEqual(await store.items(shelf, ["gone"]), []);
  });
}

const step = fc.record({
  act: fc.constantFrom("insert", "revise", "remove"),
  slot: fc.nat({ max: 3 }),
  word: fc.nat({ max: 2 }),
  isStale: fc.boolean(),
});

/** Random changes against a plain map that follows the same rules. */
function testAgainstModel({ once }: Trials): void {
  once("any sequence of changes leaves what a simple model predicts", async (store) => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        run += 1;
        const model = new Map<string, Item>();
        for (const { act, slot, word, isStale } of steps) {
          const item = newItem({ id: `run-${run}-${slot}`, session: `run-${run}`, content: `run ${run} word ${word}` });
          const known = model.get(item.id);
          const current = { ...(known ?? item), version: (known?.version ?? 1) + (isStale ? 1 : 0) };
          const isTaken = [...model.values()].some(({ id, hash }) => hash === item.hash && id !== item.id);
          const { content, hash } = item;
          const change = {
            insert: insertion("memory", item),
            revise: revision("memory", current, { content, hash }, [content]),
            remove: removal("memory", current),
          }[act];
          const holds = act === "insert" ? !known && !isTaken : known !== undefined && !isStale;
          const expected = holds && !(act === "revise" && isTaken);
          assert.equal((await store.apply([change], ORIGIN)).status, expected ? "applied" : "conflict");
          if (!expected) continue;
          if (act === "remove") model.delete(item.id);
          else model.set(item.id, act === "insert" ? item : { ...known!, content, hash, version: known!.version + 1 });
        }
        await agree(store, "memory", `run-${run}`, model);
      }),
      { numRuns: runs(20) },
    );
  });
}

async function agree(store: Store, shelf: Shelf, session: string, model: Map<string, Item>): Promise<void> {
  const { items, total } = await store.list(shelf, { ...active, session }, { limit: 10, offset: 0 });
  const byId = (a: Item, b: Item) => (a.id < b.id ? -1 : 1);
  assert.deepEqual(items.toSorted(byId), [...model.values()].toSorted(byId));
  assert.equal(total, model.size);
  const found = await store.keyword(shelf, { terms: ["run"] }, { ...active, session }, 10);
  assert.deepEqual(idsOf(found).toSorted(), [...model.keys()].toSorted());
}
