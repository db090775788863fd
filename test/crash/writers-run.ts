/**
 * Many processes write to one home and project while two read from it.
 *
 * Writers also remember the same things at the same time, so a store that checks before it
 * locks would keep some twice.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChild } from "../child.ts";
import { soundMemories } from "./sound-file.ts";

const READERS = 2;
/** What all writers remember. */
export const COMMON = 20;

export interface Outcome {
  memories: number;
  distinct: number;
  expected: number;
  stored: number;
  duplicate: number;
  reads: number[];
}

export async function runWriters(writers: number, own: number): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "stele-writers-"));
  const [home, project, stop] = [join(folder, "home"), join(folder, "project"), join(folder, "stop")];
  mkdirSync(project);
  try {
    const readers = startAll("read-memories", READERS, () => [home, project, stop]);
    const writing = startAll("write-memories", writers, (writer) => [home, project, writer, own, COMMON]);
    const written = await Promise.all(writing).finally(() => writeFileSync(stop, ""));
    const reads = (await Promise.all(readers)).map(Number);
    const answers = written.map((output) => JSON.parse(output) as { stored?: number; duplicate?: number });
    const sum = (name: "stored" | "duplicate") => answers.reduce((total, answer) => total + (answer[name] ?? 0), 0);
    const spaces = readdirSync(join(home, "spaces")).filter((name) => name.endsWith(".db"));
    assert.equal(spaces.length, 1, "all of them found the same space");
    const memories = soundMemories(join(home, "spaces", spaces[0]!));
    return {
      memories: memories.length,
      distinct: new Set(memories.map(({ hash }) => hash)).size,
      expected: writers * own + COMMON,
      stored: sum("stored"),
      duplicate: sum("duplicate"),
      reads,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The outputs of `count` processes, each of which must end well and say nothing on stderr. */
function startAll(fixture: string, count: number, args: (number: number) => (string | number)[]): Promise<string>[] {
  const script = new URL(`fixtures/${fixture}.ts`, import.meta.url);
  return Array.from({ length: count }, async (_, number) => {
    const { code, output, errors } = await runChild(script, args(number));
    assert.deepEqual([code, errors], [0, ""], `${fixture} ${number}`);
    return output;
  });
}
