import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { lockFile } from "../../../src/store/sqlite/file-lock.ts";
import { startChild } from "../../child.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-lock-"));
after(() => rmSync(folder, { recursive: true }));

test("one holds it at a time, and the file stays empty and private", () => {
  const path = join(folder, "once");
  const held = lockFile(path)!;
  assert.equal(lockFile(path), null);
  held.release();
  const next = lockFile(path)!;
  assert.notEqual(next, null);
  const { size, mode } = statSync(path);
  assert.deepEqual([size, mode & 0o777], [0, 0o600]);
  next.release();
});

/** A process that tries to take it, says "held" or "taken", and stays. */
function startHolder(path: string) {
  const module = new URL("../../../src/store/sqlite/file-lock.ts", import.meta.url).href;
  const script = `
    const { lockFile } = await import(${JSON.stringify(module)});
    globalThis.held = lockFile(${JSON.stringify(path)});
    process.stdout.write(held === null ? "taken" : "held");
    setInterval(() => undefined, 1e6);`;
  return startChild(null, ["--eval", script]);
}

test("a holder that tries to take it again still holds it against other processes", async () => {
  const path = join(folder, "again");
  const held = lockFile(path)!;
  assert.equal(lockFile(path), null);
  await using other = startHolder(path);
  await other.spoke();
  other.kill();
  assert.equal((await other.ended).output, "taken");
  held.release();
});

test("the system releases what a killed process held", async () => {
  const path = join(folder, "killed");
  await using holder = startHolder(path);
  await holder.spoke();
  assert.equal(lockFile(path), null);
  holder.kill();
  await holder.ended;
  const held = lockFile(path);
  assert.notEqual(held, null);
  held?.release();
});

test("a folder that is missing is a failure, not a lock", () => {
  assert.throws(() => lockFile(join(folder, "missing", "lock")), /ENOENT/);
});
