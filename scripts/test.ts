/**
 * Runs all tests, or those that are named: `npm test [-- files]`.
 *
 * What asks nothing of its process shares one; everything else gets a process a file, whose start costs more than most
 * tests. Compiled code is kept between processes, because most of them load the same sources and do little else.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Leave nothing behind for each other. */
const SHARING = ["logic", "model", "engine", "operations", "bench"].map((folder) => `test/${folder}/*.test.ts`);
/** Run side by side. A runner takes its files by name, so one list would end with its longest on one core alone. */
const LANES = [
  { files: SHARING, options: ["--test-isolation=none"] },
  { files: ["test/store/**/*.test.ts"], options: ["--test-concurrency=1"] },
  { files: ["test/**/*.test.ts"], options: ["--test-concurrency=2"] },
];

function start(options: readonly string[], files: readonly string[]) {
  const reporter = "--test-reporter=./scripts/test-reporter.ts";
  const child = spawn(process.execPath, ["--test", reporter, ...options, ...files], {
    cwd: ROOT,
    env: { ...process.env, NODE_COMPILE_CACHE: `${ROOT}node_modules/.cache/compiled` },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { output: child.stdout, code: once(child, "close").then(([code]) => (code as number | null) ?? 1) };
}

const named = process.argv.slice(2);
const lanes = named.length > 0 ? [{ files: named, options: [] }] : LANES;
const taken = new Set<string>();
const runs = lanes.map(({ files, options }) => {
  const own = globSync(files, { cwd: ROOT }).filter((file) => !taken.has(file));
  for (const file of own) taken.add(file);
  return start(options, own);
});
const last = runs.at(-1)!;
last.output.pipe(process.stdout, { end: false });
const others = await Promise.all(runs.slice(0, -1).map(({ output }) => buffer(output)));
const codes = await Promise.all(runs.map(({ code }) => code));
for (const said of others) process.stdout.write(said);
process.exitCode = Math.max(...codes);
