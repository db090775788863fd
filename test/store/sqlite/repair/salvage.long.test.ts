/** Salvage and recovery: files are really damaged, and what can be had of them is had, no more and no less. */
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { setImmediate as immediate } from "node:timers/promises";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { Failure } from "../../../../src/errors.ts";
import { cutPassages } from "../../../../src/logic/text/passages.ts";
import type { Change } from "../../../../src/model/journal/change.ts";
import type { Item } from "../../../../src/model/memory/item.ts";
import type { Recovery } from "../../../../src/model/care/finding.ts";
import type { Turn } from "../../../../src/model/memory/shelf.ts";
import type { Store } from "../../../../src/ports/store/store.ts";
import { createBackups } from "../../../../src/store/sqlite/backup/backups.ts";
import { recoverStore } from "../../../../src/store/sqlite/repair/recover.ts";
import { salvage } from "../../../../src/store/sqlite/repair/salvage.ts";
import { runScriptStill } from "../../../child.ts";
import { soundMemories } from "../../../crash/sound-file.ts";
import { freshStore } from "../../fresh-store.ts";
import { edgeBetween } from "../../suite/edges.ts";
import { active, apply, insertion, newItem, newPassages, put, removal, revision } from "../../suite/trial.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const { folder, path } = temporaryFolder("salvage");
const clock = { time: Date.UTC(2026, 0, 15), now: () => (clock.time += 1_000) };
const PAGE = 4_096;
const MEMORIES = 50;
const PROPOSALS = 5;

const open = (file: string, kind: "project" | "global" = "project") => freshStore({ path: file, kind, clock });

async function remember(store: Store, numbers: readonly number[]): Promise<void> {
  for (const number of numbers) {
    // Every seventh goes on over several pages.
    const content = `axolotl ${number} ${"lives in a lake near the city ".repeat(number % 7 === 0 ? 250 : 9)}`;
    const item = newItem({ id: `memory-${number}`, content, tags: ["lake"] });
    const texts = cutPassages(content).map(({ text }) => text);
    await apply(store, insertion("memory", item, { texts }));
    if (number % 5 === 0) await apply(store, revision("memory", item, { priority: 9 }));
  }
}

const upTo = (end: number, start = 0) => Array.from({ length: end - start }, (_, index) => start + index);

/** Whole pages of items that were there once, and are still on the disk. */
async function leaveTraces(store: Store): Promise<void> {
  const ballast = { details: { ballast: "x".repeat(1_500) } };
  const made = (kind: string, set: Partial<Item>) =>
    upTo(12).map((number) => newItem({ id: `gone-${kind}-${number}`, ...set, ...ballast }));
  const [memories, working] = [made("project", {}), made("working", { scope: "working" })];
  const documents = made("document", {}).map((item) => ({ ...item, path: item.id }));
  await apply(store, ...memories.map((item) => insertion("memory", item)));
  await apply(store, ...working.map((item) => insertion("memory", item)));
  await apply(store, ...documents.map((item) => insertion("document", item)));
  await apply(store, ...memories.map((item) => removal("memory", item)));
  await apply(store, { kind: "evict_items", shelf: "memory", ids: working.map(({ id }) => id) });
  await apply(store, ...documents.map((item) => removal("document", item)));
  await apply(store, removal("memory", await put(store, "memory", { id: "gone-mem" })));
}

/** A home whose backup has the first half, with all of it in the file. Nobody damages this one. */
const model = join(folder, "model");
const fileIn = (home: string) => join(home, "spaces", "space.db");
let whole: Buffer;
let everything: Map<string, string>;

before(async () => {
  const store = await open(fileIn(model));
  await (await open(join(model, "global.db"), "global")).close();
  await remember(store, upTo(MEMORIES / 2));
  const files = { project: fileIn(model), global: join(model, "global.db") };
  await createBackups({ folder: join(model, "backups"), files, keep: 5, clock }).take("asked");
  await remember(store, upTo(MEMORIES, MEMORIES / 2));
  for (const number of upTo(PROPOSALS)) await put(store, "proposal", { id: `p-${number}`, status: "pending" });
  await leaveTraces(store);
  await store.close();
  whole = readFileSync(fileIn(model));
  everything = new Map(salvage(fileIn(model)).items.map((found) => [found.item.id, JSON.stringify(found)]));
});

/** Rubbish that looks different everywhere and is the same every time. */
const rubbish = (length: number) =>
  Buffer.from(Array.from({ length }, (_, index) => (index * 7_919 + (index >> 3)) & 255));
const overwrite = (at: number, bytes: Buffer) => {
  const damaged = Buffer.from(whole);
  bytes.copy(damaged, at);
  return damaged;
};
const rootOf = (table: string): number => {
  const db = new Sqlite(fileIn(model), { readonly: true });
  const root = db.prepare<[string], number>("select rootpage from sqlite_schema where name = ?").pluck().get(table)!;
  db.close();
  return root;
};
/** The page on which the row of an item stands. */
const leafOf = (id: string): number => {
  for (let at = 0; at < whole.length; at += PAGE) {
    const page = whole.subarray(at, at + PAGE);
    if (page[0] === 0x0d && page.includes(`${id}fact`)) return at / PAGE + 1;
  }
  return assert.fail(`no leaf holds ${id}`);
};
const erasePage = (number: number, bytes = Buffer.alloc(PAGE)) => overwrite((number - 1) * PAGE, bytes);

/** Every page on which a long content goes on, spoilt with what is still text. */
function spoiltContents(): Buffer {
  const damaged = Buffer.from(whole);
  for (let at = 0; at < whole.length; at += PAGE) {
    const page = damaged.subarray(at, at + PAGE);
    if (page[0] === 0 && page.includes("lives in a lake near the city")) page.fill("A", 100, 600);
  }
  return damaged;
}

test("a whole file gives everything, as it is", async () => {
  const { journal, expected } = salvage(fileIn(model));
  assert.equal(everything.size, MEMORIES + PROPOSALS);
  for (const kind of ["project", "working", "document"]) assert.ok(leafOf(`gone-${kind}-5`), kind);
  const store = await open(fileIn(model));
  const items = await store.list("memory", active, { limit: 1_000, offset: 0 });
  for (const item of items.items) {
    const { item: found, passages } = JSON.parse(everything.get(item.id)!) as { item: object; passages: object[] };
    assert.deepEqual(found, item);
    assert.ok(passages.length > 0);
  }
  assert.deepEqual(journal, await store.chain(1, 10_000), "the chain too");
  assert.deepEqual(expected, new Set(everything.keys()));
  await store.close();
});

const kinds: [title: string, damage: () => Buffer, least: number][] = [
  ["without the header", () => overwrite(0, Buffer.alloc(100)), MEMORIES + PROPOSALS],
  ["without the first page", () => erasePage(1), MEMORIES + PROPOSALS],
  ["with rubbish on the first page", () => erasePage(1, rubbish(PAGE)), MEMORIES + PROPOSALS],
  ["without the root of the memories", () => erasePage(rootOf("memory_item")), MEMORIES + PROPOSALS],
  ["with rubbish for the root", () => erasePage(rootOf("memory_item"), rubbish(PAGE)), MEMORIES + PROPOSALS],
  [
    "without the first page and the root",
    () => erasePage(rootOf("memory_item")).fill(0, 0, PAGE),
    MEMORIES + PROPOSALS,
  ],
  ["with letters where long contents go on", spoiltContents, MEMORIES + PROPOSALS - 8],
  ["without the root of the passages", () => erasePage(rootOf("memory_passage")), MEMORIES + PROPOSALS],
  ["without a page of memories", () => erasePage(leafOf("memory-3")), MEMORIES + PROPOSALS - 12],
  ["cut after eight tenths", () => whole.subarray(0, Math.floor(whole.length * 0.8)), 25],
  ["cut after six tenths", () => whole.subarray(0, Math.floor(whole.length * 0.6)), 1],
  ["with rubbish across pages", () => overwrite(leafOf("memory-3") * PAGE - 6_000, rubbish(9_000)), 20],
  ["of rubbish only", () => rubbish(200_000), 0],
  ["that is empty", () => Buffer.alloc(0), 0],
];
for (const [title, damage, least] of kinds) {
  test(`a file ${title} gives what is left, none of it altered`, () => {
    const file = path();
    writeFileSync(file, damage());
    const { items } = salvage(file);
    for (const found of items) assert.equal(JSON.stringify(found), everything.get(found.item.id), found.item.id);
    assert.ok(items.length >= least, `${items.length} of ${everything.size}`);
    assert.ok(least === everything.size || items.length < everything.size, "or else the damage is none");
  });
}

test("what the journal knows as removed is not brought back by an old page of it", () => {
  const leaf = (leafOf("memory-3") - 1) * PAGE;
  const old = Buffer.from(whole.subarray(leaf, leaf + PAGE));
  old.write("gone-mem", old.indexOf("memory-3fact"));
  const file = path();
  writeFileSync(file, Buffer.concat([erasePage(rootOf("memory_item")), old]));
  const ids = salvage(file).items.map(({ item }) => item.id);
  assert.deepEqual(new Set(ids), new Set(everything.keys()));
});

test("wherever a page is lost, only what stood on it is lost", () => {
  const file = path();
  for (let number = 1; number <= whole.length / PAGE; number += 29) {
    writeFileSync(file, erasePage(number, rubbish(PAGE)));
    const { items } = salvage(file);
    for (const found of items)
      assert.equal(JSON.stringify(found.item), JSON.stringify(JSON.parse(everything.get(found.item.id)!).item));
    assert.ok(items.length >= everything.size - 12, `page ${number}: ${items.length}`);
  }
});

test("what was committed last may be in the log alone; a torn or foreign log gives nothing", async () => {
  const file = path();
  const store = await open(file);
  await remember(store, upTo(3));
  const [main, log] = [readFileSync(file), readFileSync(`${file}-wal`)];
  await store.close();
  const found = (damaged: Buffer, beside: Buffer) => {
    const copy = path();
    writeFileSync(copy, damaged);
    writeFileSync(`${copy}-wal`, beside);
    return salvage(copy).items.length;
  };
  assert.equal(found(main, log), 3);
  assert.equal(found(Buffer.alloc(main.length), log), 3);
  assert.equal(found(main, Buffer.alloc(0)), 0);
  assert.equal(found(main, rubbish(log.length)), 0);
  const torn = Buffer.from(log);
  torn.fill(0xff, log.length - 2 * PAGE);
  const left = found(main, torn);
  assert.ok(left > 0 && left < 3, `${left}`);
});

/** A home of its own with this for its store, recovered. */
async function recovered(damaged: Buffer, { withBackup = true } = {}): Promise<{ home: string; recovery: Recovery }> {
  const home = path();
  mkdirSync(dirname(fileIn(home)), { recursive: true });
  writeFileSync(fileIn(home), damaged);
  if (withBackup) {
    for (const name of readdirSync(join(model, "backups"))) {
      mkdirSync(join(home, "backups", name), { recursive: true });
      for (const file of readdirSync(join(model, "backups", name))) {
        copyFileSync(join(model, "backups", name, file), join(home, "backups", name, file));
      }
    }
  }
  return { home, recovery: await recover(home) };
}

const recover = (home: string) =>
  recoverStore({ path: fileIn(home), kind: "project", folder: join(home, "backups"), clock });

async function check(home: string, memories: number): Promise<Store> {
  assert.equal(soundMemories(fileIn(home)).length, memories);
  const store = await open(fileIn(home));
  assert.equal((await store.keyword("memory", { terms: ["axolotl"] }, active, 1_000)).length, memories);
  return store;
}

test("with a backup, what a lost page held comes from there, and the rest from the file", async () => {
  const damaged = erasePage(leafOf("memory-3"));
  const { home, recovery } = await recovered(damaged);
  const { fromBackup, salvaged, unreadable, kept, backup } = recovery;
  assert.deepEqual([fromBackup, salvaged, unreadable], [MEMORIES / 2, MEMORIES / 2 + PROPOSALS, 0]);
  assert.deepEqual(readdirSync(join(home, "backups")).sort(), [backup, kept!.split("/").at(-1)]);
  assert.ok(readFileSync(join(kept!, "space.db")).equals(damaged), "the damaged file is kept as it was");
  const store = await check(home, MEMORIES);
  const [latest] = await store.latestCalls(1);
  const { records } = await store.journal({ calls: [latest!.call] }, { limit: 1_000, offset: 0 });
  assert.deepEqual([records.length, records[0]!.verb], [MEMORIES / 2 + PROPOSALS, "recover"]);
  await store.close();
});

test("without a backup, the file alone gives what it can, its journal included, and what is missing is counted", async () => {
  const lost = everything.size - salvageOf(erasePage(leafOf("memory-3")));
  const { home, recovery } = await recovered(erasePage(leafOf("memory-3")), { withBackup: false });
  assert.ok(lost > 0);
  assert.deepEqual(
    { ...recovery, kept: null },
    {
      ...{ kept: null, backup: null, fromBackup: 0, salvaged: everything.size - lost, unreadable: lost },
      isComplete: true,
    },
  );
  const store = await check(home, MEMORIES - lost);
  const { records } = await store.journal({ itemIds: ["memory-45"] }, { limit: 10, offset: 0 });
  assert.deepEqual(
    records.map(({ kind }) => kind),
    ["insert_item", "revise_item", "insert_item"],
  );
  await store.close();
});

function salvageOf(damaged: Buffer): number {
  const file = path();
  writeFileSync(file, damaged);
  return salvage(file).items.length;
}

const TURNS: Turn[] = [
  { speaker: "Søren", role: "user", at: 1_683_554_160_000 },
  { speaker: null, role: "assistant", at: null },
  { speaker: "O'Brien", role: null, at: -5 },
];

/** Evidence in three turns, and one that nobody in particular said. */
function conversation(id: string): Change {
  const item = newItem({ id, content: "axolotl talk\nhm\nyes\nthey left" });
  const passages = newPassages(item.content.split("\n")).map((passage, index) => ({
    ...passage,
    ...(TURNS[index] && { turn: TURNS[index] }),
  }));
  return { kind: "insert_item", shelf: "evidence", item, passages, embed: true };
}

test("edges come back with what they tie, from the file and from a backup; those that went since stay away", async () => {
  for (const withBackup of [true, false]) {
    const home = path();
    const files = { project: fileIn(home), global: join(home, "global.db") };
    const store = await open(files.project);
    await (await open(files.global, "global")).close();
    const items = await Promise.all(upTo(4).map((number) => put(store, "memory", { id: `tied-${number}` })));
    const [one, two, three, four] = items as [Item, Item, Item, Item];
    const [stays, goes, carried, since] = [
      edgeBetween("memory", one, two),
      edgeBetween("memory", two, one, { relation: "refines" }),
      edgeBetween("memory", one, four),
      edgeBetween("memory", two, three, { strength: 0.9, status: "suggested", bidirectional: false }),
    ];
    await apply(store, ...[stays, goes, carried].map((edge): Change => ({ kind: "insert_edge", edge })));
    if (withBackup) await createBackups({ folder: join(home, "backups"), files, keep: 5, clock }).take("asked");
    await apply(store, { kind: "remove_edge", shelf: "memory", id: goes.id }, { kind: "insert_edge", edge: since });
    await apply(store, removal("memory", four));
    await store.close();
    writeFileSync(files.project, readFileSync(files.project).fill(0, 0, PAGE));
    const { unreadable } = await recover(home);
    assert.equal(unreadable, 0);
    const fresh = await open(files.project);
    const edges = await fresh.walkEdges("memory", { after: null, limit: 9 });
    assert.deepEqual(new Set(edges), new Set([stays, since]), `with${withBackup ? "" : "out"} a backup`);
    await fresh.close();
  }
});

test("who said what comes back, from a damaged file and from a backup", async () => {
  const home = path();
  const files = { project: fileIn(home), global: join(home, "global.db") };
  const store = await open(files.project);
  await (await open(files.global, "global")).close();
  await apply(store, conversation("in-backup"));
  await createBackups({ folder: join(home, "backups"), files, keep: 5, clock }).take("asked");
  await apply(store, { ...conversation("since"), item: newItem({ id: "since" }) } as Change);
  await store.close();
  const damaged = readFileSync(files.project).fill(0, 0, PAGE);
  writeFileSync(files.project, damaged);
  const { salvaged, fromBackup } = await recover(home);
  assert.deepEqual([fromBackup, salvaged], [1, 1]);
  const again = await open(files.project);
  for (const { passages } of await again.walk("evidence", { after: null, limit: 9 })) {
    assert.deepEqual(
      passages.map(({ turn }) => turn),
      [...TURNS, undefined],
    );
  }
  assert.deepEqual(await again.speakers("evidence", ["o'brien"]), ["O'Brien"]);
  await again.close();
});

test("a file that is newer than what the backup knew of it is looked at again", async () => {
  const home = path();
  const files = { project: fileIn(home), global: join(home, "global.db") };
  const store = await open(files.project);
  await (await open(files.global, "global")).close();
  const items = [await put(store, "code", { path: "a.ts" }), await put(store, "code", { path: "b.ts" })];
  const states = items.map(({ id, path: file }) => ({
    ...{ path: file!, shelf: "code" as const, itemId: id, reason: null },
    ...{ bytes: 1, modifiedAt: 1, hash: "h", rules: "r", lookedAt: 2 },
  }));
  await apply(store, { kind: "note_files", files: states });
  await createBackups({ folder: join(home, "backups"), files, keep: 5, clock }).take("asked");
  await apply(store, revision("code", items[0]!, { content: "walrus" }, ["walrus"]));
  await store.close();
  writeFileSync(files.project, readFileSync(files.project).fill(0, 0, PAGE));
  await recover(home);
  const again = await open(files.project);
  assert.deepEqual(await again.fileStates(), [states[1]]);
  assert.equal((await again.fileAt("code", "a.ts"))?.content, "walrus");
  await again.close();
});

test("archived evidence comes back archived; a damaged piece costs only itself", async () => {
  const file = path();
  const store = await open(file);
  const items = ["whole", "damaged"].map((id) =>
    newItem({ id, content: `axolotl talk of ${id} things\n`.repeat(300) }),
  );
  for (const item of items) {
    const { passages, embed } = conversation(item.id) as Extract<Change, { kind: "insert_item" }>;
    const archived = { ...item, status: "archived" as const };
    await apply(store, { kind: "insert_item", shelf: "evidence", item: archived, passages, embed });
  }
  const expected = await store.walk("evidence", { after: null, limit: 9 });
  await store.close();
  const found = () => salvage(file).items.map(({ item, passages, embed }) => ({ item, passages, embed }));
  const byId = (all: ReturnType<typeof found>) => all.toSorted((a, b) => (a.item.id < b.item.id ? -1 : 1));
  assert.deepEqual(byId(found()), expected);
  const db = new Sqlite(file);
  db.exec("update evidence_archive set digest = zeroblob(32) where seq = 2");
  db.close();
  const { items: left, expected: known } = salvage(file);
  assert.deepEqual([left.map(({ item }) => item.id), known.has("damaged")], [["whole"], true]);
});

test("a spoilt turn costs no passage", async () => {
  const file = path();
  const store = await open(file);
  const turn = { speaker: null, role: "tool" as const, at: 7 };
  const passages = newPassages(["one", "two"]).map((passage) => ({ ...passage, turn }));
  const item = newItem({ content: "one two" });
  await apply(store, { kind: "insert_item", shelf: "evidence", item, passages, embed: true });
  await store.close();
  const found = () => salvage(file).items.map(({ passages }) => passages.map(({ text, turn }) => [text, turn]));
  assert.deepEqual(found(), [
    [
      ["one", turn],
      ["two", turn],
    ],
  ]);
  const db = new Sqlite(file);
  db.exec("update evidence_passage set role = 'king', said_at = 9007199254740991 where ordinal = 0");
  db.close();
  assert.deepEqual(found(), [
    [
      ["one", undefined],
      ["two", turn],
    ],
  ]);
});

test("a recovery that was killed is finished by the next; what a finished one has kept is not read again", async () => {
  const { home } = await recovered(erasePage(1));
  await (await check(home, MEMORIES)).close();
  writeFileSync(fileIn(home), rubbish(60_000));
  assert.deepEqual((await recover(home)).salvaged, 0);
  const killed = join(home, "backups", "damaged-20260101T000000000Z-abcdef");
  mkdirSync(killed);
  writeFileSync(join(killed, "space.db"), whole);
  writeFileSync(join(killed, "recovered.db"), "");
  writeFileSync(fileIn(home), rubbish(60_000));
  assert.equal((await recover(home)).salvaged, MEMORIES / 2 + PROPOSALS);
  await (await check(home, MEMORIES)).close();
});

/** A small home with a backup of three memories, and how to damage its store without hiding anything in it. */
async function smallHome() {
  const home = path();
  const store = await open(fileIn(home));
  await (await open(join(home, "global.db"), "global")).close();
  const files = { project: fileIn(home), global: join(home, "global.db") };
  const items = [];
  for (const id of ["removed", "purged", "stays"])
    items.push(await put(store, "memory", { id, content: `newt ${id}` }));
  await createBackups({ folder: join(home, "backups"), files, keep: 5, clock }).take("asked");
  const damage = () => {
    const db = new Sqlite(fileIn(home));
    db.unsafeMode(true);
    db.exec("delete from memory_fts_docsize");
    db.close();
  };
  const remaining = async () => {
    const again = await open(fileIn(home));
    const ids = (await again.list("memory", active, { limit: 9, offset: 0 })).items.map(({ id }) => id).sort();
    const { records } = await again.journal({ itemIds: ["purged"] }, { limit: 9, offset: 0 });
    await again.close();
    return { ids, erased: records.every(({ before }) => JSON.stringify(before ?? "").includes("newt") === false) };
  };
  return { home, store, items, damage, remaining };
}

const purgeOf = (...ids: string[]) => ({ kind: "purge_items" as const, ids, queries: [] });

test("what was removed or purged since the backup stays away; what came back stays", async () => {
  const { home, store, items, damage, remaining } = await smallHome();
  await apply(store, removal("memory", items[0]!), removal("memory", items[2]!));
  await apply(store, insertion("memory", items[2]!), revision("memory", items[1]!, { content: "newt, once more" }));
  await apply(store, purgeOf("purged"));
  await store.close();
  damage();
  const { fromBackup, unreadable } = await recover(home);
  assert.deepEqual([fromBackup, unreadable], [3, 0]);
  assert.deepEqual(await remaining(), { ids: ["stays"], erased: true });
  assert.doesNotMatch(readFileSync(fileIn(home), "latin1"), /newt purged|newt, once more/);
});

test("what earlier recoveries have kept brings back nothing that was purged since", async () => {
  const { home, store, damage, remaining } = await smallHome();
  await store.close();
  damage();
  const { kept, backup } = await recover(home);
  // One was killed right after it had ended, another right before.
  rmSync(join(kept!, "recovery.json"));
  const killed = join(home, "backups", "damaged-20260101T000000000Z-abcdef");
  mkdirSync(killed);
  copyFileSync(join(kept!, "space.db"), join(killed, "space.db"));
  writeFileSync(join(killed, "recovered.db"), "");
  const again = await open(fileIn(home));
  await apply(again, purgeOf("purged"));
  await again.close();
  damage();
  rmSync(join(home, "backups", backup!), { recursive: true });
  assert.equal((await recover(home)).unreadable, 0);
  assert.deepEqual(await remaining(), { ids: ["removed", "stays"], erased: true });
  assert.ok(!existsSync(join(killed, "recovered.db")), "it counts as ended now");
});

test("nobody else gets at the file from the first look to the last", async () => {
  const { home, store, damage } = await smallHome();
  await store.close();
  damage();
  let isDone = false;
  const recovering = recover(home).finally(() => (isDone = true));
  const isKept = () =>
    readdirSync(join(home, "backups")).some((name) => existsSync(join(home, "backups", name, "space.db")));
  while (!isDone && !isKept()) await immediate();
  assert.ok(!isDone);
  // Nothing is recovered meanwhile.
  assert.equal(runScriptStill(new URL("../../fixtures/try-lock.ts", import.meta.url), fileIn(home)), "held");
  await recovering;
});

test("a damaged backup is passed over for an older one", async () => {
  const home = path();
  const store = await open(fileIn(home));
  await (await open(join(home, "global.db"), "global")).close();
  const files = { project: fileIn(home), global: join(home, "global.db") };
  const backups = createBackups({ folder: join(home, "backups"), files, keep: 5, clock });
  await remember(store, upTo(2));
  const good = (await backups.take("asked")).backup;
  const bad = (await backups.take("asked")).backup;
  writeFileSync(join(backups.pathOf(bad.id), "project.db"), rubbish(10_000));
  await store.close();
  writeFileSync(fileIn(home), rubbish(10_000));
  const { backup, fromBackup } = await recover(home);
  assert.deepEqual([backup, fromBackup], [good.id, 2]);
});

test("a file that somebody has open is refused and left alone", async () => {
  const home = path();
  const store = await open(fileIn(home));
  await remember(store, upTo(2));
  await assert.rejects(recover(home), (thrown) => thrown instanceof Failure && thrown.code === "conflict");
  assert.ok(!existsSync(join(home, "backups")));
  await remember(store, upTo(4, 2));
  await store.close();
  await recover(home);
  await (await check(home, 4)).close();
});

test("the registry of projects is recovered with the person's own store", async () => {
  const home = path();
  const file = join(home, "global.db");
  const store = await open(file, "global");
  const space = { id: "space", key: "/a/.git", root: "/a", remote: null, firstCommit: "abc", createdAt: 5 };
  await apply(store, { kind: "insert_space", space });
  await remember(store, upTo(3));
  await store.close();
  const damaged = readFileSync(file);
  writeFileSync(file, damaged.fill(0, 0, PAGE));
  await recoverStore({ path: file, kind: "global", folder: join(home, "backups"), clock });
  const again = await open(file, "global");
  assert.deepEqual(await again.spaces(), [space]);
  assert.equal(soundMemories(file).length, 3);
  await again.close();
});
