/**
 * Runs all tests, or those that are named: `npm test [-- files]`.
 *
 * Files share a process, because the start of one costs more than most tests: none leaves anything behind for another.
 * Compiled code is kept between processes, because most of them load the same sources and do little else.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Run side by side, about as long as each other; the last takes what the others leave, and starts most processes. */
const LANES = [
  ["logic", "model", "engine", "operations", "bench"].map((folder) => `test/${folder}/*.test.ts`),
  ["test/store/**/*.test.ts", "test/providers/**/*.test.ts"],
  ["test/**/*.test.ts"],
];
/** Grammars are large, used for a moment here, and not worth a compiler that optimises them. */
const OPTIONS = ["--liftoff-only", "--test", "--test-isolation=none", "--test-reporter=./scripts/test-reporter.ts"];

function start(files: readonly string[]) {
  const child = spawn(process.execPath, [...OPTIONS, ...files], {
    cwd: ROOT,
    env: { ...process.env, NODE_COMPILE_CACHE: `${ROOT}node_modules/.cache/compiled` },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { output: child.stdout, code: once(child, "close").then(([code]) => (code as number | null) ?? 1) };
}

const named = process.argv.slice(2);
const lanes = named.length > 0 ? [named] : LANES;
const taken = new Set<string>();
const runs = lanes.map((files) => {
  const own = globSync(files, { cwd: ROOT }).filter((file) => !taken.has(file));
  for (const file of own) taken.add(file);
  return start(own);
});
const last = runs.at(-1)!;
last.output.pipe(process.stdout, { end: false });
const others = await Promise.all(runs.slice(0, -1).map(({ output }) => buffer(output)));
const codes = await Promise.all(runs.map(({ code }) => code));
for (const said of others) process.stdout.write(said);
process.exitCode = Math.max(...codes);
