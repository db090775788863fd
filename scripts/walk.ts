/**
 * How far data travels through the source: `npm run walk`.
 *
 * Counts the files and folders whose functions one warm `remember`, `recall` and `extract` reach, and those of a whole
 * prompt hook. The fewer, the easier to follow. Functions without a name belong to the one around them.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { type Profiler, Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openLibrary } from "../src/library.ts";

const SOURCE = new URL("../src/", import.meta.url).href;
const LAUNCH = new URL("../src/launch.ts", import.meta.url).href;
/** What a call leaves to be done later does not belong to the next one. */
const REST_MS = 300;
const HOOK_MS = 20_000;

function reached(scripts: readonly Profiler.ScriptCoverage[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { url, functions } of scripts) {
    if (!url.startsWith(SOURCE)) continue;
    const called = functions.filter(({ functionName, ranges }) => functionName !== "" && ranges[0]!.count > 0);
    if (called.length > 0) found.set(url.slice(SOURCE.length), called.length);
  }
  return found;
}

function tell(walk: string, files: ReadonlyMap<string, number>): void {
  const functions = [...files.values()].reduce((sum, count) => sum + count, 0);
  const lines = [...files.keys()].reduce((sum, file) => sum + linesOf(file), 0);
  const figures = [functions, files.size, new Set([...files.keys()].map(dirname)).size, lines];
  console.log(walk.padEnd(12) + figures.map((figure) => String(figure).padStart(10)).join(""));
}

const linesOf = (file: string): number => readFileSync(new URL(file, SOURCE), "utf8").split("\n").length - 1;

async function library(folder: string, project: string): Promise<void> {
  const transcript = join(folder, "walk.jsonl");
  writeFileSync(transcript, conversation(project));
  const stele = await openLibrary({ home: join(folder, "home"), project });
  const session = new Session();
  session.connect();
  const walk = async (name: string, call: () => Promise<unknown>) => {
    await setTimeout(REST_MS);
    await session.post("Profiler.takePreciseCoverage");
    await call();
    tell(name, reached((await session.post("Profiler.takePreciseCoverage")).result));
  };
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await stele.remember!({ content: "The deploy key is kept in the vault of the operations team" });
  await stele.remember!({ content: "Staging runs on port 4300 behind the proxy" });
  await stele.recall!({ query: "deploy key" });
  await walk("remember", () =>
    stele.remember!({ content: "Refunds are booked by the night job within fourteen days" }),
  );
  await walk("recall", () => stele.recall!({ query: "who books refunds" }));
  await walk("extract", () => stele.extract!({ path: transcript, end: true }));
  session.disconnect();
  await stele.close();
}

function conversation(cwd: string): string {
  const said = [
    ["user", "Why does the nightly export fail?"],
    ["assistant", "The certificate of the gateway expired. Shall we keep the old gateway or move to the new one?"],
    ["user", "Let's move to the new one, the old one is going away."],
    ["assistant", "Moved to the new gateway. Still open: an alert before the certificate expires."],
  ] as const;
  const lines = said.map(([type, text], index) =>
    JSON.stringify({
      type,
      uuid: String(index),
      sessionId: "walk",
      cwd,
      timestamp: `2026-01-01T10:0${index}:00.000Z`,
      message: { role: type, content: type === "user" ? text : [{ type: "text", text }] },
    }),
  );
  return `${lines.join("\n")}\n`;
}

function promptHook(folder: string, project: string): void {
  const coverage = join(folder, "coverage");
  const script = `process.exitCode = await (await import(${JSON.stringify(LAUNCH)})).launchHook(["hook"])`;
  const { status } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    input: JSON.stringify({
      session_id: "next",
      prompt: "who books the refunds of the deploy key",
      cwd: project,
      hook_event_name: "UserPromptSubmit",
    }),
    env: {
      ...process.env,
      NODE_V8_COVERAGE: coverage,
      STELE_HOME: join(folder, "home"),
      STELE_CONTEXT_PROMPT_MS: String(HOOK_MS),
    },
    stdio: ["pipe", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`The hook ended with ${status}.`);
  const scripts = readdirSync(coverage).flatMap(
    (name) => (JSON.parse(readFileSync(join(coverage, name), "utf8")) as { result: Profiler.ScriptCoverage[] }).result,
  );
  tell("prompt hook", reached(scripts));
}

const folder = mkdtempSync(join(tmpdir(), "stele-walk-"));
try {
  const project = join(folder, "project");
  mkdirSync(project);
  console.log("walk".padEnd(12) + ["functions", "files", "folders", "lines"].map((name) => name.padStart(10)).join(""));
  await library(folder, project);
  promptHook(folder, project);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
