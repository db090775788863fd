/** Conditions of stores that are asked for again and again: checked once for each state, and never in this thread. */
import assert from "node:assert/strict";
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { examineStore } from "../../../src/store/sqlite/examine.ts";
import { keptConditions } from "../../../src/store/sqlite/kept-conditions.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";

const clock = { now: () => 1_000 };

async function storeFile(t: { after(clean: () => void): void }): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "stele-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "global.db");
  await (await openSqliteStore({ path, kind: "global", clock })).close();
  return path;
}

test("one check serves everybody who asks while the file stays as it is, for ten minutes", async (t) => {
  const path = await storeFile(t);
  let now = 0;
  const examine = keptConditions(() => now);
  const [one, two] = await Promise.all([examine(path, null), examine(path, null)]);
  assert.equal(one.state, "sound");
  assert.equal(one, two);
  now = 599_999;
  assert.equal(await examine(path, null), one);
  now = 600_000;
  const later = await examine(path, null);
  assert.notEqual(later, one);
  assert.deepEqual(later, one);
});

test("a file that was written is checked again", async (t) => {
  const path = await storeFile(t);
  const examine = keptConditions(() => 0);
  assert.equal((await examine(path, null)).state, "sound");
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(4_096, 7), 0, 4_096, 8_192);
  closeSync(file);
  assert.equal((await examine(path, null)).state, "damaged");
  rmSync(path);
  assert.notEqual((await examine(path, null)).state, "sound");
});

test("what is wrong is shared by those who ask meanwhile, and looked at again afterwards", async (t) => {
  const path = await storeFile(t);
  const examine = keptConditions(() => 0);
  const folder = dirname(path);
  writeFileSync(path, "no store of anybody");
  for (const [wrong, state] of [
    [path, "damaged"],
    [folder, "unreadable"],
  ] as const) {
    const [one, two] = await Promise.all([examine(wrong, null), examine(wrong, null)]);
    assert.equal(one.state, state);
    assert.equal(one, two);
    assert.notEqual(await examine(wrong, null), one);
  }
});

test("a file whose permissions were changed is checked again", async (t) => {
  const path = await storeFile(t);
  const examine = keptConditions(() => 0);
  const before = await examine(path, null);
  chmodSync(path, 0o400);
  assert.notEqual(await examine(path, null), before);
});

test("in a thread, even a small file leaves the event loop free", async (t) => {
  const path = await storeFile(t);
  for (const inThread of [false, true]) {
    let isTurned = false;
    setImmediate(() => (isTurned = true));
    assert.equal((await examineStore(path, null, { inThread })).state, "sound");
    assert.equal(isTurned, inThread);
  }
});
