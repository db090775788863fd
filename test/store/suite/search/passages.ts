/** Passages: read as they were cut, found while they are there, and counted word by word. */
import assert from "node:assert/strict";
import {
  EMBEDDER,
  FOREVER,
  ORIGIN,
  type SearchStore,
  type Trials,
  active,
  adopt,
  anyStatus,
  apply,
  direction,
  embedWaiting,
  everything,
  idsOf,
  newItem,
  newPassages,
  put,
  removal,
  revision,
} from "../trial.ts";

export function testPassageLife(trials: Trials<SearchStore>): void {
  testPassages(trials);
  testStatistics(trials);
}

function testPassages({ everyShelf }: Trials<SearchStore>): void {
  everyShelf("passages stay unless new ones are given, and then the old words are gone", async (store, shelf) => {
    const item = await put(store, shelf, {}, { texts: ["walrus", "penguin"] });
    const finds = async (term: string) => idsOf(await store.keyword(shelf, { terms: [term] }, active, 5));
    await apply(store, revision(shelf, item, { priority: 6 }));
    assert.deepEqual([await finds("walrus"), await finds("penguin")], [[item.id], [item.id]]);
    await apply(store, revision(shelf, { ...item, version: 2 }, {}, ["giraffe"]));
    assert.deepEqual([await finds("walrus"), await finds("penguin"), await finds("giraffe")], [[], [], [item.id]]);
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
  everyShelf("what is found comes with what its item says", async (store, shelf) => {
    const context = { branch: "main", commits: [], files: ["src/a.ts"], symbols: ["walk"], language: null };
    const set = { title: "auth", path: "src/b.ts", priority: 8, confidence: 0.4, validFrom: 7, context };
    const { id } = await put(store, shelf, set, { texts: ["outlined"] });
    const [item] = await store.items(shelf, [id]);
    const { scope, priority, confidence, path, createdAt, validFrom } = item!;
    // Elsewhere a title is no subject.
    const subject = shelf === "decision" || shelf === "proposal" ? "auth" : null;
    const fadesSince = shelf === "document" || shelf === "memory" ? item!.updatedAt : null;
    const type = shelf === "memory" ? item!.type : null;
    const own = { id, scope, priority, confidence, path, context, createdAt, validFrom };
    const found = await store.keyword(shelf, { terms: ["outlined"] }, active, 1);
    assert.deepEqual(
      found.map((ranked) => ranked.item),
      [{ ...own, subject, rank: null, fadesSince, type, accessCount: 0 }],
    );
    const pinned = await put(store, shelf, { pinned: true });
    const [outline] = await store.outlines(shelf, [pinned.id]);
    if (shelf === "memory") assert.equal(outline!.fadesSince, null, "what is pinned never fades");
  });
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
  everyShelf(
    "passages are walked from the last written back, page by page, as far as they pass",
    async (store, shelf) => {
      const named = new Map<string, string>();
      for (const texts of [["okapi one", "okapi two"], ["okapi three"], ["okapi four"]])
        named.set((await put(store, shelf, { type: "okapi" }, { texts })).id, texts.at(-1)!);
      const closed = await put(store, shelf, { type: "okapi", status: "superseded" }, { texts: ["okapi gone"] });
      const filter = { ...active, types: ["okapi"] };
      const all = await store.newestPassages(shelf, filter, { before: null, limit: 10, isFirst: false });
      const texts = new Map((await store.passages(shelf, all.map(({ passage }) => passage))).map((one) => [one.passage, one.text])); // prettier-ignore
      const order = ["okapi four", "okapi three", "okapi two", "okapi one"];
      assert.deepEqual(all.map(({ passage }) => texts.get(passage)), order); // prettier-ignore
      assert.ok(all.every(({ itemId }) => named.has(itemId) && itemId !== closed.id));
      const pages = [];
      for (let before: number | null = null; ; ) {
        const page = await store.newestPassages(shelf, filter, { before, limit: 3, isFirst: false });
        if (page.length === 0) break;
        pages.push(page.length);
        before = page.at(-1)!.passage;
      }
      assert.deepEqual(pages, [3, 1]);
      const firsts = await store.newestPassages(shelf, filter, { before: null, limit: 10, isFirst: true });
      const opening = ["okapi four", "okapi three", "okapi one"];
      assert.deepEqual(firsts.map(({ passage }) => texts.get(passage)), opening); // prettier-ignore
      const asked = await store.firstPassages(shelf, [...named.keys(), "nowhere"]);
      assert.deepEqual(asked.toSorted((a, b) => b.passage - a.passage), firsts); // prettier-ignore
    },
  );
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
  everyShelf("what was evicted is found by no words, what was left alone is", async (store, shelf) => {
    const scratch = { scope: "working", expiresAt: FOREVER } as const;
    const gone = await put(store, shelf, scratch, { texts: ["numbat"] });
    const stays = [
      await put(store, shelf, scratch, { texts: ["numbat"] }),
      await put(store, shelf, {}, { texts: ["numbat"] }),
    ];
    await apply(store, { kind: "evict_items", shelf, ids: [gone.id, stays[1]!.id] });
    const found = await store.keyword(shelf, { terms: ["numbat"] }, anyStatus, 9);
    assert.deepEqual(idsOf(found).toSorted(), idsOf(stays).toSorted());
  });
}

function testStatistics({ everyShelf, once }: Trials<SearchStore>): void {
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
  once("a dry run of many passages leaves the counting right", async (store) => {
    const shelf = "memory" as const;
    const item = newItem();
    const tokens = Uint16Array.from([7, 8]);
    const passages = newPassages(
      Array.from({ length: 600 }, (_, part) => `manatee ${part}`),
      tokens,
    );
    const change = { kind: "insert_item" as const, shelf, item, passages, embed: false };
    await store.apply([change], ORIGIN, { dryRun: true });
    await put(store, shelf, { content: `${shelf} alone` });
    const { total } = await store.wordStatistics(shelf, []);
    await apply(store, change);
    const statistics = await store.wordStatistics(shelf, ["manate"]);
    assert.deepEqual([statistics.total - total, statistics.frequency.get("manate")], [600, 600]);
    await apply(store, removal(shelf, item));
    assert.equal((await store.wordStatistics(shelf, [])).total, total);
  });
}
