/** The store on SQLite: the promises of the port, and what only a file shared by processes has to keep. */
import assert from "node:assert/strict";
import { copyFileSync, readFileSync, renameSync } from "node:fs";
import { before, describe, test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { quantise } from "../../../src/embed/quantise.ts";
import type { Change } from "../../../src/journal/change.ts";
import { openDatabase } from "../../../src/store/sqlite/database.ts";
import { CACHE_LIMIT_ENTRIES } from "../../../src/store/sqlite/vector-index.ts";
import type { Store } from "../../../src/store/store.ts";
import { freshStore } from "../fresh-store.ts";
import { testStore } from "../store-suite.ts";
import {
  active,
  adopt,
  apply,
  direction,
  EMBEDDER,
  embedWaiting,
  everything,
  idsOf,
  insertion,
  newItem,
  newPassages,
  ORIGIN,
  put,
  removal,
} from "../suite/trial.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const { path } = temporaryFolder("store");
const clock = { now: () => 1_700_000_000_000 };
const open = (file: string): Promise<Store> => freshStore({ path: file, kind: "global", clock });

testStore("SQLite", async () => {
  const store = await open(path());
  return { store, close: () => store.close() };
});

async function withTwo(check: (one: Store, other: Store) => Promise<void>): Promise<void> {
  const file = path();
  const [one, other] = [await open(file), await open(file)];
  await check(one, other);
  await Promise.all([one.close(), other.close()]);
}

test("nothing is written to a file that was removed or replaced", async () => {
  for (const replaced of [false, true]) {
    const file = path();
    const store = await freshStore({ path: file, kind: "project", clock: { now: () => 0 } });
    await put(store, "memory");
    renameSync(file, `${file}.away`);
    if (replaced) copyFileSync(`${file}.away`, file);
    await assert.rejects(put(store, "memory"), { code: "unavailable", message: /was removed or replaced/ });
    assert.match(store.fault()!, /^the database was removed or replaced/);
    await store.close();
  }
});

test("a file that a newer program has migrated is no longer written, and that is told", async () => {
  const file = path();
  const store = await freshStore({ path: file, kind: "project", clock: { now: () => 0 } });
  await put(store, "memory");
  assert.equal(store.fault(), null);
  const newer = new Sqlite(file);
  newer.pragma("user_version = 99");
  assert.match(store.fault()!, /^a newer version of Stele has changed the database/);
  await assert.rejects(put(store, "memory"), { code: "unavailable", message: /newer version/ });
  assert.equal(newer.prepare("select count(*) from memory_item").pluck().get(), 1);
  newer.close();
  await store.close();
  assert.equal(store.fault(), null);
});

for (const [durability, synchronous] of [["normal", 1], ["full", 2]] as const) // prettier-ignore
  test(`commits are as durable as the setting says: ${durability}`, async () => {
    const opened = await openDatabase(path(), { inspect: () => undefined, isRequired: true, durability });
    assert.equal(opened.db.pragma("synchronous", { simple: true }), synchronous);
    opened.close();
  });

test("what one connection writes the other sees at once, vectors included", async () => {
  await withTwo(async (one, other) => {
    const near = async (store: Store, embedder: string) =>
      idsOf(await store.nearest("memory", { embedder, vector: direction(0) }, active, 9));
    const first = await put(one, "memory");
    await embedWaiting(one, () => direction(0), { embedder: "a" });
    assert.deepEqual(await near(other, "a"), [first.id]);
    const second = await put(other, "memory");
    await embedWaiting(other, () => direction(0, 0.5), { embedder: "a" });
    assert.deepEqual(await near(one, "a"), [first.id, second.id]);
    await apply(other, removal("memory", first));
    assert.deepEqual(await near(one, "a"), [second.id]);
    await embedWaiting(other, () => direction(0), { embedder: "b" });
    assert.deepEqual([await near(one, "b"), await near(one, "a")], [[second.id], [second.id]]);
    const weeksLater = 15 * 86_400_000;
    await adopt(other, "b", weeksLater);
    await adopt(one, "a", weeksLater);
    await embedWaiting(one, () => direction(1), { embedder: "a" });
    const [anew] = await other.nearest("memory", { embedder: "a", vector: direction(1) }, active, 9);
    assert.ok(anew!.score > 0.99, "vectors made after the old ones were dropped are seen");
    assert.deepEqual(await everything(one), await everything(other));
  });
});

test("what finds the file held is begun again as a whole, as often as it takes", async () => {
  const file = path();
  await (await open(file)).close();
  const holder = new Sqlite(file);
  let looks = 0;
  // The clock is read before each attempt: the third one finds the file free.
  const now = () => {
    looks += 1;
    if (looks === 3) holder.exec("commit");
    return 0;
  };
  const store = await freshStore({ path: file, kind: "global", clock: { now }, patienceMs: 600_000 });
  holder.exec("begin immediate");
  const items = [newItem(), newItem()];
  // What may as well be done later shares its turn with what may not, and waits with it.
  const applied = await Promise.all(
    items.map((item, index) => store.apply([insertion("memory", item)], ORIGIN, { impatient: index === 0 })),
  );
  assert.deepEqual([looks, ...applied.map(({ status }) => status)], [3, "applied", "applied"]);
  holder.close();
  await store.close();
});

test("a filter finds what is far behind everything that it leaves out", async () => {
  const store = await open(path());
  await put(store, "memory", {}, { texts: Array.from({ length: 700 }, () => "near") });
  const far = await put(store, "memory", { type: "gotcha" }, { texts: ["far", "farther"] });
  const last = await put(store, "memory", { type: "gotcha" }, { texts: ["last"] });
  const axes: Record<string, Float32Array> = { near: direction(0), far: direction(0, 0.5), farther: direction(1) };
  await embedWaiting(store, (text) => axes[text] ?? direction(2));
  const ask = async (types: string[], limit: number) =>
    idsOf(await store.nearest("memory", { embedder: EMBEDDER, vector: direction(0) }, { ...active, types }, limit));
  assert.deepEqual(await ask(["gotcha"], 9), [far.id, last.id]);
  assert.deepEqual(await ask(["gotcha"], 1), [far.id]);
  assert.deepEqual(await ask(["pattern"], 9), []);
  await store.close();
});

test("vectors reach over the end of a block", async () => {
  const store = await open(path());
  const items = Array.from({ length: 1_030 }, () => newItem());
  await apply(store, ...items.map((item) => insertion("memory", item, { texts: [item.id] })));
  const wanted = new Map(
    [items[0]!, items[1_022]!, items[1_023]!, items[1_024]!, items[1_029]!].map(({ id }, axis) => [id, axis]),
  );
  await embedWaiting(store, (text) => direction(wanted.get(text) ?? 7));
  for (const [id, axis] of wanted) {
    const found = await store.nearest("memory", { embedder: "embedder-one", vector: direction(axis) }, active, 1);
    assert.deepEqual(idsOf(found), [id]);
  }
  assert.equal(await store.waitingCount("embedder-one"), 0);
  await store.close();
});

test("a block of vectors goes with its last passage, for every embedder, and no other block does", async () => {
  const file = path();
  const store = await open(file);
  const db = new Sqlite(file, { readonly: true });
  const blocks = () =>
    db.prepare(`select embedder || ' ' || block from memory_vector_block order by 1`).pluck().all() as string[];
  // Passage numbers begin with 1, so block 0 has room for 1,023.
  const texts = Array.from({ length: 1_022 }, () => "in the first block");
  const [many, last] = [await put(store, "memory", {}, { texts }), await put(store, "memory")];
  const next = await put(store, "memory");
  for (const embedder of ["a", "b"]) await embedWaiting(store, () => direction(0), { embedder });
  assert.deepEqual(blocks(), ["a 0", "a 1", "b 0", "b 1"]);
  await apply(store, removal("memory", many));
  assert.deepEqual(blocks(), ["a 0", "a 1", "b 0", "b 1"], "one passage is left in it");
  await apply(store, removal("memory", last));
  assert.deepEqual(blocks(), ["a 1", "b 1"]);
  const fresh = await open(file);
  for (const reader of [store, fresh]) {
    const found = await reader.nearest("memory", { embedder: "b", vector: direction(0) }, active, 9);
    assert.deepEqual(idsOf(found), [next.id]);
  }
  await adopt(store, "a", 8 * 86_400_000);
  assert.deepEqual(blocks(), ["a 1"], "an embedder that is let go takes its blocks along");
  db.close();
  await Promise.all([store.close(), fresh.close()]);
});

/** A document of so many passages, some words common in them, beside one that has a word of its own. */
async function storeOf(passages: number): Promise<{ store: Store; common: string; rare: string }> {
  const store = await open(path());
  const some = (word: string, isThere: boolean) => (isThere ? word : "");
  const texts = Array.from(
    { length: passages },
    (_, number) =>
      `common ${some("usual", number % 5 > 0)} ${some("weekly", number % 5 === 1)} ${some("seldom", number % 30 === 0)} n${number}`,
  );
  const { id: common } = await put(store, "document", {}, { texts, embed: false });
  const { id: rare } = await put(store, "document", {}, { texts: ["axolotl"], embed: false });
  return { store, common, rare };
}

test("in a large store passages need one of the telling words, and common words still count", async () => {
  const { store, common, rare } = await storeOf(20_000);
  const find = async (...terms: string[]) => idsOf(await store.keyword("document", { terms }, active, 9));
  assert.deepEqual(await find("common"), [common], "a word alone is what is meant");
  assert.deepEqual(await find("common", "axolotl"), [rare]);
  assert.deepEqual(await find("n7", "commonly", "axolotl").then((ids) => ids.length), 2, "a rare word finds both");
  assert.deepEqual(await find("common", "unheard"), [common], "nothing rarer is there");
  const { id: both } = await put(store, "document", {}, { texts: ["axolotl usual filler filler"], embed: false });
  const { id: plain } = await put(store, "document", {}, { texts: ["axolotl filler filler filler"], embed: false });
  const found = await find("axolotl", "usual");
  assert.ok(!found.includes(common), "what has only common words is not looked at");
  assert.ok(found.indexOf(both) < found.indexOf(plain), "and yet they count");
  const { id: lone } = await put(store, "document", { type: "gotcha" }, { texts: ["weekly"], embed: false });
  const only = await store.keyword("document", { terms: ["seldom", "weekly"] }, { ...active, types: ["gotcha"] }, 9);
  assert.deepEqual(idsOf(only), [lone], "where a filter leaves too few of the first ones, the others are looked at");
  await store.close();
});

test("in a smaller store every word counts, however common", async () => {
  const { store, common, rare } = await storeOf(2_100);
  const found = await store.keyword("document", { terms: ["common", "axolotl"] }, active, 9);
  assert.deepEqual(idsOf(found).toSorted(), [common, rare].toSorted());
  await store.close();
});

test("a set that fails halfway leaves nothing, and the store goes on", async () => {
  const store = await open(path());
  await put(store, "memory");
  const before = await everything(store);
  const impossible = insertion("memory", newItem({ priority: 11 }));
  await assert.rejects(store.apply([insertion("memory", newItem()), impossible], ORIGIN));
  assert.deepEqual(await everything(store), before);
  await put(store, "memory");
  await store.close();
});

test("the cache keeps the newest vectors and hardly more than its limit", async () => {
  const store = await open(path());
  const vector = quantise(direction(0));
  const fill = (at: number, from: number, to: number) =>
    apply(store, {
      kind: "cache_vectors",
      embedder: "a",
      at,
      entries: Array.from({ length: to - from }, (_, index) => ({ hash: `${from + index}`, vector })),
    });
  await fill(1, 0, 10);
  await fill(2, 10, CACHE_LIMIT_ENTRIES + 5);
  const hashes = Array.from({ length: CACHE_LIMIT_ENTRIES + 300 }, (_, index) => `${index}`);
  const kept = async () => [...(await store.cachedVectors("a", hashes)).keys()].map(Number);
  const atLimit = await kept();
  assert.equal(atLimit.length, CACHE_LIMIT_ENTRIES);
  assert.equal(atLimit.filter((number) => number < 10).length, 5, "five of the older ones had to go");
  const fresh = CACHE_LIMIT_ENTRIES + 5;
  await fill(3, fresh, fresh + 255);
  assert.equal((await kept()).length, CACHE_LIMIT_ENTRIES + 255, "trimming waits for 256 entries");
  await fill(4, fresh + 255, fresh + 256);
  const trimmed = await kept();
  assert.equal(trimmed.length, CACHE_LIMIT_ENTRIES);
  assert.equal(trimmed.filter((number) => number < 10).length, 0);
  assert.equal(trimmed.filter((number) => number >= fresh).length, 256);
  await store.close();
});

test("rows that somebody has edited are read as far as they make sense", async () => {
  const file = path();
  const store = await open(file);
  await apply(store, insertion("evidence", newItem(), { texts: ["walrus", "heron"] }));
  const db = new Sqlite(file);
  db.exec(`update evidence_passage set tokens = x'0100020300', role = 'wizard', said_at = 8640000000000001,
    speaker = 'Ann' || char(10, 27) || 'Bo' where ordinal = 0`);
  db.exec("update evidence_passage set tokens = x'b209' where ordinal = 1");
  db.close();
  const [whole] = await store.walk("evidence", { after: null, limit: 1 });
  const [first, second] = whole!.passages;
  assert.deepEqual(first!.turn, { speaker: "Ann Bo", role: null, at: null });
  assert.deepEqual([...first!.tokens!], [1, 0x302]);
  const numbers = (await store.keyword("evidence", { terms: ["walrus", "heron"], eachPassage: true }, active, 9)).map(
    ({ passage }) => passage,
  );
  const met = await store.wordpieceScores("evidence", { pieces: [0x9b2] }, numbers.toSorted());
  assert.deepEqual(met, [0, 1], "half a number does not move what follows");
  assert.equal(second!.turn, undefined);
  await store.close();
});

test("nothing of a purged file is left in the bytes: its path, names, references and parts of names", async () => {
  const file = path();
  const store = await open(file);
  const [code, document] = [
    await put(store, "code", { path: "src/zqxpath.ts" }),
    await put(store, "document", { path: "docs/zqxpath.md" }),
  ];
  const symbol = { kind: "function", container: null, startLine: 1, endLine: 2, doc: null } as const;
  const states = [code, document].map(({ id, path: where }, index) => ({
    path: where!,
    shelf: index === 0 ? ("code" as const) : ("document" as const),
    itemId: id,
    reason: null,
    bytes: 1,
    modifiedAt: 1,
    hash: "h",
    rules: "r",
    lookedAt: 2,
  }));
  await apply(
    store,
    { kind: "put_symbols", itemId: code.id, symbols: [{ ...symbol, name: "zqxName", signature: "zqxSignature" }] },
    { kind: "put_references", itemId: document.id, written: ["zqxTarget"] },
    { kind: "note_files", files: states },
  );
  const traces = (): string[] => readFileSync(file, "latin1").match(/zqx\w*/g) ?? [];
  await store.compact();
  for (const trace of ["zqxpath", "zqxName", "zqxSignature", "zqxTarget"]) assert.ok(traces().includes(trace), trace);
  await apply(store, { kind: "purge_items", ids: [code.id, document.id], queries: [] });
  assert.equal(await store.compact(), true);
  assert.deepEqual(traces(), []);
  const db = new Sqlite(file);
  db.exec("create virtual table temp.part using fts5vocab (main, symbol_fts, row)");
  assert.deepEqual(db.prepare("select term from temp.part").all(), []);
  db.close();
  await store.close();
});

test("of the pieces of purged words only those stay that others have as well, and as often", async () => {
  const file = path();
  const store = await open(file);
  const db = new Sqlite(file, { readonly: true });
  const pieces = () =>
    db.prepare(`select piece, passages from memory_wordpiece where piece >= 0 order by piece`).raw().all();
  const withTokens = (item: ReturnType<typeof newItem>, passages: number, ...tokens: number[]): Change => ({
    kind: "insert_item",
    shelf: "memory",
    item,
    embed: false,
    passages: newPassages(
      Array.from({ length: passages }, () => "words"),
      Uint16Array.from(tokens),
    ),
  });
  const [stays, gone] = [newItem({ content: "stays" }), newItem({ content: "gone" })];
  // Pieces are counted from so many passages on.
  await apply(store, withTokens(stays, 300, 0, 7), withTokens(gone, 2, 0, 8));
  assert.deepEqual(pieces(), [
    [0, 302],
    [7, 300],
    [8, 2],
  ]);
  await apply(store, { kind: "purge_items", ids: [gone.id], queries: [] });
  assert.deepEqual(pieces(), [
    [0, 300],
    [7, 300],
  ]);
  await apply(store, { kind: "purge_items", ids: [stays.id], queries: [] });
  assert.deepEqual(pieces(), []);
  assert.equal(db.prepare(`select count(*) from memory_wordpiece`).pluck().get(), 1, "the row that counts passages");
  db.close();
  await store.close();
});

test("closing twice is no fault", async () => {
  const store = await open(path());
  await store.close();
  await store.close();
});

test("what was asked for before closing is written before it closes", async () => {
  const file = path();
  const store = await open(file);
  const items = Array.from({ length: 300 }, () => newItem());
  const pending = items.map((item) => store.apply([insertion("memory", item)], ORIGIN));
  const closing = store.close();
  const statuses = (await Promise.all(pending)).map(({ status }) => status);
  await closing;
  assert.deepEqual(new Set(statuses), new Set(["applied"]));
  const again = await open(file);
  assert.equal((await again.list("memory", active, { limit: 1, offset: 0 })).total, 300);
  await again.close();
});

test("archived evidence is compressed; a damaged piece is told, costs nothing else, and can be erased", async () => {
  const file = path();
  const store = await open(file);
  const [hurt, sound] = [newItem({ content: "okapi ".repeat(100) }), newItem()];
  for (const item of [hurt, sound]) {
    await apply(store, insertion("evidence", item), {
      kind: "revise_item",
      shelf: "evidence",
      id: item.id,
      expectedVersion: 1,
      set: { status: "archived" },
      passages: null,
      embed: false,
    });
  }
  const raw = new Sqlite(file);
  const rows = raw.prepare(
    `select content, length(packed) as length from evidence_item join evidence_archive using (seq)`,
  );
  const [first] = rows.all() as { content: string; length: number }[];
  assert.deepEqual([first?.content, first!.length < 200], ["", true]);
  for (const spoilt of [
    "zeroblob(20)",
    "substr(packed, 1, 9)",
    "(select packed from evidence_archive where seq = 2)",
  ]) {
    const before = raw.prepare(`select packed from evidence_archive where seq = 1`).pluck().get();
    raw.exec(`update evidence_archive set packed = ${spoilt} where seq = 1`);
    const refusal = { code: "unavailable", message: `The archived text of evidence ${hurt.id} is damaged.` };
    await assert.rejects(store.items("evidence", [hurt.id]), refusal);
    await assert.rejects(store.whole("evidence", [hurt.id]), refusal);
    const revival = { kind: "revise_item", shelf: "evidence", id: hurt.id, expectedVersion: 2 } as const;
    await assert.rejects(
      store.apply([{ ...revival, set: { status: "active" }, passages: null, embed: false }], ORIGIN),
      refusal,
    );
    raw.prepare(`update evidence_archive set packed = ? where seq = 1`).run(before);
    assert.equal((await store.items("evidence", [hurt.id]))[0]?.content, hurt.content);
  }
  raw.exec(`update evidence_archive set digest = zeroblob(32) where seq = 1`);
  const { records } = await store.journal({}, { limit: 9, offset: 0 });
  assert.deepEqual([records.length, records.filter(({ after }) => after.item).length], [4, 2], "the others are told");
  assert.equal((await store.items("evidence", [sound.id]))[0]?.content, sound.content);
  await apply(store, { kind: "purge_items", ids: [hurt.id], queries: [] });
  assert.equal(raw.prepare(`select count(*) from evidence_archive`).pluck().get(), 1);
  raw.close();
  await store.close();
});

/** Every call of the port, as somebody might make it. */
const calls: {
  [K in Exclude<keyof Store, "parts" | "readOnly" | "refusal" | "fault" | "goFirst" | "close">]: (
    store: Store,
  ) => Promise<unknown>;
} = {
  apply: (store) => store.apply([insertion("memory", newItem())], ORIGIN),
  items: (store) => store.items("memory", ["a"]),
  outlines: (store) => store.outlines("memory", ["a"]),
  sameContent: (store) => store.sameContent("memory", "project", "a"),
  list: (store) => store.list("memory", active, { limit: 1, offset: 0 }),
  newest: (store) => store.newest("memory", active, { limit: 1, rows: 1 }),
  heads: (store) => store.heads("memory", ["a"]),
  replacedBy: (store) => store.replacedBy("memory", ["a"]),
  idsWithPrefix: (store) => store.idsWithPrefix("memory", "a", { now: 0, limit: 1 }),
  newestIds: (store) => store.newestIds("memory", 1),
  callsWithPrefix: (store) => store.callsWithPrefix("a", { limit: 1 }),
  journaledIds: (store) => store.journaledIds("a", 1),
  aging: (store) => store.aging(0, { after: 0, rows: 1 }),
  knownEvents: (store) => store.knownEvents(["a"]),
  events: (store) => store.events({ limit: 1 }),
  eventCount: (store) => store.eventCount({ session: "a" }),
  openCheckpoints: (store) => store.openCheckpoints(0, 1),
  checkpoint: (store) => store.checkpoint("a"),
  sessionTraces: (store) => store.sessionTraces(),
  sessionOutlines: (store) => store.sessionOutlines({ before: 1, limit: 1 }),
  captureCounts: (store) => store.captureCounts(),
  evidenceSize: (store) => store.evidenceSize(0),
  isEvidenceBelow: (store) => store.isEvidenceBelow(1),
  sessionsOf: (store) => store.sessionsOf(["a"]),
  evidenceOf: (store) => store.evidenceOf("a"),
  sessionCards: (store) => store.sessionCards({ limit: 1 }),
  staleSessions: (store) => store.staleSessions(1, 1),
  errorsMet: (store) => store.errorsMet("a", 1),
  recurringErrors: (store) => store.recurringErrors({ sessions: 1, days: 1 }, 1),
  unusedCaptured: (store) => store.unusedCaptured(1),
  noteVerdicts: (store) => store.noteVerdicts(["a"]),
  handovers: (store) => store.handovers({ limit: 1 }),
  agedAccesses: (store) => store.agedAccesses(0, { after: 0, limit: 1 }),
  agedPayloads: (store) => store.agedPayloads(0, { after: 0, limit: 1 }),
  clockMarks: (store) => store.clockMarks(),
  redactedBy: (store) => store.redactedBy(),
  keptStates: (store) => store.keptStates({ after: 0, limit: 1 }),
  keptQuestions: (store) => store.keptQuestions({ after: 0, limit: 1 }),
  walkEvents: (store) => store.walkEvents({ after: "", limit: 1 }),
  walkCheckpoints: (store) => store.walkCheckpoints({ after: "", limit: 1 }),
  keptSurfaces: (store) => store.keptSurfaces(),
  statistics: (store) => store.statistics(0),
  size: (store) => store.size(),
  usage: (store) => store.usage(0),
  surfaceCandidates: (store) =>
    store.surfaceCandidates({ now: 0, types: ["fact"], ofEachType: 1, newest: 1, notable: 1 }),
  keptSurface: (store) => store.keptSurface("a"),
  surfaceRuns: (store) => store.surfaceRuns(1),
  injectedIn: (store) => store.injectedIn("a"),
  injections: (store) => store.injections("a"),
  leaving: (store) => store.leaving("memory", { session: "a", capacity: 1, now: 0 }),
  expired: (store) => store.expired("memory", 0),
  edgesOf: (store) => store.edgesOf("memory", ["a"], { limit: 1 }),
  nearPairs: (store) => store.nearPairs(["a"]),
  newestEdges: (store) => store.newestEdges("memory", "suggested", 1),
  inDegrees: (store) => store.inDegrees(["a"]),
  unlinked: (store) => store.unlinked(1),
  unlinkedAmong: (store) => store.unlinkedAmong(["a"], 0),
  edges: (store) => store.edges("memory", ["a"]),
  walkEdges: (store) => store.walkEdges("memory", { after: null, limit: 1 }),
  filledShelves: (store) => store.filledShelves(),
  keyword: (store) => store.keyword("memory", { terms: ["a"] }, active, 1),
  substring: (store) => store.substring("memory", "a", active, 1),
  nearest: (store) => store.nearest("memory", { embedder: "a", vector: direction(0) }, active, 1),
  wordpieceScores: (store) => store.wordpieceScores("memory", { pieces: [1] }, [1]),
  nearestByWordpieces: (store) => store.nearestByWordpieces("memory", { pieces: [1] }, active, 1),
  wordpieceOverlap: (store) => store.wordpieceOverlap([1], [[1]]),
  neighbours: (store) => store.neighbours("memory", [1]),
  speakers: (store) => store.speakers("memory", ["a"]),
  decisionOutlines: (store) => store.decisionOutlines(0),
  decisionsRelatingTo: (store) => store.decisionsRelatingTo("a"),
  subjectsOfEvidence: (store) => store.subjectsOfEvidence(),
  evidenceAbout: (store) => store.evidenceAbout(["a"], active, 1),
  fileAt: (store) => store.fileAt("code", "a"),
  cosines: (store) => store.cosines("memory", { embedder: "a", vector: direction(0) }, [1]),
  passages: (store) => store.passages("memory", [1]),
  newestPassages: (store) => store.newestPassages("memory", active, { before: null, limit: 1, isFirst: true }),
  firstPassages: (store) => store.firstPassages("memory", ["a"]),
  passageVectors: (store) => store.passageVectors("memory", "a", [1]),
  wordStatistics: (store) => store.wordStatistics("memory", ["a"]),
  embedderUsedAt: (store) => store.embedderUsedAt("a"),
  waiting: (store) => store.waiting({ embedder: "a", limit: 1, now: 0 }),
  waitingCount: (store) => store.waitingCount("a"),
  cachedVectors: (store) => store.cachedVectors("a", ["a"]),
  queriesFor: (store) => store.queriesFor(["a"]),
  journal: (store) => store.journal({}, { limit: 1, offset: 0 }),
  latestCalls: (store) => store.latestCalls(1),
  callsSince: (store) => store.callsSince("a", "b"),
  chain: (store) => store.chain(1, 1),
  chainHead: (store) => store.chainHead(),
  whole: (store) => store.whole("memory", ["id"]),
  walk: (store) => store.walk("memory", { after: null, limit: 1 }),
  fileStates: (store) => store.fileStates(),
  lastLook: (store) => store.lastLook(),
  symbols: (store) => store.symbols({ name: "a", how: "exact" }, 1),
  symbolsOf: (store) => store.symbolsOf(["a"]),
  references: (store) => store.references(),
  unranked: (store) => store.unranked(),
  conventionCounts: (store) => store.conventionCounts(1),
  filesWrittenAfter: (store) => store.filesWrittenAfter(0, 1),
  linkedTo: (store) => store.linkedTo("a"),
  linksFrom: (store) => store.linksFrom("a"),
  foundTogetherWith: (store) => store.foundTogetherWith("a", 1),
  leaseHolder: (store) => store.leaseHolder("a", 0, 1),
  agedEvidence: (store) => store.agedEvidence(1, { after: null, limit: 1 }),
  archivedEvidence: (store) => store.archivedEvidence(active, { after: null, limit: 1 }),
  archivedBytes: (store) => store.archivedBytes(["a"]),
  compact: (store) => store.compact(),
  spaces: (store) => store.spaces(),
  report: (store) => store.report(),
};
async function closedStore({ isUsed }: { isUsed: boolean }): Promise<Store> {
  const store = await open(path());
  for (const call of isUsed ? Object.values(calls) : []) await call(store);
  await store.close();
  return store;
}

describe("after closing", () => {
  const closed: Store[] = [];
  before(async () => void closed.push(await closedStore({ isUsed: true }), await closedStore({ isUsed: false })));
  for (const [name, call] of Object.entries(calls))
    test(`${name} says that the store is closed, used before or not`, async () => {
      assert.equal(closed.length, 2);
      for (const store of closed)
        await assert.rejects(call(store), { code: "unavailable", message: "The store is closed." });
    });
});
