/** How a hook writes: bounds, marks and the log. */
import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { faultName, logHook } from "../../src/sessions/hook-log.ts";
import { spool, spoolFolder } from "../../src/sessions/inbox-writer.ts";
import { createSpool } from "../../src/sessions/inbox.ts";
import type { Spooled } from "../../src/sessions/session.ts";
import { createReaderMark } from "../../src/team/records.ts";

const home = mkdtempSync(join(tmpdir(), "stele-writer-"));
after(() => rmSync(home, { recursive: true, force: true }));
const folder = spoolFolder(home, "/p/.git");
beforeEach(() => rmSync(join(home, "spool"), { recursive: true, force: true }));

const report = (number: number, text = "text"): Spooled => ({
  id: number.toString(16).padStart(8, "0").padEnd(32, "0"),
  event: "prompt",
  host: "kimi",
  session: "s",
  turn: null,
  at: 1,
  cwd: "/p",
  transcript: null,
  tool: null,
  command: null,
  path: null,
  text,
});

test("what was spooled once is not written again", async () => {
  assert.equal(spool(report(1, "first"), folder), null);
  assert.equal(spool(report(1, "second"), folder), null);
  const reader = createSpool(() => folder);
  assert.equal((await reader.read((await reader.list(9))[0]!))!.text, "first");
});

test("nothing is written for a reader, and again once they may write", async () => {
  const [reader, mark] = [createSpool(() => folder), createReaderMark(folder)];
  mark.note(true, 5);
  assert.equal(spool(report(1), folder), null);
  assert.deepEqual(await reader.state(), { files: 0, bytes: 0, isPaused: false, isReader: true, isFull: false });
  assert.deepEqual(await reader.pauses(), [{ from: 5, to: null }]);
  await reader.resume(6);
  assert.equal((await reader.state()).isReader, true, "`resume` gives no right to write");
  const another = createReaderMark(folder);
  another.note(false, 9);
  assert.deepEqual([mark.isOther(), another.isOther()], [true, false], "whoever lives on notices");
  assert.deepEqual(await reader.pauses(), [{ from: 5, to: 9 }]);
  spool(report(1), folder);
  assert.equal((await reader.list(9)).length, 1);
});

test("a folder that is not private gets no mark, and nobody is kept from reading by that", () => {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  chmodSync(folder, 0o755);
  const mark = createReaderMark(folder);
  mark.note(true, 5);
  assert.deepEqual([readdirSync(folder), mark.isOther()], [[], false]);
});

test("a full spool drops what is new and says so once, until something is digested", async () => {
  const bounds = { files: 5, bytes: 1_000_000 };
  const told = Array.from({ length: 9 }, (_, number) => spool(report(number), folder, { bounds }));
  assert.deepEqual(
    told.map((sentence) => sentence !== null),
    [false, false, false, false, false, true, false, false, false],
  );
  const reader = createSpool(() => folder);
  const names = await reader.list(99);
  assert.equal(names.length, 5);
  await reader.remove(names[0]!);
  assert.equal(spool(report(20), folder, { bounds }), null);
  assert.equal((await reader.list(99)).length, 5);
});

test("a mark that there is no room goes once there is, and drafts take no room", async () => {
  const bounds = { files: 2, bytes: 1_000_000 };
  const reader = createSpool(() => folder, { bounds });
  spool(report(1), folder, { bounds });
  const drafts = [2, 3].map((number) => join(folder, `${report(number).id}.json.17.tmp`));
  for (const draft of drafts) writeFileSync(draft, "half");
  utimesSync(drafts[0]!, 1, 1);
  assert.equal(spool(report(4), folder, { bounds }), null, "only reports count");
  assert.equal((await reader.state()).isFull, false);
  assert.deepEqual(
    drafts.map((draft) => existsSync(draft)),
    [false, true],
    "one may still be written",
  );
  assert.match(spool(report(5), folder, { bounds })!, /is full/);
  assert.equal((await reader.state()).isFull, true);
  rmSync(join(folder, `${report(1).id}.json`));
  await reader.list(1);
  assert.equal((await reader.state()).isFull, false);
  assert.equal(spool(report(5), folder, { bounds }), null);
  assert.equal((await reader.list(9)).length, 2);
});

test("a spool with too many bytes is full too", async () => {
  const bounds = { files: 1_000, bytes: 200_000 };
  const told = Array.from({ length: 100 }, (_, number) =>
    spool(report(number, "x".repeat(20_000)), folder, { bounds }),
  );
  assert.equal(told.filter((sentence) => sentence !== null).length, 1);
  const { bytes } = await createSpool(() => folder).state();
  assert.ok(bytes >= 200_000 && bytes < 200_000 + 17 * 21_000, String(bytes));
});

test("a report that no digester would read is not written", () => {
  assert.match(spool(report(1, "x".repeat(70_000)), folder)!, /too large/);
  assert.deepEqual(readdirSync(home), []);
});

test("the log is private, bounded and one line for each message", () => {
  const path = join(home, "hook.log");
  for (let line = 0; line < 300; line++) logHook(() => home, `line ${line}\n${"x".repeat(900)}`);
  const text = readFileSync(path, "utf8");
  assert.ok(text.length < 67_000);
  assert.ok(
    text
      .trimEnd()
      .split("\n")
      .every((line) => /^\d{4}-\d\d-\d\dT[\d:.]+Z line \d+ x+$/.test(line)),
  );
  assert.equal(statSync(path).mode & 0o777, 0o600);
  rmSync(path);
});

test("the log is not written through a link", () => {
  writeFileSync(join(home, "precious"), "kept");
  symlinkSync(join(home, "precious"), join(home, "hook.log"));
  logHook(() => home, "line");
  assert.equal(readFileSync(join(home, "precious"), "utf8"), "kept");
  for (const name of ["precious", "hook.log"]) rmSync(join(home, name));
});

test("a fault is named without what it quotes", () => {
  assert.equal(faultName(Object.assign(new Error("secret"), { code: "ENOSPC", syscall: "write" })), "ENOSPC in write");
  assert.equal(faultName(new SyntaxError("secret")), "SyntaxError");
  assert.equal(faultName({}), "a fault");
});
