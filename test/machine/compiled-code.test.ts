/** Compiled code that is kept: how much, and how long. */
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { Script } from "node:vm";
import { keepCompiled, readCompiled } from "../../src/machine/compiled-code.ts";
import { makePipe } from "../child.ts";

const DAY_SECONDS = 86_400;
const MEGABYTE = 2 ** 20;
const PAGE_BYTES = 4_096;

/** A folder that another build filled, one file a day. */
function filled(t: TestContext, { files, bytes }: { files: number; bytes: number }): string {
  const folder = mkdtempSync(join(tmpdir(), "stele-"));
  t.after(() => rmSync(folder, { recursive: true }));
  fill(folder, { files, bytes });
  return folder;
}

function fill(folder: string, { files, bytes }: { files: number; bytes: number }): void {
  for (let day = 1; day <= files; day++) {
    const path = join(folder, `old-${String(day).padStart(2, "0")}`);
    writeFileSync(path, "");
    truncateSync(path, bytes);
    age(path, day - 0.5);
  }
}

function age(path: string, days: number): void {
  const at = Date.now() / 1000 - days * DAY_SECONDS;
  utimesSync(path, at, at);
}

test("the newest code stays, up to 32 MB in all; what was not used for a month goes", (t) => {
  const cases = [
    [{ files: 20, bytes: 4 * MEGABYTE }, 7],
    [{ files: 40, bytes: 10 }, 30],
  ] as const;
  for (const [old, stay] of cases) {
    const folder = filled(t, old);
    const own = join(folder, "own");
    keepCompiled(own, { data: Buffer.from("code"), runs: 1 });
    assert.deepEqual(readCompiled(own), { data: Buffer.from("code"), runs: 1 });
    const left = readdirSync(folder).filter((name) => name !== "own");
    assert.deepEqual([left.length, left.sort().at(-1)], [stay, `old-${String(stay).padStart(2, "0")}`]);
  }
});

test("folders count by what is in them, and what is oldest in them goes; links are not followed", (t) => {
  const folder = filled(t, { files: 1, bytes: 10 });
  const [inner, elsewhere] = [join(folder, "v1"), filled(t, { files: 40, bytes: 4 * MEGABYTE })];
  mkdirSync(inner);
  fill(inner, { files: 20, bytes: 4 * MEGABYTE });
  symlinkSync(elsewhere, join(folder, "link"));
  keepCompiled(join(folder, "own"), { data: Buffer.from("code"), runs: 1 });
  assert.deepEqual(
    readdirSync(inner).sort(),
    Array.from({ length: 7 }, (_, index) => `old-0${index + 1}`),
  );
  assert.equal(readdirSync(elsewhere).length, 40);
});

test("what is used stays, however long ago it was written; its use is noted once a day", (t) => {
  const folder = filled(t, { files: 1, bytes: 10 });
  const [used, unused, own] = ["used", "unused", "own"].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [used, unused]) keepCompiled(path, { data: Buffer.from(path), runs: 1 });
  for (const path of [used, unused]) age(path, 40);
  readCompiled(used);
  keepCompiled(own, { data: Buffer.from("code"), runs: 1 });
  assert.deepEqual([existsSync(used), existsSync(unused)], [true, false]);
  assert.equal(readCompiled(used)?.data.toString(), used);
  for (const [days, isNoted] of [
    [0.9, false],
    [1.1, true],
  ] as const) {
    age(used, days);
    const { mtimeMs } = statSync(used);
    readCompiled(used);
    assert.equal(statSync(used).mtimeMs !== mtimeMs, isNoted);
  }
});

test("code that lost a page of the disk is not used, whichever it was", (t) => {
  const file = join(filled(t, { files: 0, bytes: 0 }), "own");
  const functions = Array.from({ length: 2_000 }, (_, index) => `(function f${index}(a){return a+${index}})(1);`);
  const script = new Script(functions.join("\n"));
  script.runInThisContext();
  keepCompiled(file, { data: script.createCachedData(), runs: 1 });
  const whole = readFileSync(file);
  assert.ok(readCompiled(file) !== undefined);
  const pages = Math.floor(whole.length / PAGE_BYTES);
  assert.ok(pages > 50, `${pages} pages`);
  for (let page = 0; page < pages; page += 1) {
    writeFileSync(file, Buffer.from(whole).fill(0, page * PAGE_BYTES, (page + 1) * PAGE_BYTES));
    assert.ok(readCompiled(file) === undefined, `page ${page} of ${pages}`);
  }
});

test("a pipe in the place of the file is not waited for", (t) => {
  const file = join(filled(t, { files: 0, bytes: 0 }), "own");
  makePipe(file);
  assert.equal(readCompiled(file), undefined);
});
