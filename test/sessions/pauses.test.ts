/** The lists of past pauses: what a person paused stays known, whatever other processes note at the same time. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { spoolFolder } from "../../src/sessions/inbox-writer.ts";
import { createSpool } from "../../src/sessions/inbox.ts";
import { createReaderMark } from "../../src/team/records.ts";
import { runChild } from "../child.ts";

const PAUSING = new URL("./fixtures/pausing.ts", import.meta.url);
const home = mkdtempSync(join(tmpdir(), "stele-pauses-"));
after(() => rmSync(home, { recursive: true, force: true }));
const folder = spoolFolder(home, "/somewhere/.git");
const spool = createSpool(() => folder);

beforeEach(() => rmSync(join(home, "spool"), { recursive: true, force: true }));

const beginnings = async () => new Set((await spool.pauses()).map(({ from }) => from));

async function pauseOften(rounds: number, first = 1): Promise<void> {
  for (let from = first; from < first + rounds; from += 1) {
    await spool.pause(from);
    await spool.resume(from);
  }
}

test("no pause is lost while another process notes other roles", async () => {
  const rounds = 300;
  const [person, role] = await Promise.all([
    runChild(PAUSING, [folder, "person", 1_000_000, rounds]),
    runChild(PAUSING, [folder, "role", 2_000_000, rounds]),
  ]);
  assert.deepEqual([person.code, role.code], [0, 0], `${person.errors}${role.errors}`);
  const known = await beginnings();
  for (let round = 0; round < rounds; round += 1)
    for (const first of [1_000_000, 2_000_000]) assert.ok(known.has(first + round * 10), `${first} + ${round} * 10`);
});

test("however often the role changes, the person's own pauses stay known", async () => {
  await pauseOften(1);
  const reader = createReaderMark(folder);
  for (let at = 10; at < 1_600; at += 1) {
    reader.note(true, at);
    reader.note(false, at);
  }
  assert.ok((await beginnings()).has(1));
});

test("a long list is put aside once, and both are read; older ones are forgotten", async () => {
  const from = 1_000_000_000_000;
  await pauseOften(3_000, from);
  const known = await beginnings();
  assert.ok(known.size > 1_000 && known.size < 2_500, `${known.size}`);
  for (let back = 1; back <= 1_000; back += 1) assert.ok(known.has(from + 3_000 - back), `${back}`);
  assert.deepEqual(readdirSync(folder).sort(), ["pauses", "pauses.old"]);
  for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
});

test("a lock that a killed process left behind is removed after a while", async () => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = join(folder, "pauses.lock");
  writeFileSync(lock, "");
  await pauseOften(1_300, 1_000_000_000_000);
  assert.deepEqual(readdirSync(folder).sort(), ["pauses", "pauses.lock"]);
  utimesSync(lock, 1, 1);
  await pauseOften(2, 1_000_000_002_000);
  assert.deepEqual(readdirSync(folder), ["pauses.old"]);
  assert.equal((await beginnings()).size, 1_302);
});

test("a list of an earlier version is read, and a line that was cut short spoils no other", async () => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "pauses"), "3 4\n7 8\n1700", { mode: 0o600 });
  await pauseOften(1, 20);
  assert.deepEqual(await spool.pauses(), [
    { from: 3, to: 4 },
    { from: 7, to: 8 },
    { from: 20, to: 20 },
  ]);
});

test("pauses of both kinds are told, the latest last", async () => {
  const reader = createReaderMark(folder);
  reader.note(true, 5);
  reader.note(false, 9);
  await spool.pause(1);
  await spool.resume(3);
  await spool.pause(11);
  reader.note(true, 12);
  assert.deepEqual(await spool.pauses(), [
    { from: 1, to: 3 },
    { from: 5, to: 9 },
    { from: 11, to: null },
    { from: 12, to: null },
  ]);
});
