/** A process that digests reports may die at any moment: nothing is lost, and nothing is taken in twice. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { spoolFolder } from "../../src/sessions/inbox-writer.ts";
import type { Spooled } from "../../src/sessions/session.ts";
import { runChild, startChild } from "../child.ts";
import { inLane } from "../lane.ts";
import { until } from "../until.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "stele-kill-digest-")));
after(() => rmSync(folder, { recursive: true, force: true }));

const script = new URL("fixtures/digest-reports.ts", import.meta.url);
const SESSIONS = inLane({ fast: 3, long: 20, soak: 300 });
/**
 * A process lives until so many more reports have left the spool, three of which are a session, and some moments more.
 * By the clock alone, it would die on a busy machine before it has begun.
 */
const TAKEN_REPORTS = [0, 1, 3, 4];
const LONGEST_MOMENTS_MS = 30;

function reportsOf(session: number): Spooled[] {
  const at = Date.UTC(2026, 0, 15) + session * 3_600_000;
  const report = (number: number, event: Spooled["event"], text: string): Spooled => ({
    id: (session * 16 + number).toString(16).padStart(32, "0"),
    event,
    host: "gemini",
    session: `s${session}`,
    turn: null,
    at: at + number,
    cwd: "/",
    transcript: null,
    tool: null,
    command: null,
    path: null,
    text,
  });
  const cause = `The root cause of fault ${session} is that worker ${session} of the queue ${"x".repeat(session)} never ends.`;
  return [
    report(1, "prompt", `Why does job ${session} fail?`),
    report(2, "turn_end", cause),
    report(3, "session_end", "exit"),
  ];
}

/** A home whose spool holds all reports. */
function filled(name: string): Filled {
  const [home, project] = [join(folder, name, "home"), join(folder, name, "project")];
  const spool = spoolFolder(home, project);
  for (const path of [project, spool]) mkdirSync(path, { recursive: true, mode: 0o700 });
  for (let session = 1; session <= SESSIONS; session += 1)
    for (const one of reportsOf(session))
      writeFileSync(join(spool, `${one.id}.json`), JSON.stringify(one), { mode: 0o600 });
  return { home, project, spool };
}

const left = (spool: string) => readdirSync(spool).filter((name) => name.endsWith(".json")).length;

function storeIn(home: string): Sqlite.Database {
  const spaces = join(home, "spaces");
  return new Sqlite(join(spaces, readdirSync(spaces).find((name) => name.endsWith(".db"))!));
}

/** The lease of a dead process expires by itself after some seconds, for which nobody waits here. */
function endLeases(home: string): void {
  const db = storeIn(home);
  db.exec("delete from lease");
  db.close();
}

function contentsOf(home: string): Record<"memory" | "evidence" | "event" | "card", string[]> {
  const db = storeIn(home);
  const texts = (sql: string) => db.prepare<[], string>(sql).pluck().all();
  const found = {
    memory: texts("select summary from memory_item order by 1"),
    evidence: texts("select hash from evidence_item order by 1"),
    event: texts("select id from event order by 1"),
    card: texts("select turns || card || notes from session_card order by session"),
  };
  db.close();
  return found;
}

interface Filled {
  home: string;
  project: string;
  spool: string;
}

async function digestAll({ home, project }: Filled): Promise<void> {
  assert.equal((await runChild(script, [home, project])).output, "begins\nends\n");
}

/** Kills one that digests, some moments after so many reports have left the spool. */
async function oneLife({ home, project, spool }: Filled, taken: number): Promise<void> {
  const enough = Math.max(0, left(spool) - taken);
  await using child = startChild(script, [home, project]);
  await child.spoke();
  await until(() => left(spool) <= enough || child.process.exitCode !== null);
  await sleep(Math.random() * LONGEST_MOMENTS_MS);
  child.kill();
  assert.equal((await child.ended).errors, "");
  endLeases(home);
}

test("reports digested by processes that are killed are taken in once, as if nobody had died", async () => {
  const whole = filled("whole");
  await digestAll(whole);
  const expected = contentsOf(whole.home);
  assert.deepEqual([expected.event.length, expected.card.length], [SESSIONS * 3, SESSIONS]);
  const killed = filled("killed");
  for (let round = 0; left(killed.spool) > 0; round += 1)
    await oneLife(killed, TAKEN_REPORTS[round % TAKEN_REPORTS.length]!);
  await digestAll(killed);
  assert.equal(left(killed.spool), 0);
  assert.deepEqual(contentsOf(killed.home), expected);
});
