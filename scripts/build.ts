/**
 * Builds `dist/`, which the published package runs: the program in one file, the small ones beside it, types, migrations and tables.
 *
 * Node also runs the sources of a checkout, but loading three hundred modules takes longer than most commands; there
 * the build is used as long as it matches the sources. The folder is emptied first, so that a file removed from `src/`
 * cannot survive in a release.
 */
import { spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Metafile } from "esbuild";
import { RECORD, describeSources } from "../bin/program.js";
import { type Bundle, bundle } from "./bundle.ts";
import { bundlePage } from "./bundle-page.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const DIST = `${ROOT}dist/`;
/** The program, the hooks that only record, and the threads and processes that are located by path. */
const ENTRIES = [
  "program.ts",
  "servers.ts",
  "hook.ts",
  "embed/minilm/worker.ts",
  "encryption/keyring-process.ts",
  "files/parse/worker.ts",
  "files/disk/regex-worker.ts",
  "files/git/worker.ts",
  "store/sqlite/file-worker.ts",
];
/** Built last: it identifies what it launches by a hash. */
const LAUNCHER = "launch-built.ts";
/** Files that the program locates by path and no bundle contains. */
const COPIED = [
  "store/migrations",
  "store/postgres/migrations",
  "store/vectors/token-vectors.bin",
  "embed/minilm/vocabulary.bin",
];

const PAGE = "page";

/** The packages in the bundles, with their licence texts. */
function licences(metafiles: readonly Metafile[]): string {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const folders = inputs.flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${ROOT}${folder}/package.json`, "utf8")) as {
      [key in "name" | "version" | "license"]: string;
    };
    const file = readdirSync(ROOT + folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? "" : `\n\n${readFileSync(`${ROOT}${folder}/${file}`, "utf8").trim()}`;
    return `${name} ${version} (${license})${text}`;
  });
  return `These packages are part of the files in this folder.\n\n${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

const scriptOf = (name: string) => name.replace(/\.ts$/, ".js");

function buildName(): string {
  const texts = ["program.js", "servers.js", "hook.js"].map((name) => readFileSync(DIST + name));
  return hash("sha256", Buffer.concat(texts), "hex").slice(0, 16);
}

/** Writes a bundle, and returns what went into it. */
async function write(file: string, bundled: Promise<Bundle>): Promise<Metafile> {
  const { text, metafile } = await bundled;
  mkdirSync(dirname(DIST + file), { recursive: true });
  writeFileSync(DIST + file, text);
  return metafile;
}

function declareTypes(): void {
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
const sources = describeSources(ROOT);
declareTypes();
const written = [...ENTRIES.map((name) => write(scriptOf(name), bundle(name))), bundlePage(`${DIST}${PAGE}`)];
writeFileSync(`${DIST}LICENSES.txt`, licences(await Promise.all(written)));
await write(scriptOf(LAUNCHER), bundle(LAUNCHER, { BUILD: JSON.stringify(buildName()) }));
writeFileSync(`${DIST}package.json`, '{ "type": "commonjs" }\n');
for (const path of COPIED) cpSync(`${ROOT}src/${path}`, DIST + path, { recursive: true });
const expected = [...[LAUNCHER, ...ENTRIES].map(scriptOf), "index.d.ts", `${PAGE}/page.js`, ...COPIED];
const missing = expected.filter((file) => !existsSync(DIST + file));
if (missing.length > 0) throw new Error(`dist/ lacks ${missing.join(", ")}.`);
// Written last: only a complete build is ever run in place of the sources.
writeFileSync(ROOT + RECORD, sources);
