/** Backups: taken while others write, whole or not at all, put back as one step, and cleaned when something is erased. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { Failure } from "../../../../src/errors.ts";
import type { Backups } from "../../../../src/ports.ts";
import { createBackups } from "../../../../src/store/sqlite/backup/backups.ts";
import { examineBackups } from "../../../../src/store/sqlite/examine.ts";
import { openSqliteStore } from "../../../../src/store/sqlite/store.ts";
import type { Store } from "../../../../src/store/store.ts";
import { makePipe, runScriptStill, startChild } from "../../../child.ts";
import { soundMemories } from "../../../crash/sound-file.ts";
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
  put,
  removal,
} from "../../suite/trial.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const { folder } = temporaryFolder("backups");
const tryLock = new URL("../../fixtures/try-lock.ts", import.meta.url);
let homes = 0;

interface Home {
  home: string;
  clock: { time: number; now(): number };
  project: Store;
  global: Store;
  backups: Backups;
  open(store?: "project" | "global"): Promise<Store>;
  close(): Promise<void>;
}

/** Empty stores, made once and copied: making one takes longer than most tests do. */
const empty = { project: join(folder, "empty", "project.db"), global: join(folder, "empty", "global.db") };
before(async () => {
  for (const kind of ["project", "global"] as const)
    await (await openSqliteStore({ path: empty[kind], kind, clock: { now: () => 1 } })).close();
});

async function newHome({ keep = 5, space = "space", home = join(folder, `home-${(homes += 1)}`) } = {}): Promise<Home> {
  const clock = { time: Date.UTC(2026, 0, 15), now: () => (clock.time += 1_000) };
  const files = { project: join(home, "spaces", `${space}.db`), global: join(home, "global.db") };
  const opened: Store[] = [];
  const open = async (kind: "project" | "global" = "project") => {
    mkdirSync(dirname(files[kind]), { recursive: true });
    if (!existsSync(files[kind])) copyFileSync(empty[kind], files[kind]);
    const store = await openSqliteStore({ path: files[kind], kind, clock });
    opened.push(store);
    return store;
  };
  const [project, global] = [await open(), await open("global")];
  const backups = createBackups({ folder: join(home, "backups"), files, keep, clock });
  const close = async () => void (await Promise.all(opened.map((store) => store.close())));
  return { home, clock, project, global, backups, open, close };
}

const failsWith = (code: string, message: RegExp) => (thrown: unknown) =>
  thrown instanceof Failure && thrown.code === code && message.test(thrown.message) && thrown.hint !== "";

const contentsOf = async (store: Store) =>
  (await store.list("memory", active, { limit: 100, offset: 0 })).items.map(({ content }) => content).sort();

/** A project's file has no registry to look at. */
const everythingIn = (store: Store) => everything({ ...store, spaces: async () => [] });

test("a backup holds both stores as they were, private, in one file each, and vouches for them", async () => {
  const { home, project, global, backups, close } = await newHome();
  await put(project, "memory", { content: "of the project" });
  await put(global, "memory", { content: "of the person" });
  const { backup, dropped } = await backups.take("asked");
  await put(project, "memory", { content: "later" });
  const place = backups.pathOf(backup.id);
  assert.deepEqual([dropped, backup.reason, backup.spaceId], [[], "asked", "space"]);
  assert.deepEqual(readdirSync(place).sort(), ["global.db", "manifest.json", "project.db"]);
  assert.deepEqual(readdirSync(join(home, "backups")), [backup.id]);
  const modes = [place, ...readdirSync(place).map((name) => join(place, name))].map(
    (path) => statSync(path).mode & 0o777,
  );
  assert.deepEqual(modes, [0o700, 0o600, 0o600, 0o600]);
  assert.equal(soundMemories(join(place, "project.db")).length, 1);
  assert.deepEqual(await backups.list(), [backup]);
  await close();
});

test("whoever writes meanwhile is not kept waiting, and the copy is of one moment", async () => {
  const { project, backups, close } = await newHome();
  const details = { ballast: "x".repeat(200_000) };
  for (let count = 0; count < 12; count += 1) await put(project, "memory", { details });
  let isDone = false;
  const taking = backups.take("asked").finally(() => (isDone = true));
  let written = 0;
  // Each pair is one transaction: a copy of one moment has both halves or neither.
  for (; !isDone; written += 1) await apply(project, ...["a", "b"].map(() => insertion("memory", newItem())));
  const { backup } = await taking;
  assert.ok(written > 1, `${written} pairs were written meanwhile`);
  const copied = soundMemories(join(backups.pathOf(backup.id), "project.db")).length;
  assert.ok(copied >= 12 && copied % 2 === 0, `${copied}`);
  await close();
});

test("what somebody commits at the last moment before a restore is kept", async () => {
  const { home, project, backups, close } = await newHome();
  await put(project, "memory");
  const { backup } = await backups.take("asked");
  const other = new Sqlite(join(home, "spaces", "space.db"), { timeout: 0 });
  const note = other.prepare<[string]>("insert into fact (key, value) values (?, '')");
  let written = 0;
  /** In every turn of the event loop, once the old state has been kept; three times it comes first. */
  function write(): void {
    if (written === 3) return;
    const isKept = readdirSync(join(home, "backups")).some((name) => name !== backup.id && !name.endsWith(".tmp"));
    try {
      if (isKept) written += note.run(`late ${written}`).changes;
    } catch (thrown) {
      assert.equal((thrown as { code: string }).code, "SQLITE_BUSY");
    }
    setImmediate(write);
  }
  write();
  const { replaced } = await backups.restore(backup.id, ["project"]);
  while (written < 3) await immediate();
  const kept = new Sqlite(join(backups.pathOf(replaced.id), "project.db"), { readonly: true });
  const late = (db: Sqlite.Database) =>
    db.prepare<[], string>("select key from fact where key like 'late %'").pluck().all();
  assert.deepEqual([...late(kept), ...late(other)].sort(), ["late 0", "late 1", "late 2"]);
  assert.equal((await backups.list()).length, 2, "what was kept in vain is gone");
  for (const db of [kept, other]) db.close();
  await close();
});

test("the newest are kept for each project, and a half-made or damaged one is none", async () => {
  const { home, backups, close } = await newHome({ keep: 2 });
  const other = await newHome({ keep: 2, space: "other", home });
  const elsewhere = await other.backups.take("asked");
  const taken = [await backups.take("asked"), await backups.take("asked"), await backups.take("asked")];
  const ids = taken.map(({ backup }) => backup.id);
  assert.deepEqual(taken[2]!.dropped, [ids[0]]);
  mkdirSync(join(home, "backups", `${ids[2]}x.tmp`));
  mkdirSync(join(home, "backups", "20260101T000000000Z-abcdef"));
  writeFileSync(join(backups.pathOf(ids[1]!), "manifest.json"), '{"format":1,"id":"../../etc"}');
  assert.deepEqual(
    (await backups.list()).map(({ id }) => id),
    [ids[2]],
  );
  assert.deepEqual(
    (await other.backups.list()).map(({ id }) => id),
    [elsewhere.backup.id],
  );
  const restored = [];
  for (let time = 1; time <= 3; time += 1) restored.push((await backups.restore(ids[2]!, ["project"])).replaced.id);
  assert.deepEqual(
    (await backups.list()).map(({ id }) => id),
    [restored[2], restored[1], ids[2]],
    "what restores replace takes no room from what was asked for",
  );
  const again = (await backups.restore(restored[1]!, ["project"])).replaced.id;
  assert.deepEqual(
    (await backups.list()).map(({ id }) => id),
    [again, restored[2], restored[1], ids[2]],
    "nor does what is being restored leave",
  );
  await Promise.all([close(), other.close()]);
});

test("a dry run says what would be and leaves everything alone", async () => {
  const { home, project, backups, close } = await newHome({ keep: 1 });
  await put(project, "memory", { content: "kept" });
  const tried = await backups.take("asked", { dryRun: true });
  assert.ok(!existsSync(join(home, "backups")));
  assert.ok(tried.backup.files.every(({ bytes }) => bytes > 0));
  const { backup } = await backups.take("asked");
  await put(project, "memory", { content: "later" });
  const { mtimeNs } = statSync(join(home, "backups"), { bigint: true });
  await backups.restore(backup.id, ["project"], { dryRun: true });
  assert.equal(statSync(join(home, "backups"), { bigint: true }).mtimeNs, mtimeNs, "nothing came or went meanwhile");
  assert.deepEqual(await contentsOf(project), ["kept", "later"]);
  assert.deepEqual((await backups.take("asked", { dryRun: true })).dropped, [backup.id]);
  assert.deepEqual(await backups.list(), [backup]);
  assert.deepEqual(readdirSync(join(home, "backups")), [backup.id]);
  await close();
});

test("a restore brings back all of it, for every process that has the store open, and can be undone", async () => {
  const { project, global, backups, open, close } = await newHome({ keep: 1 });
  const bystander = await open();
  await put(project, "memory", { content: "first" });
  await put(global, "memory", { content: "of the person" });
  const before = await everythingIn(project);
  const { backup } = await backups.take("asked");
  await put(project, "memory", { content: "second" });
  await put(global, "memory", { content: "also of the person" });
  const { replaced } = await backups.restore(backup.id, ["project"]);
  for (const store of [project, bystander]) assert.deepEqual(await everythingIn(store), before);
  assert.equal((await contentsOf(global)).length, 2, "what was not asked for stays");
  assert.deepEqual(
    (await backups.list()).map(({ id }) => id),
    [replaced.id, backup.id],
    "neither the one just made nor the one restored leaves",
  );
  await put(bystander, "memory", { content: "after" });
  assert.deepEqual(await contentsOf(project), ["after", "first"]);
  await backups.restore(replaced.id, ["project"]);
  assert.deepEqual(await contentsOf(bystander), ["first", "second"]);
  await close();
});

test("no process searches vectors of what was replaced", async () => {
  const { project, backups, open, close } = await newHome();
  const bystander = await open();
  const near = (store: Store, axis: number) =>
    store.nearest("memory", { embedder: EMBEDDER, vector: direction(axis) }, active, 10).then(idsOf);
  await adopt(project);
  const old = await put(project, "memory", { content: "old" });
  await embedWaiting(project, () => direction(1));
  const { backup } = await backups.take("asked");
  // The same row of the same block gets other vectors, and the live file has seen many more revisions.
  await apply(project, removal("memory", old));
  for (const axis of [2, 3, 4]) {
    const item = await put(project, "memory", { content: `new ${axis}` });
    await embedWaiting(project, () => direction(axis));
    for (const store of [project, bystander]) assert.deepEqual((await near(store, axis))[0], item.id);
  }
  await backups.restore(backup.id, ["project"]);
  for (const store of [project, bystander]) {
    assert.deepEqual(await near(store, 1), [old.id]);
    const [cosine] = await store.cosines("memory", { embedder: EMBEDDER, vector: direction(1) }, [1]);
    assert.ok(cosine! > 0.99, `${cosine}`);
  }
  const fresh = await put(bystander, "memory", { content: "fresh" });
  const [ranked] = await bystander.keyword("memory", { terms: ["fresh"] }, active, 1);
  assert.ok(ranked!.passage > 4, "a passage number is never used twice");
  await embedWaiting(bystander, () => direction(5));
  for (const store of [project, bystander]) assert.equal((await near(store, 5))[0], fresh.id);
  await close();
});

test("restoring the person's own store keeps the registry of projects", async () => {
  const { global, backups, close } = await newHome();
  const space = (id: string) => ({ id, key: `/${id}`, root: `/${id}`, remote: null, firstCommit: null, createdAt: 1 });
  await apply(global, { kind: "insert_space", space: space("one") });
  await put(global, "memory", { content: "then" });
  const { backup } = await backups.take("asked");
  await apply(global, { kind: "insert_space", space: space("two") });
  await apply(global, {
    kind: "move_space",
    id: "one",
    expectedKey: "/one",
    space: { ...space("one"), key: "/moved" },
  });
  await put(global, "memory", { content: "now" });
  await backups.restore(backup.id, ["global"]);
  assert.deepEqual(await contentsOf(global), ["then"]);
  assert.deepEqual((await global.spaces()).map(({ id, key }) => [id, key]).sort(), [
    ["one", "/moved"],
    ["two", "/two"],
  ]);
  await close();
});

test("what must not be restored is refused, and nothing changes", async () => {
  const { project, backups, close } = await newHome();
  await put(project, "memory", { content: "kept" });
  const takeAndSpoil = async (spoil: (file: string) => void) => {
    const { backup } = await backups.take("asked");
    spoil(join(backups.pathOf(backup.id), "project.db"));
    return backup.id;
  };
  const altered = await takeAndSpoil((file) => {
    const db = new Sqlite(file);
    db.exec("update memory_item set content = 'forged'");
    db.close();
  });
  await assert.rejects(backups.restore(altered, ["project"]), failsWith("unavailable", /checksum/));
  const cut = await takeAndSpoil((file) => writeFileSync(file, readFileSync(file).subarray(0, 20_000)));
  await assert.rejects(backups.restore(cut, ["project"]), failsWith("unavailable", /checksum/));
  await assert.rejects(backups.restore("nowhere", ["project"]), failsWith("not_found", /no backup/));
  await assert.rejects(backups.restore("../..", ["project"]), failsWith("not_found", /no backup/));
  assert.deepEqual(await contentsOf(project), ["kept"]);
  await close();
});

test("copies of a newer program and from before the first release are refused, and nothing changes", async () => {
  const { home, project, backups, close } = await newHome();
  await put(project, "memory", { content: "kept" });
  const live = new Sqlite(join(home, "spaces", "space.db"));
  const [schema, application] = ["user_version", "application_id"].map((name) => live.pragma(name, { simple: true }));
  live.pragma(`user_version = ${Number(schema) + 1}`);
  const newer = await backups.take("asked");
  live.pragma(`user_version = ${String(schema)}`);
  live.pragma("application_id = 0");
  const unreleased = await backups.take("asked");
  live.pragma(`application_id = ${String(application)}`);
  live.close();
  await put(project, "memory", { content: "later" });
  await assert.rejects(backups.restore(newer.backup.id, ["project"]), failsWith("unavailable", /schema/));
  await assert.rejects(
    backups.restore(unreleased.backup.id, ["project"]),
    failsWith("unavailable", /development version/),
  );
  assert.deepEqual((await contentsOf(project)).toSorted(), ["kept", "later"]);
  await close();
});

test("a store that others hold is waited for and then left as it is", async () => {
  const { home, project, close } = await newHome();
  const files = { project: join(home, "spaces", "space.db"), global: join(home, "global.db") };
  const impatient = { folder: join(home, "backups"), files, keep: 5, clock: { now: () => 1 }, patienceMs: 50 };
  const backups = createBackups(impatient);
  await put(project, "memory", { content: "kept" });
  const { backup } = await backups.take("asked");
  const holder = new Sqlite(files.project);
  holder.exec("begin immediate");
  holder.exec("update memory_item set priority = 9");
  await assert.rejects(backups.restore(backup.id, ["project"]), failsWith("unavailable", /locked/));
  holder.exec("commit");
  assert.equal((await project.list("memory", active, { limit: 1, offset: 0 })).items[0]!.priority, 9);
  assert.deepEqual(await backups.list(), [backup], "nothing is left behind");
  assert.deepEqual(readdirSync(impatient.folder), [backup.id]);
  holder.close();
  await close();
});

test("what is erased goes from every copy of every project, and the copies still restore", async () => {
  const secret = "the password is sesame";
  const { home, project, global, backups, close } = await newHome();
  const other = await newHome({ space: "other", home });
  const erased = await put(project, "memory", { content: secret });
  const promoted = await put(other.project, "memory", { id: erased.id, content: secret });
  await put(project, "memory", { content: "kept" });
  await put(global, "memory", { content: "untouched" });
  await apply(other.project, removal("memory", promoted));
  const touch = { id: erased.id, how: "search" as const, relevance: 1 };
  await apply(project, { kind: "touch_items", shelf: "memory", touches: [touch], query: "open sesame", at: 1 });
  const { backup } = await backups.take("asked");
  const elsewhere = (await other.backups.take("asked")).backup;
  assert.deepEqual(await backups.erase([erased.id], ["open sesame"]), []);
  for (const { id } of [backup, elsewhere]) {
    for (const name of readdirSync(backups.pathOf(id))) {
      assert.doesNotMatch(readFileSync(join(backups.pathOf(id), name), "latin1"), /sesame/, name);
    }
  }
  const [cleaned] = await backups.list();
  assert.deepEqual(cleaned!.files[1], backup.files[1], "a copy without a trace stays as it is");
  assert.equal(readdirSync(backups.pathOf(backup.id)).length, 3);
  await backups.restore(backup.id, ["project"]);
  assert.deepEqual(await contentsOf(project), ["kept"]);
  await Promise.all([close(), other.close()]);
});

test("a copy that cannot be cleaned is named", async () => {
  const { home, project, backups, close } = await newHome();
  const { id } = await put(project, "memory", { content: "sesame" });
  const { backup } = await backups.take("asked");
  const file = join(backups.pathOf(backup.id), "project.db");
  appendFileSync(file, "x".repeat(4_096));
  const kept = join(home, "backups", "damaged-20260101T000000000Z-abcdef");
  mkdirSync(kept);
  writeFileSync(join(kept, "space.db"), `rubbish ${id} rubbish`);
  writeFileSync(join(kept, "space.db-wal"), "rubbish");
  mkdirSync(join(home, "backups", `${backup.id}.tmp`));
  const before = readFileSync(file);
  const named = [file, join(home, "backups", `${backup.id}.tmp`), join(kept, "space.db")];
  assert.deepEqual((await backups.erase([id], [])).toSorted(), named.toSorted());
  assert.ok(readFileSync(file).equals(before));
  await close();
});

test("a folder whose manifest cannot be read is searched, and named when it knows the item or cannot be searched", async () => {
  const { home, project, backups, close } = await newHome();
  const { id } = await put(project, "memory", { content: "sesame" });
  const { backup } = await backups.take("asked");
  const place = backups.pathOf(backup.id);
  // Whoever opens a pipe to read it waits for ever.
  unlinkSync(join(place, "manifest.json"));
  makePipe(join(place, "manifest.json"));
  mkdirSync(join(home, "backups", "mine", "deeper"), { recursive: true });
  writeFileSync(join(home, "backups", "mine", "deeper", "notes.txt"), `about ${id}`);
  mkdirSync(join(home, "backups", "other"));
  writeFileSync(join(home, "backups", "other", "notes.txt"), "about nothing");
  assert.deepEqual([await backups.list(), await backups.mentions([id])], [[], true]);
  const named = [join(place, "project.db"), join(home, "backups", "mine", "deeper", "notes.txt")];
  assert.deepEqual((await backups.erase([id], [])).sort(), named.sort());
  chmodSync(join(home, "backups", "other", "notes.txt"), 0o000);
  const closed = join(home, "backups", "other", "notes.txt");
  assert.deepEqual((await backups.erase([id], [])).sort(), [...named, closed].sort());
  assert.equal(await backups.mentions(["another"]), false);
  await close();
});

test("what several do at once to the backups they do one after the other", async () => {
  const { home, project, backups, close } = await newHome();
  const other = await newHome({ home });
  for (const content of ["sesame one", "sesame two", "kept"]) await put(project, "memory", { content });
  const listed = (await project.list("memory", active, { limit: 9, offset: 0 })).items;
  const secrets = listed.filter(({ content }) => content !== "kept").map(({ id }) => id);
  const { backup } = await backups.take("asked");
  const taking = other.backups.take("asked");
  while (!readdirSync(join(home, "backups")).some((name) => name.endsWith(".tmp"))) await immediate();
  const erasures = [backups.erase([secrets[0]!], []), other.backups.erase([secrets[1]!], [])];
  assert.deepEqual(await Promise.all(erasures), [[], []]);
  const { backup: taken } = await taking;
  assert.ok((await examineBackups(join(home, "backups"))).every(({ isGood }) => isGood));
  for (const { id } of [backup, taken]) {
    assert.equal(readdirSync(backups.pathOf(id)).length, 3);
    const copy = (await backups.list()).find((known) => known.id === id)!.files[0]!;
    assert.deepEqual(soundMemories(join(backups.pathOf(id), copy.name)).length, 1);
  }
  await Promise.all([close(), other.close()]);
});

test("who cannot wait for the backups is told so, and takes the lock from nobody", async () => {
  const { home, close } = await newHome();
  const files = { project: join(home, "spaces", "space.db"), global: join(home, "global.db") };
  const options = { folder: join(home, "backups"), files, keep: 5, clock: { now: () => 1 } };
  const lock = join(home, "backups.lock");
  const { backup } = await createBackups(options).take("asked");
  const holder = new Sqlite(lock);
  holder.exec("begin exclusive");
  const impatient = createBackups({ ...options, lockPatienceMs: 0 });
  const isTold = failsWith("unavailable", /working on the backups/);
  await assert.rejects(impatient.take("asked"), isTold);
  await assert.rejects(impatient.restore(backup.id, ["project"]), isTold);
  await assert.rejects(impatient.erase(["x"], []), isTold);
  assert.equal(runScriptStill(tryLock, lock), "held");
  assert.deepEqual([await impatient.list(), readdirSync(options.folder)], [[backup], [backup.id]]);
  holder.close();
  await impatient.take("asked");
  await close();
});

test("a copy of nothing is no good and is not restored, whatever its manifest says", async () => {
  const { home, project, backups, close } = await newHome();
  await put(project, "memory", { content: "kept" });
  const { backup } = await backups.take("asked");
  writeFileSync(join(backups.pathOf(backup.id), "project.db"), "");
  const sha256 = createHash("sha256").digest("hex");
  const files = [{ store: "project", name: "project.db", bytes: 0, sha256, schema: 0 }];
  writeFileSync(join(backups.pathOf(backup.id), "manifest.json"), JSON.stringify({ format: 1, ...backup, files }));
  assert.deepEqual(
    (await examineBackups(join(home, "backups"))).map(({ isGood }) => isGood),
    [false],
  );
  for (const dryRun of [true, false]) {
    const restoring = backups.restore(backup.id, ["project"], { dryRun });
    await assert.rejects(restoring, failsWith("unavailable", /empty copy/));
  }
  assert.deepEqual(await contentsOf(project), ["kept"]);
  await close();
});

test("a dry run of an erasure names what would be left; whether a copy knows an item can be asked", async () => {
  const { home, project, backups, close } = await newHome();
  const { id } = await put(project, "memory", { content: "sesame" });
  assert.equal(await backups.mentions([id]), false);
  const { backup } = await backups.take("asked");
  assert.deepEqual([await backups.mentions([id]), await backups.mentions(["nobody"])], [true, false]);
  const half = join(home, "backups", `${backup.id}.tmp`);
  mkdirSync(half);
  const before = statSync(backups.pathOf(backup.id), { bigint: true }).mtimeNs;
  assert.deepEqual(await backups.erase([id], [], { dryRun: true }), [half]);
  assert.equal(statSync(backups.pathOf(backup.id), { bigint: true }).mtimeNs, before);
  assert.deepEqual([await backups.mentions([id]), await backups.list()], [true, [backup]]);
  const altered = join(backups.pathOf(backup.id), "project.db");
  appendFileSync(altered, "x");
  assert.deepEqual(await backups.erase([id], [], { dryRun: true }), [altered, half]);
  writeFileSync(altered, `rubbish ${id}`);
  assert.equal(await backups.mentions([id]), true, "also one that cannot be asked");
  await close();
});

test("a damaged store is not backed up, and a folder that may not be written is a clear failure", async () => {
  const { home, project, backups, close } = await newHome();
  for (let count = 0; count < 50; count += 1) await put(project, "memory", { content: `${count} `.repeat(400) });
  const file = join(home, "spaces", "space.db");
  const live = new Sqlite(file);
  live.pragma("wal_checkpoint(truncate)");
  live.close();
  const whole = readFileSync(file);
  writeFileSync(file, Buffer.concat([whole.subarray(0, 200_000), Buffer.alloc(4_096, 7), whole.subarray(204_096)]));
  await assert.rejects(backups.take("asked"), failsWith("unavailable", /damaged/));
  writeFileSync(file, whole);
  assert.deepEqual(readdirSync(join(home, "backups")), []);
  chmodSync(join(home, "backups"), 0o500);
  await assert.rejects(backups.take("asked"), failsWith("unavailable", /cannot be written/));
  chmodSync(join(home, "backups"), 0o700);
  await close();
});

test("a process that is killed while it backs up or restores leaves whole stores and whole backups", async () => {
  const { home, project, backups, close } = await newHome();
  await put(project, "memory", { content: "kept" });
  const files = [join(home, "spaces", "space.db"), join(home, "global.db")] as const;
  const script = new URL("../../fixtures/back-up.ts", import.meta.url);
  for (const moment of [/^\d.*\.tmp$/, /^restore-/]) {
    await using child = startChild(script, [join(home, "backups"), ...files]);
    const names = () => (existsSync(join(home, "backups")) ? readdirSync(join(home, "backups")) : []);
    while (child.process.exitCode === null && !names().some((name) => moment.test(name))) await sleep(2);
    child.kill();
    assert.equal((await child.ended).errors, "");
    for (const file of files) soundMemories(file);
    for (const { id } of await backups.list()) await backups.restore(id, ["project"], { dryRun: true });
  }
  assert.deepEqual(await contentsOf(project), ["kept"]);
  await close();
});
