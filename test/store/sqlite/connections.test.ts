/**
 * Every connection, looked at as it closes: how it is set decides what a power cut costs.
 *
 * A copy may be written without syncing, because it is synced as a whole before anybody
 * relies on it. A store may not.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, join } from "node:path";
import { test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { createBackups } from "../../../src/store/sqlite/backup/backups.ts";
import { openDatabase } from "../../../src/store/sqlite/database.ts";
import { recoverStore } from "../../../src/store/sqlite/recover.ts";
import { freshStore } from "../fresh-store.ts";
import { put } from "../suite/trial.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const { folder, path } = temporaryFolder("connections");
const OFF = 0;
const NORMAL = 1;

type Closed = { path: string; readonly: boolean; synchronous: number; journalMode: string };

/** What was closed and which files were synced since they were last cleared. */
const closed: Closed[] = [];
const synced = new Set<number>();

function settingsOf(db: Sqlite.Database): Closed {
  const value = (name: string) => db.pragma(name, { simple: true });
  const [synchronous, journalMode] = [value("synchronous") as number, value("journal_mode") as string];
  return { path: db.name, readonly: db.readonly, synchronous, journalMode };
}

/** Looks on while connections close and files are synced; answers how to stop. */
async function lookOn(): Promise<() => void> {
  const handle = await open(join(folder, "any"), "w");
  const handles = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const [{ close }, { sync }] = [Sqlite.prototype, handles];
  Sqlite.prototype.close = function (this: Sqlite.Database) {
    if (this.open) closed.push(settingsOf(this));
    return close.call(this);
  };
  handles.sync = async function (this: typeof handle) {
    await sync.call(this);
    synced.add((await this.stat()).ino);
  };
  return () => {
    Sqlite.prototype.close = close;
    handles.sync = sync;
  };
}

/** The files of finished backups, by what the disk knows them by. */
function filesIn(backups: string): Map<number, string> {
  const places = existsSync(backups) ? readdirSync(backups).filter((name) => /^\d.*\w{6}$/.test(name)) : [];
  const files = places.flatMap((place) => readdirSync(join(backups, place)).map((name) => join(backups, place, name)));
  return new Map(files.map((file) => [statSync(file).ino, file]));
}

test("a store's connection survives a power cut, keeps references whole and waits for others", async () => {
  const { db, close } = await openDatabase(path(), { inspect: () => undefined, isRequired: true });
  const expected = {
    journal_mode: "wal",
    synchronous: NORMAL,
    foreign_keys: 1,
    busy_timeout: 50,
    wal_autocheckpoint: 4_000,
    journal_size_limit: 67_108_864,
    temp_store: 2,
    cache_size: -4_000,
  };
  const found = Object.keys(expected).map((name) => [name, db.pragma(name, { simple: true })]);
  assert.deepEqual(Object.fromEntries(found), expected);
  close();
});

test("nothing writes to a store without syncing; a copy is synced before anybody relies on it", async (context) => {
  const files = { project: join(folder, "home", "space.db"), global: join(folder, "home", "global.db") };
  const folderOfBackups = join(folder, "home", "backups");
  let time = Date.UTC(2026, 0, 15);
  const clock = { now: () => (time += 1_000) };
  const project = await freshStore({ path: files.project, kind: "project", clock });
  const global = await freshStore({ path: files.global, kind: "global", clock });
  const { id } = await put(project, "memory");
  const backups = createBackups({ folder: folderOfBackups, files, keep: 5, clock });
  const { backup } = await backups.take("asked");
  const recovering = {
    path: files.project,
    kind: "project",
    folder: folderOfBackups,
    backup: backup.id,
    clock,
  } as const;
  const steps: [what: string, work: () => Promise<unknown>, live: string[]][] = [
    ["backup", () => backups.take("asked"), []],
    ["compact", () => project.compact(), ["space.db"]],
    ["restore", () => backups.restore(backup.id, ["project", "global"]), ["space.db", "global.db"]],
    ["erase", () => backups.erase([id], []), []],
    ["close", () => Promise.all([project.close(), global.close()]), ["space.db", "global.db"]],
    ["recover", () => recoverStore(recovering), ["space.db"]],
  ];
  context.after(await lookOn());
  for (const [what, work, live] of steps) {
    const before = filesIn(folderOfBackups);
    closed.length = 0;
    synced.clear();
    await work();
    const writers = closed.filter(({ readonly }) => !readonly);
    const own = writers.filter((one) => Object.values(files).includes(one.path));
    assert.deepEqual(new Set(own.map((one) => basename(one.path))), new Set(live), what);
    for (const { synchronous, journalMode } of own) assert.deepEqual([synchronous, journalMode], [NORMAL, "wal"], what);
    const unsynced = writers.filter(({ synchronous }) => synchronous === OFF);
    for (const one of unsynced) assert.ok(one.path.startsWith(folderOfBackups), `${what}: ${one.path}`);
    const made = [...filesIn(folderOfBackups)].filter(([number]) => !before.has(number));
    for (const [number, file] of made) assert.ok(synced.has(number), `${what}: ${file}`);
    assert.equal(made.length > 0, ["backup", "restore", "erase"].includes(what), what);
  }
  assert.ok(synced.has(statSync(files.project).ino), "what a recovery put in place");
});
