/**
 * Builds `dist/`, what the published package runs: JavaScript, types, the migrations and the token table.
 *
 * A checkout never needs it, because Node runs the sources. The folder is emptied first,
 * so that a file that has gone from `src/` cannot survive in a release.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const DIST = `${ROOT}dist/`;
/** What the package promises: the program, the library, its types, and the worker that is found by its path. */
const PROMISED = [
  "launch.js",
  "main.js",
  "index.js",
  "index.d.ts",
  "providers/minilm/worker.js",
  "providers/parse/worker.js",
  "providers/regex-worker.js",
  "store/sqlite/file-worker.js",
  "store/migrations/001-core.sql",
  "store/kernel/token-vectors.bin",
];
/** What the program finds by its path and the compiler passes over. */
const COPIED = ["store/migrations", "store/kernel/token-vectors.bin"];

function compile(): void {
  const { bin } = JSON.parse(readFileSync(`${ROOT}node_modules/typescript/package.json`, "utf8")) as {
    bin: { tsc: string };
  };
  const compiler = `${ROOT}node_modules/typescript/${bin.tsc}`;
  const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], {
    cwd: ROOT,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("The compiler found errors.");
}

rmSync(DIST, { recursive: true, force: true });
compile();
for (const path of COPIED) cpSync(`${ROOT}src/${path}`, DIST + path, { recursive: true });
const missing = PROMISED.filter((file) => !existsSync(DIST + file));
if (missing.length > 0) throw new Error(`dist/ lacks ${missing.join(", ")}.`);
