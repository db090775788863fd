/** Encrypted stores: their files tell nothing, a key that is wrong or missing is no damage, and backups work as ever. */
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type StoreKey, storeKeyOf } from "../../../src/encryption/store-key.ts";
import { createBackups } from "../../../src/store/sqlite/backup/backups.ts";
import { examineSpaces, examineStore } from "../../../src/store/sqlite/examine.ts";
import { recoverStore, soundBackup } from "../../../src/store/sqlite/recover.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import type { Store } from "../../../src/store/store.ts";
import { active, everything, idsOf, put } from "../suite/trial.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const { path, folder } = temporaryFolder("keyed");
const clock = { now: () => 1_700_000_000_000 };
const key = storeKeyOf(Buffer.alloc(32, 7));
const other = storeKeyOf(Buffer.alloc(32, 8));
const NEEDLE = "a quite unmistakable sentence about herons";

const open = (file: string, opening: StoreKey | null, kind: "project" | "global" = "project") =>
  openSqliteStore({ path: file, kind, clock, key: opening });

async function filled(file: string, opening: StoreKey | null = key, kind: "project" | "global" = "project") {
  const store = await open(file, opening, kind);
  return { store, item: await put(store, "memory", { content: NEEDLE }) };
}

/** The registry of projects is only in the global store. */
const whole = ({ spaces: _, ...store }: Store) => everything(store);

/** Every file in a folder, and in those below. */
const bytesIn = (place: string): Buffer[] =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));

test("neither the file nor its log tells what is stored, and the right key opens it", async () => {
  const file = path();
  const { store, item } = await filled(file);
  const before = await whole(store);
  for (const bytes of [file, `${file}-wal`].map((name) => readFileSync(name))) {
    assert.ok(bytes.length > 0 && !bytes.includes("herons") && !bytes.includes(item.id));
  }
  assert.equal(await store.compact(), true);
  await store.close();
  assert.ok(!readFileSync(file).includes("herons"));
  const again = await open(file, key);
  assert.deepEqual(await whole(again), before);
  await again.close();
});

const WRONG: [title: string, made: StoreKey | null, opened: StoreKey | null, code: string, message: RegExp][] = [
  ["no key", key, null, "locked", /is encrypted, and there is no key for it/],
  ["another key", key, other, "locked", /is encrypted with another key/],
  ["a plain file", null, key, "unavailable", /is not encrypted, although this data folder is/],
];
for (const [title, made, opened, code, message] of WRONG)
  test(`${title} is said, never called damage, and nothing is changed`, async () => {
    const file = path();
    await (await filled(file, made)).store.close();
    const before = readFileSync(file);
    await assert.rejects(open(file, opened), { code, message });
    const { state } = await examineStore(file, opened);
    assert.equal(state, "locked");
    assert.equal(await examineSpaces(file, opened), null);
    assert.ok(readFileSync(file).equals(before));
  });

test("damage is called damage, with the right key", async () => {
  for (const at of [200, 4096 * 3 + 50]) {
    const file = path();
    await (await filled(file)).store.close();
    const bytes = readFileSync(file);
    bytes[at]! ^= 1;
    writeFileSync(file, bytes);
    assert.equal((await examineStore(file, key)).state, "damaged");
  }
});

async function home(name: string, opening: StoreKey | null) {
  const place = join(folder, name);
  const files = { project: join(place, "spaces", "space.db"), global: join(place, "global.db") };
  const [project, global] = [await filled(files.project, opening), await filled(files.global, opening, "global")];
  const backups = createBackups({ folder: join(place, "backups"), files, keep: 5, clock, key: opening });
  const close = async () => void (await Promise.all([project.store.close(), global.store.close()]));
  return { place, files, project, global, backups, close };
}

test("a backup is encrypted with the same key, and restoring brings everything back under open connections", async () => {
  const { place, files, project, global, backups, close } = await home("restored", key);
  const before = [await whole(project.store), await whole(global.store)];
  const { backup } = await backups.take("asked");
  await put(project.store, "memory", { content: "another one about storks" });
  await put(global.store, "decision");
  await backups.restore(backup.id, ["project", "global"]);
  assert.deepEqual([await whole(project.store), await whole(global.store)], before);
  // Numbers go on, words are found, and the journal continues.
  const found = async (word: string) => idsOf(await project.store.keyword("memory", { terms: [word] }, active, 5));
  assert.deepEqual([await found("herons"), await found("storks")], [[project.item.id], []]);
  await put(project.store, "memory");
  const { length } = await project.store.chainHead();
  const chain = await project.store.chain(1, 100);
  assert.equal(chain.length, length);
  assert.equal(chain.at(-1)!.hash, (await project.store.chainHead()).hash);
  for (const bytes of bytesIn(place)) assert.ok(!bytes.includes("herons") && !bytes.includes("storks"));
  await close();
  for (const file of Object.values(files)) assert.equal((await examineStore(file, key)).state, "sound");
});

test("a backup for another key is refused, and an erasure reaches the copies", async () => {
  const { place, project, files, backups, close } = await home("erased", key);
  const { backup } = await backups.take("asked");
  assert.equal(await backups.mentions([project.item.id]), true);
  assert.deepEqual(await backups.erase([project.item.id], []), []);
  assert.equal(await backups.mentions([project.item.id]), false);
  // Nobody can say what a damaged copy holds, so it is named.
  const kept = join(place, "backups", "damaged-1");
  mkdirSync(kept);
  copyFileSync(files.global, join(kept, "global.db"));
  assert.deepEqual(await backups.erase([project.item.id], []), [join(kept, "global.db")]);
  const wrong = createBackups({ folder: join(place, "backups"), files, keep: 5, clock, key: other });
  await assert.rejects(wrong.restore(backup.id, ["project"]), { code: "locked", message: /with another key/ });
  await close();
});

test("a damaged store is restored from its backup, which another key does not open", async () => {
  const { place, files, project, backups, close } = await home("recovered", key);
  const { backup } = await backups.take("asked");
  await close();
  truncateSync(files.project, 4096 * 4);
  const own = { path: files.project, kind: "project" as const, folder: join(place, "backups") };
  assert.equal(await soundBackup(own, other), null);
  const sound = await soundBackup(own, key);
  const recovery = await recoverStore({ ...own, backup: sound!.id, clock, key });
  assert.equal(recovery.backup, backup.id);
  assert.ok(existsSync(recovery.kept!));
  const again = await open(files.project, key);
  assert.deepEqual(idsOf(await again.items("memory", [project.item.id])), [project.item.id]);
  await again.close();
  for (const bytes of bytesIn(place)) assert.ok(!bytes.includes("herons"));
});

test("a store that has moved elsewhere is no longer written, and says so", async () => {
  const file = path();
  let isCurrent = true;
  const store = await openSqliteStore({ path: file, kind: "project", clock, isCurrent: () => isCurrent });
  await put(store, "memory");
  assert.equal(store.fault(), null);
  isCurrent = false;
  assert.match(store.fault()!, /^the data folder was encrypted/);
  await assert.rejects(put(store, "memory"), { code: "unavailable", message: /Nothing was stored: the data folder/ });
  await store.close();
});
