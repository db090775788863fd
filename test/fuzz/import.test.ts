/**
 * No file makes `import` misbehave: sources of other tools and exports are spoilt in ever new ways and imported.
 *
 * The calls of fuzz.test.ts seldom meet a file that suits the tool they name, so here each one does.
 */
import assert from "node:assert/strict";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import type { ForeignTool } from "../../src/transfer/importers/foreign-memory.ts";
import { inLane, seed } from "../lane.ts";
import { source, sourcePath } from "../transfer/importers/given-source.ts";
import { catalog } from "../whole-catalog.ts";
import type { Call, Host } from "./host.ts";
import { libraryHost } from "./hosts/library.ts";
import { describeCall, judge } from "./judge.ts";
import { mixed } from "./lane.ts";
import { assertSound } from "./sound.ts";
import { spoil } from "./spoil.ts";
import { storesIn, watch } from "./watch.ts";

const IMPORTS = inLane({ fast: 20, long: 300, soak: 3_000 });

interface Source {
  from?: ForeignTool;
  /** As its tool wrote it. */
  file: string;
  /** Where a spoilt copy takes its place; it is among other files if the whole folder is read. */
  copy: string;
  path: string;
}

const TEXTS: [ForeignTool, string][] = [
  ["server-memory", "server-memory.jsonl"],
  ["agentmemory", "agentmemory-standalone.json"],
  ["agentmemory", "agentmemory-export.json"],
  ["mem0", "mem0.json"],
  ["markdown", "CLAUDE.md"],
];
const DATABASES: [ForeignTool, string][] = [
  ["claude-mem", "claude-mem.sql"],
  ["mcp-memory-service", "mcp-memory-service.sql"],
];

function makeDatabase(path: string, sql: string): void {
  const db = new Sqlite(path);
  db.exec(`begin; ${sql} commit;`);
  db.close();
}

/** A value in the middle of a document is reached only where the document is one line. */
const onOneLine = (name: string, text: string): string =>
  name.endsWith(".json") ? JSON.stringify(JSON.parse(text)) : text;

function sourcesIn(folder: string): Source[] {
  const whole = join(folder, "whole");
  const notes = join(folder, "notes");
  mkdirSync(whole);
  cpSync(sourcePath("basic-memory"), notes, { recursive: true });
  const note = "search-index.md";
  writeFileSync(join(whole, note), source(join("basic-memory", note)));
  for (const [, name] of TEXTS) writeFileSync(join(whole, name), onOneLine(name, source(name)));
  for (const [, name] of DATABASES) makeDatabase(join(whole, name), source(name));
  const [copy, path] = [join(notes, note), notes];
  return [
    ...[...TEXTS, ...DATABASES].map(([from, name]) => sourceOf(join(whole, name), from)),
    { from: "basic-memory", file: join(whole, note), copy, path },
  ];
}

function sourceOf(file: string, from?: ForeignTool): Source {
  const copy = join(dirname(dirname(file)), basename(file));
  return { ...(from && { from }), file, copy, path: copy };
}

/** Three memories, one of them changed, as a file that is newer in part than what is here afterwards. */
async function exported(host: Host, folder: string): Promise<Source> {
  const file = join(folder, "whole", "export.jsonl");
  const does = async (name: string, input: unknown) => {
    const { answer, failure } = await host.call(callOf(input, false, name));
    assert.equal(failure, null, name);
    return answer as { id: string; call: string };
  };
  const { id } = await does("remember", { content: "The port is 8080" });
  await does("remember", { content: "The queue is drained at night" });
  const { call } = await does("update", { id, content: "The port is 9090" });
  await does("export", { path: file });
  await does("rollback", { call });
  return sourceOf(file);
}

const STYLE = { json: true, inline: false, positional: true, ownProcess: false, rubbish: "" } as const;
const callOf = (input: unknown, dryRun = false, name = "import"): Call => ({
  op: catalog.find((op) => op.name === name)!,
  input,
  style: { ...STYLE, dryRun, person: "yes" },
});

/** The first round takes the files as they are. */
function layOut({ file, copy }: Source, number: number, isWhole: boolean): void {
  if (isWhole) copyFileSync(file, copy);
  else renameSync(spoil(file, mixed(seed, number))!, copy);
}

test(`${IMPORTS} imports of spoilt files are done or refused as a whole`, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "stele-imports-"));
  const [home, work, files] = ["home", "work", "files"].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [home, work, files]) mkdirSync(path);
  const counts = new Map<string, number>();
  const host = await libraryHost(home, work);
  try {
    const foreign = sourcesIn(files);
    const sources = [await exported(host, files), ...foreign];
    const seen = watch(home);
    for (let number = 0; number < IMPORTS + sources.length; number += 1) {
      const one = sources[number % sources.length]!;
      const isWhole = number < sources.length;
      layOut(one, number, isWhole);
      const { from, path } = one;
      const call = callOf({ path, ...(from ? { from, sourceProject: "*" } : { replace: ["all"] }) }, number % 10 === 9);
      const before = seen.state();
      const outcome = await host.call(call);
      const complaints = judge(call, outcome, seen.state() === before);
      assert.deepEqual(complaints, [], `seed ${seed}, import ${number}: ${describeCall(call)}`);
      if (isWhole) assert.equal(outcome.failure, null, `${path} as its tool wrote it`);
      const name = `${basename(one.file)} ${outcome.failure ? "refused" : "imported"}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    seen.close();
  } finally {
    await host.close();
  }
  for (const path of storesIn(home)) await assertSound(path);
  rmSync(folder, { recursive: true, force: true });
  context.diagnostic([...counts].map(([name, count]) => `${name}: ${count}`).join(", "));
});
