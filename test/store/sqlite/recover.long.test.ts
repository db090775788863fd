/** Recovery: files are really damaged, and the newest sound backup takes their place, no more and no less. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as immediate } from "node:timers/promises";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { Failure } from "../../../src/errors.ts";
import type { Recovery } from "../../../src/maintenance/finding.ts";
import { describeCopy } from "../../../src/store/sqlite/backup/backup-copy.ts";
import { writeManifest } from "../../../src/store/sqlite/backup/backup-folder.ts";
import { createBackups } from "../../../src/store/sqlite/backup/backups.ts";
import { examineStore, examineWrites } from "../../../src/store/sqlite/examine.ts";
import { recoverStore, soundBackup } from "../../../src/store/sqlite/recover.ts";
import type { Store } from "../../../src/store/store.ts";
import { cutPassages } from "../../../src/text/passages.ts";
import { runScriptStill } from "../../child.ts";
import { soundMemories } from "../../crash/sound-file.ts";
import { freshStore } from "../fresh-store.ts";
import { active, apply, insertion, newItem, revision } from "../suite/trial.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const { path } = temporaryFolder("recover");
const clock = { time: Date.UTC(2026, 0, 15), now: () => (clock.time += 1_000) };
const PAGE = 4_096;

const open = (file: string, kind: "project" | "global" = "project") => freshStore({ path: file, kind, clock });
const fileIn = (home: string) => join(home, "spaces", "space.db");
const backupsIn = (home: string) => join(home, "backups");
const upTo = (end: number, start = 0) => Array.from({ length: end - start }, (_, index) => start + index);

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

/** Rubbish that looks different everywhere and is the same every time. */
const rubbish = (length: number) =>
  Buffer.from(Array.from({ length }, (_, index) => (index * 7_919 + (index >> 3)) & 255));

/** A home with one backup for each number: that many memories had been stored. Two more follow. */
async function homeWith(...backedUp: number[]) {
  const home = path();
  const files = { project: fileIn(home), global: join(home, "global.db") };
  await (await open(files.global, "global")).close();
  const store = await open(files.project);
  const backups = createBackups({ folder: backupsIn(home), files, keep: 5, clock });
  const ids: string[] = [];
  let stored = 0;
  for (const count of backedUp) {
    await remember(store, upTo(count, stored));
    stored = count;
    ids.push((await backups.take("asked")).backup.id);
  }
  await remember(store, upTo(stored + 2, stored));
  const spoil = (id: string) => writeFileSync(join(backups.pathOf(id), "project.db"), rubbish(10_000));
  return { home, files, store, backups, ids, spoil };
}

const places = (home: string) => ({ path: fileIn(home), kind: "project" as const, folder: backupsIn(home) });
const newest = (home: string) => soundBackup(places(home));

async function recover(home: string): Promise<Recovery> {
  return recoverStore({ ...places(home), backup: (await newest(home))?.id ?? null, clock });
}

async function check(home: string, memories: number): Promise<void> {
  assert.equal(soundMemories(fileIn(home)).length, memories);
  const store = await open(fileIn(home));
  assert.equal((await store.keyword("memory", { terms: ["axolotl"] }, active, 1_000)).length, memories);
  await remember(store, [memories]);
  const chain = await store.chain(1, 10_000);
  assert.equal(chain.at(-1)?.itemId, `memory-${memories}`, "its journal goes on");
  await store.close();
}

const DAMAGES: [title: string, damage: (whole: Buffer) => Buffer][] = [
  ["without its first page", (whole) => whole.fill(0, 0, PAGE)],
  ["with rubbish in its middle", (whole) => (rubbish(9_000).copy(whole, whole.length / 2), whole)],
  ["cut short", (whole) => whole.subarray(0, Math.floor(whole.length * 0.6))],
  ["of rubbish only", () => rubbish(60_000)],
];
for (const [title, damage] of DAMAGES)
  test(`a file ${title} is replaced by the newest backup and kept, for its owner alone`, async () => {
    const { home, store, ids } = await homeWith(5, 20);
    await store.close();
    const damaged = damage(readFileSync(fileIn(home)));
    writeFileSync(fileIn(home), damaged);
    assert.equal((await examineStore(fileIn(home))).state, "damaged");
    const { kept, ...recovery } = await recover(home);
    assert.deepEqual(recovery, { backup: ids[1], items: 20 });
    assert.match(kept!, /damaged-2026\d{4}T\d{9}Z-[0-9a-f]{6}$/);
    const names = readdirSync(kept!).filter((name) => name !== "space.db-wal");
    assert.deepEqual(names.sort(), ["recovery.json", "space.db"]);
    const modes = [kept!, ...["recovery.json", "space.db"].map((name) => join(kept!, name)), fileIn(home)];
    assert.deepEqual(
      modes.map((one) => statSync(one).mode & 0o777),
      [0o700, 0o600, 0o600, 0o600],
    );
    assert.ok(readFileSync(join(kept!, "space.db")).equals(damaged), "as it was");
    await check(home, 20);
  });

test("what was written since the backup is counted by the journal while that can be read", async () => {
  const { home, store, ids } = await homeWith(5);
  await store.close();
  const backup = (await newest(home))!;
  assert.equal(backup.id, ids[0]);
  // Two memories, the first of which was revised.
  assert.equal(await examineWrites(fileIn(home), backup.at), 3);
  writeFileSync(fileIn(home), rubbish(60_000));
  assert.equal(await examineWrites(fileIn(home), backup.at), null);
});

test("a backup that is damaged, altered, foreign or gone is passed over for an older one", async () => {
  const { home, store, backups, ids, spoil } = await homeWith(2, 4, 6, 8);
  await store.close();
  writeFileSync(fileIn(home), rubbish(10_000));
  spoil(ids[3]!);
  assert.equal((await newest(home))?.id, ids[2]);
  // A checksum proves nothing about what somebody else put together.
  const place = backups.pathOf(ids[2]!);
  const db = new Sqlite(join(place, "project.db"));
  db.exec("create trigger evil after insert on fact begin delete from memory_item; end");
  db.close();
  const known = (await backups.list()).find(({ id }) => id === ids[2])!;
  const file = await describeCopy(join(place, "project.db"), "project", null);
  await writeManifest(place, { ...known, files: [file] });
  assert.equal((await newest(home))?.id, ids[1]);
  rmSync(backups.pathOf(ids[1]!), { recursive: true });
  const { backup, items } = await recover(home);
  assert.deepEqual([backup, items], [ids[0], 2]);
  await check(home, 2);
});

test("a state that a restore replaced is the last choice, and other projects' backups are none", async () => {
  const { home, store, backups, ids, spoil } = await homeWith(2);
  const { replaced } = await backups.restore(ids[0]!, ["project"]);
  await store.close();
  assert.equal((await newest(home))?.id, ids[0]);
  spoil(ids[0]!);
  assert.equal((await newest(home))?.id, replaced.id);
  assert.equal(await soundBackup({ ...places(home), path: join(home, "spaces", "other.db") }), null);
});

test("without a sound backup none is named; one that went meanwhile changes nothing", async () => {
  const { home, store, ids, spoil, backups } = await homeWith(2);
  await store.close();
  const damaged = rubbish(10_000);
  writeFileSync(fileIn(home), damaged);
  spoil(ids[0]!);
  assert.equal(await newest(home), null);
  const gone = recoverStore({ ...places(home), backup: ids[0]!, clock });
  await assert.rejects(gone, { code: "unavailable", message: /altered after the backup/ });
  rmSync(backups.pathOf(ids[0]!), { recursive: true });
  await assert.rejects(recoverStore({ ...places(home), backup: ids[0]!, clock }), { code: "not_found" });
  assert.ok(readFileSync(fileIn(home)).equals(damaged));
  assert.deepEqual(readdirSync(backupsIn(home)), []);
});

test("a file that is gone comes back, and so does the registry of projects; without a backup they begin empty", async () => {
  const { home, files, store } = await homeWith(3);
  const space = { id: "space", key: "/a/.git", root: "/a", remote: null, firstCommit: "abc", createdAt: 5 };
  const global = await open(files.global, "global");
  await apply(global, { kind: "insert_space", space });
  await createBackups({ folder: backupsIn(home), files, keep: 5, clock }).take("asked");
  await Promise.all([store.close(), global.close()]);
  rmSync(files.project);
  const { kept, items } = await recover(home);
  assert.deepEqual([kept, items], [null, 5]);
  writeFileSync(files.global, rubbish(10_000));
  const own = { path: files.global, kind: "global" as const, folder: backupsIn(home) };
  await recoverStore({ ...own, backup: (await soundBackup(own))!.id, clock });
  const again = await open(files.global, "global");
  assert.deepEqual(await again.spaces(), [space]);
  await again.close();
  rmSync(files.project);
  const { backup, items: none } = await recoverStore({ ...places(home), backup: null, clock });
  assert.deepEqual([backup, none], [null, 0]);
  await check(home, 0);
});

test("a recovery that was killed is finished by the next, which removes its copy", async () => {
  const { home, store } = await homeWith(3);
  await store.close();
  writeFileSync(fileIn(home), rubbish(60_000));
  const killed = join(backupsIn(home), "damaged-20260101T000000000Z-abcdef");
  mkdirSync(killed);
  for (const name of ["space.db", "recovered.db"]) writeFileSync(join(killed, name), "");
  await recover(home);
  assert.deepEqual(readdirSync(killed), ["space.db"]);
  await check(home, 3);
});

test("nobody else gets at the file from the first look to the last", async () => {
  const { home, store, ids } = await homeWith(3);
  await store.close();
  const db = new Sqlite(fileIn(home));
  db.unsafeMode(true);
  db.exec("delete from memory_fts_docsize");
  db.close();
  let isDone = false;
  const recovering = recoverStore({ ...places(home), backup: ids[0]!, clock }).finally(() => (isDone = true));
  const isKept = () => readdirSync(backupsIn(home)).some((name) => existsSync(join(backupsIn(home), name, "space.db")));
  while (!isDone && !isKept()) await immediate();
  assert.ok(!isDone);
  // Nothing is recovered meanwhile.
  assert.equal(runScriptStill(new URL("../fixtures/try-lock.ts", import.meta.url), fileIn(home)), "held");
  await recovering;
});

test("a file that somebody has open is refused and left alone", async () => {
  const { home, store, ids } = await homeWith(2);
  await assert.rejects(recover(home), (thrown) => thrown instanceof Failure && thrown.code === "conflict");
  assert.deepEqual(readdirSync(backupsIn(home)), ids);
  await remember(store, [9]);
  await store.close();
  assert.equal(soundMemories(fileIn(home)).length, 5);
});
