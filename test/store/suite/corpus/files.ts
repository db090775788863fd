/** The project's files: how they were last seen, what documents refer to, how they rank, what is found together. */
import assert from "node:assert/strict";
import type { FileState } from "../../../../src/files/corpus.ts";
import type { Change } from "../../../../src/journal/change.ts";
import type { Item } from "../../../../src/memory/item.ts";
import type { FileQuery } from "../../../../src/recall/search.ts";
import { apply, applyInVain, type CorpusStore, put, removal, revision, type Trials } from "../trial.ts";

const stateOf = (path: string, set: Partial<FileState> = {}): FileState => ({
  path,
  shelf: "code",
  itemId: null,
  reason: null,
  bytes: 10,
  modifiedAt: 1_700_000_000_000.125,
  hash: "",
  rules: "",
  lookedAt: 0,
  ...set,
});

const note = (...files: FileState[]): Change => ({ kind: "note_files", files });
const purge = (...ids: string[]): Change => ({ kind: "purge_items", ids, queries: [] });
type Ranking = Extract<Change, { kind: "rank_documents" }>;
const ranking = (ranks: Ranking["ranks"], links: Ranking["links"] = [], upTo = 0): Ranking => ({
  kind: "rank_documents",
  ranks,
  links,
  upTo,
});
const linking = ({ id }: { id: string }, written: string, target: string) => ({ itemId: id, written, target });

const pathsOf = async (store: CorpusStore, which?: FileQuery): Promise<string[]> =>
  (await store.fileStates(which)).map(({ path }) => path);

export function testFiles(trials: Trials<CorpusStore>): void {
  testStates(trials);
  testWritten(trials);
  testGone(trials);
  testRenames(trials);
  testReferences(trials);
  testRanks(trials);
  testTogether(trials);
  testBoost(trials);
}

function testStates({ once }: Trials<CorpusStore>): void {
  once("a file's state is read as it was noted last", async (store) => {
    assert.deepEqual(await store.fileStates(), []);
    const skipped = stateOf("b.bin", { reason: "binary" });
    const read = stateOf("a.md", { shelf: "document", itemId: "item", hash: "f".repeat(64), rules: "r", lookedAt: 5 });
    await apply(store, note(skipped, read));
    assert.deepEqual(await store.fileStates(), [read, skipped]);
    const later = {
      ...skipped,
      shelf: "document" as const,
      itemId: "other",
      reason: null,
      bytes: 0,
      hash: "0",
      rules: "s",
      lookedAt: 9,
    };
    await apply(store, note(later), { kind: "drop_files", paths: ["a.md", "unknown"] });
    assert.deepEqual(await store.fileStates(), [later]);
  });
  once("files are found by shelf, folder, path, item and hash", async (store) => {
    await apply(
      store,
      note(
        stateOf("src/a.ts", { itemId: "one", hash: "same" }),
        stateOf("src/deep/b.ts", { itemId: "two", hash: "same" }),
        stateOf("src-more/c.ts"),
        stateOf("src.md", { shelf: "document", itemId: "three", hash: "own" }),
      ),
    );
    assert.deepEqual(await pathsOf(store, { shelf: "document" }), ["src.md"]);
    assert.deepEqual(await pathsOf(store, { paths: ["src.md", "src", "src/a.ts"] }), ["src.md", "src/a.ts"]);
  });
  once("the last look is remembered", async (store) => {
    assert.equal(await store.lastLook(), null);
    for (const at of [5, 9]) {
      await apply(store, { kind: "note_look", at, checkout: "/work" });
      assert.deepEqual(await store.lastLook(), { at, checkout: "/work" });
    }
    const changes = [{ path: "a.md", change: "deleted" as const, at: 9 }];
    await apply(store, { kind: "note_look", at: 9, checkout: "/work", changes });
    assert.deepEqual(await store.lastLook(), { at: 9, checkout: "/work", changes });
  });
  once("a dry run keeps none of it, and none of it is a transaction of the journal", async (store) => {
    const item = await put(store, "document", { path: "a.md" });
    const changes: Change[] = [
      note(stateOf("a.md", { itemId: item.id })),
      { kind: "note_look", at: 1, checkout: "/work" },
      { kind: "put_references", itemId: item.id, written: ["b.md"] },
      ranking([{ id: item.id, rank: 1 }]),
    ];
    const origin = { verb: "v", host: "h", session: "s", call: "c", space: "p" };
    const tried = await store.apply(changes, origin, { dryRun: true });
    assert.deepEqual(tried, { status: "applied", transaction: null });
    assert.deepEqual([await store.fileStates(), await store.references(), await store.lastLook()], [[], [], null]);
    assert.deepEqual(await store.apply(changes, origin), { status: "applied", transaction: null });
  });
}

function testWritten({ once }: Trials<CorpusStore>): void {
  once("files written after a time, latest first, without skipped, unchanged ones and notes", async (store) => {
    const written = (path: string, modifiedAt: number, set: Partial<FileState> = {}) =>
      stateOf(path, { itemId: path, modifiedAt, ...set });
    for (const [shelf, id, updatedAt] of [
      ...[["code", "a.ts", 100] as const, ["code", "b.ts", 100] as const, ["document", "c.md", 100] as const],
      ["code", "touched.ts", 5] as const,
    ])
      await put(store, shelf, { id, updatedAt });
    await apply(
      store,
      note(
        ...[written("a.ts", 10), written("b.ts", 30.5), written("c.md", 20, { shelf: "document" })],
        written("touched.ts", 40),
        ...[written("d.bin", 40, { itemId: null }), written("/notes/e.md", 50, { shelf: "memory" })],
      ),
    );
    const all = [
      { path: "b.ts", modifiedAt: 30.5 },
      { path: "c.md", modifiedAt: 20 },
    ];
    assert.deepEqual(await store.filesWrittenAfter(10, 9), { files: all, total: 2 });
    assert.deepEqual(await store.filesWrittenAfter(10, 1), { files: all.slice(0, 1), total: 2 });
    assert.deepEqual(await store.filesWrittenAfter(30.5, 9), { files: [], total: 0 });
  });
}

function testGone({ once }: Trials<CorpusStore>): void {
  once("nothing is known any more of a file whose item was removed or purged", async (store) => {
    for (const shelf of ["document", "code"] as const) {
      const items = [];
      for (const name of ["a", "b", "c"]) items.push(await put(store, shelf, { path: `${shelf}/${name}` }));
      const [removed, purged, stays] = items as [Item, Item, Item];
      await apply(store, note(...items.map(({ id, path }) => stateOf(path!, { shelf, itemId: id, hash: "h" }))));
      await apply(store, removal(shelf, removed), purge(purged.id));
      assert.deepEqual(await pathsOf(store, { shelf }), [stays.path]);
    }
  });
  once("a file that went over to the other shelf keeps its new state", async (store) => {
    const document = await put(store, "document", { path: "a.txt" });
    await apply(store, note(stateOf("a.txt", { shelf: "document", itemId: document.id })));
    const code = await put(store, "code", { path: "a.txt" });
    await apply(store, note(stateOf("a.txt", { itemId: code.id })), removal("document", document));
    const [state] = await store.fileStates({ paths: ["a.txt"] });
    assert.deepEqual([state?.shelf, state?.itemId], ["code", code.id]);
  });
}

function testRenames({ once }: Trials<CorpusStore>): void {
  once("a file may take another name, also one that is given up in the same set, and two may swap", async (store) => {
    const [a, b] = [await put(store, "code", { path: "a.ts" }), await put(store, "code", { path: "b.ts" })];
    await applyInVain(store, "revise_item", revision("code", a, { path: "b.ts" }));
    await apply(
      store,
      revision("code", a, { path: null }),
      revision("code", b, { path: "a.ts" }),
      revision("code", { ...a, version: 2 }, { path: "b.ts" }),
    );
    const at = async (path: string) => (await store.fileAt("code", path))?.id;
    assert.deepEqual([await at("a.ts"), await at("b.ts")], [b.id, a.id]);
    await apply(store, removal("code", { ...b, version: 2 }), revision("code", { ...a, version: 3 }, { path: "a.ts" }));
    assert.deepEqual([await at("a.ts"), await at("b.ts")], [a.id, undefined]);
  });
}

function testReferences({ once }: Trials<CorpusStore>): void {
  once("references are read at once, by target and by source, and replaced", async (store) => {
    const [a, b] = [await put(store, "document", { path: "a.md" }), await put(store, "document", { path: "b.md" })];
    await apply(
      store,
      { kind: "put_references", itemId: a.id, written: ["./c.md", "b.md", "c.md", "b.md"] },
      { kind: "put_references", itemId: b.id, written: ["c.md"] },
    );
    const [ofA, ofB] = [a, b].map(({ id, path }) => ({ itemId: id, path }));
    assert.deepEqual(await store.references(), [
      { ...ofA, written: "./c.md", target: null },
      { ...ofA, written: "b.md", target: null },
      { ...ofA, written: "c.md", target: null },
      { ...ofB, written: "c.md", target: null },
    ]);
    assert.deepEqual([await store.linkedTo("c.md"), await store.linksFrom(a.id)], [[], []]);
    await apply(
      store,
      ranking([], [linking(a, "./c.md", "c.md"), linking(a, "c.md", "c.md"), linking(b, "c.md", "c.md")]),
      ranking([], [linking(a, "b.md", "b.md"), linking(a, "unwritten", "x.md"), linking({ id: "gone" }, "x", "x.md")]),
    );
    assert.deepEqual(await store.linkedTo("c.md"), [ofA, ofB]);
    assert.deepEqual(await store.linksFrom(a.id), ["b.md", "c.md"]);
    // What is still written means the same until it is looked up again.
    await apply(store, { kind: "put_references", itemId: a.id, written: ["b.md", "d.md"] });
    assert.deepEqual([await store.linkedTo("c.md"), await store.linksFrom(a.id)], [[ofB], ["b.md"]]);
    await apply(store, { kind: "put_references", itemId: a.id, written: [] });
    assert.deepEqual(await store.linksFrom(a.id), []);
  });
  once("documents are unranked once one came, changed or went, until ranks go as far", async (store) => {
    assert.equal(await store.unranked(), null);
    const item = await put(store, "document", { path: "a.md" });
    await apply(store, { kind: "put_references", itemId: item.id, written: [] });
    const before = (await store.unranked())!;
    await apply(store, { kind: "put_references", itemId: item.id, written: ["b.md"] });
    await apply(store, ranking([], [], before));
    assert.notEqual(await store.unranked(), null);
    await apply(store, ranking([], [], (await store.unranked())!));
    assert.equal(await store.unranked(), null);
    await apply(store, removal("document", item));
    assert.notEqual(await store.unranked(), null);
  });
  once("references of what has gone or is not active are not seen, and of what is not there refused", async (store) => {
    const items = [];
    for (const path of ["a.md", "b.md", "c.md"]) items.push(await put(store, "document", { path }));
    const [removed, purged, hidden] = items as [Item, Item, Item];
    for (const item of items) {
      await apply(store, { kind: "put_references", itemId: item.id, written: ["x.md"] });
      await apply(store, ranking([], [linking(item, "x.md", "x.md")]));
    }
    await apply(
      store,
      removal("document", removed),
      purge(purged.id),
      revision("document", hidden, { status: "pruned" }),
    );
    assert.deepEqual([await store.references(), await store.linkedTo("x.md")], [[], []]);
    await applyInVain(store, "put_references", { kind: "put_references", itemId: removed.id, written: [] });
  });
}

function testRanks({ once }: Trials<CorpusStore>): void {
  once("an outline of a document has its rank, and none after all were replaced without it", async (store) => {
    const [a, b] = [await put(store, "document"), await put(store, "document")];
    const ranks = async () =>
      Object.fromEntries((await store.outlines("document", [a.id, b.id])).map(({ id, rank }) => [id, rank]));
    assert.deepEqual(await ranks(), { [a.id]: null, [b.id]: null });
    const third = 1 / 3;
    await apply(
      store,
      ranking([
        { id: a.id, rank: third },
        { id: "gone", rank: 1 },
      ]),
    );
    assert.deepEqual(await ranks(), { [a.id]: third, [b.id]: null });
    await apply(store, ranking([{ id: b.id, rank: 1 }]));
    assert.deepEqual(await ranks(), { [a.id]: null, [b.id]: 1 });
    const memory = await put(store, "memory");
    assert.equal((await store.outlines("memory", [memory.id]))[0]?.rank, null);
  });
}

function testTogether({ once }: Trials<CorpusStore>): void {
  const count = (items: readonly { id: string }[], at: number): Change => ({
    kind: "count_together",
    shelf: "document",
    ids: items.map(({ id }) => id),
    at,
  });
  once("documents found together are counted, whichever came first", async (store) => {
    const items = [];
    for (const name of ["0", "1", "2", "3"]) items.push(await put(store, "document", { path: `${name}.md` }));
    const [first, second, third, fourth] = items as [Item, Item, Item, Item];
    await apply(store, count([third, first, second, { id: "gone" }], 10), count([first, third, third], 20));
    await apply(store, count([first, third], 15), count([fourth], 30));
    const [asFirst, asThird] = [first, third].map(({ id, path }) => ({ itemId: id, path, times: 3, lastAt: 20 }));
    const withSecond = { itemId: second.id, path: "1.md", times: 1, lastAt: 10 };
    assert.deepEqual(await store.foundTogetherWith(first.id, 9), [asThird, withSecond]);
    assert.deepEqual(await store.foundTogetherWith(third.id, 1), [asFirst]);
    assert.deepEqual(await store.foundTogetherWith(fourth.id, 9), []);
    await apply(store, purge(third.id), revision("document", second, { status: "archived" }));
    assert.deepEqual(await store.foundTogetherWith(first.id, 9), []);
  });
}

function testBoost({ once }: Trials<CorpusStore>): void {
  once("a touch multiplies the confidence where it is told to, up to 1, and leaves the version", async (store) => {
    const item = await put(store, "document", { confidence: 0.8 });
    const touch = async (boost?: number) => {
      const touches = [{ id: item.id, how: "search" as const, relevance: null }];
      const given = boost === undefined ? {} : { boost };
      await apply(store, { kind: "touch_items", shelf: "document", touches, query: null, at: 5_000, ...given });
      return (await store.items("document", [item.id]))[0]!;
    };
    assert.equal((await touch()).confidence, 0.8);
    const once = await touch(1.03);
    assert.deepEqual([once.confidence, once.version, once.accessCount], [0.8 * 1.03, 1, 2]);
    assert.equal((await touch(2)).confidence, 1);
  });
}
