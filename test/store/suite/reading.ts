/** Reads by identity: lists, equal content, chains, who has to leave, passages, word statistics. */
import assert from "node:assert/strict";
import type { Shelf } from "../../../src/model/memory/shelf.ts";
import type { Store } from "../../../src/ports/store.ts";
import { EMBEDDER, ORIGIN, type Trials, active, adopt, anyStatus, apply, direction, embedWaiting } from "./trial.ts";
import { idsOf, newItem, newPassages, put, removal, revision } from "./trial.ts";
import { testTurns } from "./turns.ts";

export function testReading(trials: Trials): void {
  testLists(trials);
  testChains(trials);
  testLeaving(trials);
  testPassages(trials);
  testStatistics(trials);
  testReport(trials);
  testTurns(trials);
}

function testLists({ everyShelf }: Trials): void {
  everyShelf("a list is newest first, then by id, in pages that meet without gap or overlap", async (store, shelf) => {
    const times = [500, 300, 500, 400, 300];
    const items = [];
    for (const createdAt of times) items.push(await put(store, shelf, { createdAt, session: "pages" }));
    const expected = items.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
    const filter = { ...active, session: "pages" };
    const pages = [];
    for (let offset = 0; offset < 8; offset += 2) {
      const page = await store.list(shelf, filter, { limit: 2, offset });
      assert.equal(page.total, 5);
      pages.push(...idsOf(page.items));
    }
    assert.deepEqual(pages, expected);
  });
  everyShelf("what is found comes with what its item says", async (store, shelf) => {
    const context = { branch: "main", commits: [], files: ["src/a.ts"], symbols: ["walk"], language: null };
    const set = { title: "auth", path: "src/b.ts", priority: 8, confidence: 0.4, validFrom: 7, context };
    const { id } = await put(store, shelf, set, { texts: ["outlined"] });
    const [item] = await store.items(shelf, [id]);
    const { scope, priority, confidence, path, createdAt, validFrom } = item!;
    // Elsewhere a title is no subject.
    const subject = shelf === "decision" || shelf === "proposal" ? "auth" : null;
    const fadesSince = shelf === "document" ? item!.updatedAt : null;
    const own = { id, scope, priority, confidence, path, context, createdAt, validFrom };
    const found = await store.keyword(shelf, { terms: ["outlined"] }, active, 1);
    assert.deepEqual(
      found.map((ranked) => ranked.item),
      [{ ...own, subject, rank: null, fadesSince }],
    );
  });
  everyShelf("equal content is found while it holds or waits, expired or not", async (store, shelf) => {
    const item = await put(store, shelf, { expiresAt: 1 });
    const same = async () => (await store.sameContent(shelf, "project", item.hash))?.id ?? null;
    assert.equal(await same(), item.id);
    assert.equal(await store.sameContent(shelf, "global", item.hash), null);
    // Nothing that was said waits; what was said long ago counts too.
    await apply(store, revision(shelf, item, { status: shelf === "evidence" ? "archived" : "pending" }));
    assert.equal(await same(), item.id);
    await apply(store, revision(shelf, { ...item, version: 2 }, { status: "rejected" }));
    assert.equal(await same(), null);
  });
}

/** Items that replace each other in the order given: the last one holds. */
async function chain(store: Store, shelf: Shelf, length: number): Promise<string[]> {
  const ids = Array.from({ length }, () => newItem().id);
  for (const [index, id] of ids.entries()) {
    const supersededBy = ids[index + 1] ?? null;
    await put(store, shelf, { id, supersededBy, status: supersededBy ? "superseded" : "active" });
  }
  return ids;
}

function testChains({ everyShelf }: Trials): void {
  everyShelf("a chain is followed back to its beginning, nearest first", async (store, shelf) => {
    const ids = await chain(store, shelf, 4);
    assert.deepEqual(idsOf(await store.replacedBy(shelf, [ids[3]!])), [ids[2], ids[1], ids[0]]);
    assert.deepEqual(idsOf(await store.replacedBy(shelf, [ids[0]!])), []);
    assert.deepEqual(await store.replacedBy(shelf, []), []);
  });
  everyShelf("several that were merged into one, and several asked at once", async (store, shelf) => {
    const head = await put(store, shelf);
    const parts = [];
    for (let count = 0; count < 3; count += 1) parts.push(await put(store, shelf, { supersededBy: head.id }));
    assert.deepEqual(new Set(idsOf(await store.replacedBy(shelf, [head.id]))), new Set(idsOf(parts)));
    const other = await chain(store, shelf, 2);
    const both = idsOf(await store.replacedBy(shelf, [head.id, other[1]!]));
    assert.deepEqual(new Set(both), new Set([...idsOf(parts), other[0]]));
    assert.equal(both.length, 4);
  });
  everyShelf("a circle ends, and each of its items is there once", async (store, shelf) => {
    const [first, second, third] = [newItem().id, newItem().id, newItem().id];
    await put(store, shelf, { id: first, supersededBy: second });
    await put(store, shelf, { id: second, supersededBy: third });
    await put(store, shelf, { id: third, supersededBy: first });
    const own = await put(store, shelf);
    await apply(store, revision(shelf, own, { supersededBy: own.id }));
    assert.deepEqual(idsOf(await store.replacedBy(shelf, [third])), [second, first, third]);
    assert.deepEqual(idsOf(await store.replacedBy(shelf, [own.id])), [own.id]);
  });
}

function testLeaving({ everyShelf }: Trials): void {
  const working = (session: string, accessedAt: number, expiresAt: number) =>
    ({ scope: "working", session, accessedAt, expiresAt }) as const;

  everyShelf("expired ones leave first, then the least recently used above capacity", async (store, shelf) => {
    const session = `${shelf} one`;
    const expired = await put(store, shelf, working(session, 900, 100));
    const elsewhere = await put(store, shelf, working(`${shelf} two`, 1, 50));
    const oldest = await put(store, shelf, working(session, 200, 5_000));
    const older = await put(store, shelf, working(session, 300, 5_000));
    const fresh = await put(store, shelf, working(session, 400, 5_000));
    await put(store, shelf, working(`${shelf} two`, 2, 5_000));
    await put(store, shelf, { session, accessedAt: 1 });

    const leaving = (capacity: number, now = 100) => store.leaving(shelf, { session, capacity, now });
    const gone = [elsewhere.id, expired.id];
    assert.deepEqual(await leaving(4), gone, "there is room for one more");
    assert.deepEqual(await store.expired(shelf, 100), gone);
    assert.deepEqual(await store.expired(shelf, 49), []);
    assert.deepEqual((await leaving(3)).slice(2), [oldest.id], "one makes room for the next");
    assert.deepEqual(new Set((await leaving(1)).slice(2)), new Set([oldest.id, older.id, fresh.id]));
    assert.deepEqual(await leaving(4, 49), [oldest.id], "an unexpired one takes a place");

    const touches = [{ id: oldest.id, how: "shown" as const, relevance: null }];
    await apply(store, { kind: "touch_items", shelf, touches, query: null, at: 450 });
    assert.deepEqual((await leaving(3)).slice(2), [older.id], "use keeps");
    for (const item of [expired, elsewhere]) await apply(store, removal(shelf, item));
    assert.deepEqual(await leaving(4), []);
  });
}

function testPassages({ everyShelf }: Trials): void {
  everyShelf("passages are read back with their place and wordpieces", async (store, shelf) => {
    await adopt(store);
    const item = newItem();
    const tokens = Uint16Array.from([7, 65_535, 7]);
    const passages = [
      { ordinal: 0, heading: "Heading", startLine: 1, endLine: 3, text: "tapir", tokens },
      { ordinal: 1, heading: null, startLine: null, endLine: null, text: "tapir again", tokens: null },
      { ordinal: 2, heading: null, startLine: 4, endLine: 4, text: "tapir once more", tokens: new Uint16Array(0) },
    ];
    await apply(store, { kind: "insert_item", shelf, item, passages, embed: true });
    const numbers = (await store.waiting({ embedder: EMBEDDER, limit: 3, now: 0 })).map(({ passage }) => passage);
    const stored = (await store.passages(shelf, numbers)).toSorted((a, b) => a.ordinal - b.ordinal);
    const expected = passages.map((passage) => ({ ...passage, itemId: item.id }));
    assert.deepEqual(
      stored.map(({ passage: _, ...rest }) => rest),
      expected,
    );
    assert.deepEqual(await store.passages(shelf, [9_999_999]), []);
    await apply(store, removal(shelf, item));
  });
  everyShelf("the number of a passage is never used twice", async (store, shelf) => {
    const numbersOf = async (term: string) =>
      (await store.keyword(shelf, { terms: [term] }, anyStatus, 5)).map(({ passage }) => passage);
    const item = await put(store, shelf, {}, { texts: ["capybara"] });
    const [before] = await numbersOf("capybara");
    await apply(store, removal(shelf, item));
    await put(store, shelf, {}, { texts: ["capybara"] });
    const [after] = await numbersOf("capybara");
    assert.notEqual(after, before);
  });
}

function testStatistics({ everyShelf, once }: Trials): void {
  everyShelf("word statistics count passages, come and go with them, and know the stem", async (store, shelf) => {
    const { total } = await store.wordStatistics(shelf, []);
    const statistics = async () => {
      const now = await store.wordStatistics(shelf, ["ocelot", "jump", "unheard"]);
      const counts = ["ocelot", "jump", "unheard"].map((word) => now.frequency.get(word) ?? 0);
      return [now.total - total, ...counts];
    };
    const item = await put(store, shelf, {}, { texts: ["ocelot ocelot jumping", "an ocelot"] });
    assert.deepEqual(await statistics(), [2, 2, 1, 0]);
    const other = await put(store, shelf, {}, { texts: ["jumps"] });
    assert.deepEqual(await statistics(), [3, 2, 2, 0]);
    await apply(store, revision(shelf, item, {}, ["no such animal"]));
    assert.deepEqual(await statistics(), [2, 0, 1, 0]);
    await apply(store, removal(shelf, { ...item, version: 2 }), removal(shelf, other));
    assert.deepEqual(await statistics(), [0, 0, 0, 0]);
  });
  once("a rehearsal of many passages leaves the counting right", async (store) => {
    const shelf = "memory" as const;
    const item = newItem();
    const tokens = Uint16Array.from([7, 8]);
    const passages = newPassages(
      Array.from({ length: 600 }, (_, part) => `manatee ${part}`),
      tokens,
    );
    const change = { kind: "insert_item" as const, shelf, item, passages, embed: false };
    await store.apply([change], ORIGIN, { rehearse: true });
    await put(store, shelf, { content: `${shelf} alone` });
    const { total } = await store.wordStatistics(shelf, []);
    await apply(store, change);
    const statistics = await store.wordStatistics(shelf, ["manate"]);
    assert.deepEqual([statistics.total - total, statistics.frequency.get("manate")], [600, 600]);
    await apply(store, removal(shelf, item));
    assert.equal((await store.wordStatistics(shelf, [])).total, total);
  });
}

function testReport({ once }: Trials): void {
  once("a report counts what is there", async (store) => {
    const empty = await store.report();
    assert.deepEqual([empty.counts, empty.embeddable, empty.embedders], [[], 0, []]);
    assert.ok(empty.bytes > 0 && empty.schema > 0 && empty.path !== "");
    await put(store, "memory");
    await put(store, "memory");
    await put(store, "memory", { type: "gotcha", status: "archived" });
    await put(store, "code", { scope: "global" }, { embed: false });
    await adopt(store, "patient", 1);
    await embedWaiting(store, () => direction(0), { embedder: "done" });
    const { counts, embeddable, embedders, journalLength } = await store.report();
    assert.deepEqual(counts.map((count) => Object.values(count).join(" ")).toSorted(), [
      "code global fact active 1",
      "memory project fact active 2",
      "memory project gotcha archived 1",
    ]);
    assert.deepEqual([embeddable, journalLength - empty.journalLength], [3, 3]);
    const expected = [
      { identity: "patient", waiting: 3 },
      { identity: "done", waiting: 0 },
    ];
    assert.deepEqual(embedders, expected, "the one used last comes first");
  });
}
