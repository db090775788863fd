/**
 * Bundles the page of `stele serve`: one script, one style sheet, and the graph apart, which few visits need.
 *
 * Nothing in it comes from elsewhere, and no name in the code of the page reaches a package of the program.
 */
import { mkdirSync, copyFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Metafile, type OutputFile, type Plugin, build } from "esbuild";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const PAGE = "src/page";
/** The page; the drawing of its graph, which it imports when it is needed; and the worker that lays the graph out. */
const ENTRIES = ["page.ts", "page.css", "graph/canvas.ts", "graph/layout.ts"];
const COPIED = ["index.html", "icon.svg"];

/** Files of their own have fixed names, so that no file has to be loaded before another one is known. */
const apart: Plugin = {
  name: "what is imported on demand is a file of its own",
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path }) => {
      if (kind !== "dynamic-import") return undefined;
      return { path: `/${path.replace(/^(\.\.\/)+/, "").replace(/\.ts$/, ".js")}`, external: true };
    });
  },
};

/** Writes the files of the page into a folder and returns what went into them. */
export async function bundlePage(folder: string): Promise<Metafile> {
  const { metafile, outputFiles } = await build({
    entryPoints: ENTRIES.map((name) => `${PAGE}/${name}`),
    absWorkingDir: ROOT,
    plugins: [apart],
    outdir: folder,
    outbase: PAGE,
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    platform: "browser",
    target: ["chrome123", "firefox121", "safari17.5"],
    format: "esm",
    logLevel: "warning",
    legalComments: "none",
    charset: "utf8",
  });
  for (const { path, text } of outputFiles as OutputFile[]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  for (const name of COPIED) copyFileSync(join(ROOT, PAGE, name), join(folder, name));
  return metafile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundlePage(process.argv[2] ?? join(ROOT, "dist/page"));
