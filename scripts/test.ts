/**
 * Runs all tests, or those that are named: `npm test [-- files]`.
 *
 * Rules are pure and share one process; everything else gets a process a file. Compiled code is
 * kept between processes, because most of them load the same sources and do little else.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const RULES = ["test/logic/*.test.ts", "test/model/*.test.ts"];
const FILES_AT_ONCE = 2;

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
const rules = named.length > 0 ? [] : globSync(RULES, { cwd: ROOT });
const others =
  named.length > 0 ? named : globSync("test/**/*.test.ts", { cwd: ROOT }).filter((file) => !rules.includes(file));

const pure = rules.length > 0 ? start(["--test-isolation=none"], rules) : null;
const rest = start([`--test-concurrency=${FILES_AT_ONCE}`], others.toSorted());
rest.output.pipe(process.stdout, { end: false });
const said = pure ? await buffer(pure.output) : Buffer.alloc(0);
const codes = [await rest.code, (await pure?.code) ?? 0];
process.stdout.write(said);
process.exitCode = Math.max(...codes);
