/** The spool as the program reads it: order, damage, links, and the mark that pauses hooks. */
import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import type { Spool } from "../../src/ports.ts";
import { spoolFolder } from "../../src/sessions/inbox-writer.ts";
import { createSpool } from "../../src/sessions/inbox.ts";
import { type Spooled, SPOOLED_BYTES } from "../../src/sessions/session.ts";

const home = mkdtempSync(join(tmpdir(), "stele-spool-"));
after(() => rmSync(home, { recursive: true, force: true }));
const folder = spoolFolder(home, "/somewhere/.git");
let spool: Spool;

beforeEach(() => {
  rmSync(join(home, "spool"), { recursive: true, force: true });
  spool = createSpool(() => folder);
});

const idOf = (number: number) => number.toString(16).padStart(32, "0");
const nameOf = (number: number) => `${idOf(number)}.json`;

function report(number: number, set: Partial<Spooled> = {}): Spooled {
  const nothing = { turn: null, transcript: null, tool: null, command: null, path: null, text: null };
  return { ...nothing, id: idOf(number), event: "prompt", host: "kimi", session: "s", at: 1, cwd: "/", ...set };
}

function put(number: number, { content = JSON.stringify(report(number)), seconds = 1 } = {}): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, nameOf(number)), content);
  utimesSync(join(folder, nameOf(number)), seconds, seconds);
  return nameOf(number);
}

test("a spool that nobody has written to is empty", async () => {
  assert.deepEqual(await spool.list(10), []);
  assert.deepEqual(await spool.state(), { files: 0, bytes: 0, isPaused: false, isReader: false, isFull: false });
  assert.equal(await spool.read(nameOf(1)), null);
  await spool.remove(nameOf(1));
  await spool.resume(1);
  assert.deepEqual(readdirSync(home), []);
});

test("reports are listed by time, then by id, and only reports are", async () => {
  put(3, { seconds: 5 });
  put(1, { seconds: 9 });
  put(2, { seconds: 5 });
  writeFileSync(join(folder, `${idOf(4)}.json.17.tmp`), "half");
  assert.deepEqual(await spool.list(10), [2, 3, 1].map(nameOf));
  assert.deepEqual(await spool.list(2), [2, 3].map(nameOf));
  const { files, bytes } = await spool.state();
  assert.deepEqual([files, bytes], [3, 3 * JSON.stringify(report(1)).length]);
});

test("a report is read as it was written, and removed once", async () => {
  const name = put(7, { content: JSON.stringify(report(7, { event: "tool", tool: "Bash", command: "ls" })) });
  assert.deepEqual(await spool.read(name), report(7, { event: "tool", tool: "Bash", command: "ls" }));
  writeFileSync(join(folder, "full"), "");
  await spool.remove(name);
  await spool.remove(name);
  assert.deepEqual(readdirSync(folder), [], "whoever makes room lifts the mark that there is none");
});

for (const [what, content] of [
  ["half a report", '{"id": "'],
  ["nothing", ""],
  ["another one's id", JSON.stringify(report(8))],
  ["an unknown field", JSON.stringify({ ...report(1), more: 1 })],
  ["an unknown event", JSON.stringify({ ...report(1), event: "nap" })],
  ["a time that is no moment", JSON.stringify(report(1, { at: 8.64e15 + 2 }))],
  ["a time before all time", JSON.stringify(report(1, { at: -1 }))],
  ["half a millisecond", JSON.stringify(report(1, { at: 1.5 }))],
  ["an endless time", JSON.stringify(report(1)).replace('"at":1', '"at":1e400')],
  ["a long command", JSON.stringify(report(1, { command: "x".repeat(4_097) }))],
  ["too much", JSON.stringify(report(1, { text: "x".repeat(SPOOLED_BYTES) }))],
] as const)
  test(`a file with ${what} is moved aside`, async () => {
    const name = put(1, { content });
    assert.equal(await spool.read(name), null);
    assert.deepEqual(await spool.list(10), []);
    assert.deepEqual(readdirSync(join(folder, "bad")), [name]);
  });

test("a link or a folder in place of a report is not followed", async () => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, "elsewhere.json"), JSON.stringify(report(1)));
  symlinkSync(join(home, "elsewhere.json"), join(folder, nameOf(1)));
  mkdirSync(join(folder, nameOf(2)));
  assert.equal(await spool.read(nameOf(1)), null);
  assert.equal(await spool.read(nameOf(2)), null);
  assert.deepEqual(await spool.list(10), []);
  assert.ok(existsSync(join(home, "elsewhere.json")));
  rmSync(join(home, "elsewhere.json"));
});

test("few damaged files are kept", async () => {
  for (let number = 0; number < 110; number++) await spool.read(put(number, { content: "{" }));
  assert.equal(readdirSync(join(folder, "bad")).length, 100);
  assert.deepEqual(await spool.list(10), []);
});

test("only names from the list are read and removed", async () => {
  for (const name of ["../../global.db", "paused", `${idOf(1)}.json/..`]) {
    await assert.rejects(spool.read(name), { code: "invalid_input" });
    await assert.rejects(spool.remove(name), { code: "invalid_input" });
  }
});

test("pausing leaves a private mark, and resuming removes it", async () => {
  await spool.pause(1);
  await spool.pause(1);
  assert.equal((await spool.state()).isPaused, true);
  const modes = [join(home, "spool"), folder, join(folder, "paused")].map((path) => statSync(path).mode & 0o777);
  assert.deepEqual(modes, [0o700, 0o700, 0o600]);
  await spool.resume(1);
  await spool.resume(1);
  assert.equal((await spool.state()).isPaused, false);
});

test("a spool that is a link, or that others may read, is not used", async () => {
  const name = put(1);
  chmodSync(folder, 0o755);
  const isRefused = async () => {
    assert.deepEqual([await spool.list(10), await spool.read(name)], [[], null]);
    for (const work of [spool.remove(name), spool.pause(1), spool.resume(1)])
      await assert.rejects(work, { code: "unavailable" });
  };
  await isRefused();
  chmodSync(folder, 0o700);
  renameSync(folder, join(home, "spool", "moved"));
  symlinkSync(join(home, "spool", "moved"), folder);
  await isRefused();
  assert.deepEqual(readdirSync(join(home, "spool", "moved")), [name]);
});

test("worktrees and subfolders have the repository's spool, others have theirs", () => {
  assert.equal(spoolFolder(home, "/somewhere/.git"), folder);
  assert.notEqual(spoolFolder(home, "/elsewhere/.git"), folder);
});

test("whether the person is a reader is known without a look at the reports", async () => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${idOf(1)}.json.17.tmp`);
  writeFileSync(draft, "half");
  utimesSync(draft, 1, 1);
  assert.equal(await spool.isReader(), false);
  writeFileSync(join(folder, "reader"), "1\n");
  assert.deepEqual([await spool.isReader(), existsSync(draft)], [true, true]);
  assert.deepEqual([(await spool.state()).isReader, existsSync(draft)], [true, false], "which would tidy up");
});
