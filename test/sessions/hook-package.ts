/** The hook as it is installed, with its own data folder and a project; and what it has spooled there. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundle } from "../../scripts/bundle.ts";
import { spoolFolder } from "../../src/sessions/inbox-writer.ts";
import { createSpool } from "../../src/sessions/inbox.ts";
import type { Spooled } from "../../src/sessions/session.ts";
import { type ChildOptions, type Ended, runChild } from "../child.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const top = realpathSync(mkdtempSync(join(tmpdir(), "stele-hook-")));
after(() => rmSync(top, { recursive: true, force: true }));

const script = join(top, "package", "bin", "stele.js");
cpSync(join(ROOT, "bin"), join(top, "package", "bin"), { recursive: true });
mkdirSync(join(top, "package", "dist"));
writeFileSync(join(top, "package", "package.json"), '{ "type": "module", "version": "0.0.0" }');
writeFileSync(join(top, "package", "dist", "package.json"), '{ "type": "commonjs" }');
const BUILD = { BUILD: JSON.stringify("test") };
for (const entry of ["hook", "program", "launch-built"])
  writeFileSync(join(top, "package", "dist", `${entry}.js`), (await bundle(`${entry}.ts`, BUILD)).text);
/** Files that the program locates by path. */
for (const path of ["store/migrations", "store/vectors/token-vectors.bin", "embed/minilm/vocabulary.bin"])
  cpSync(join(ROOT, "src", path), join(top, "package", "dist", path), { recursive: true });
symlinkSync(join(ROOT, "node_modules"), join(top, "package", "node_modules"));
export const HOOK = pathToFileURL(script);

export interface HookPlace {
  home: string;
  project: string;
  spool: string;
  run(argv: readonly string[], payload: unknown, options?: ChildOptions): Promise<Ended>;
  spooled(): Promise<Spooled[]>;
}

let places = 0;

export function hookPlace(): HookPlace {
  const folder = join(top, String((places += 1)));
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(home, { mode: 0o700 });
  const spool = spoolFolder(home, join(project, ".git"));
  return {
    home,
    project,
    spool,
    run: (argv, payload, { env, ...options } = {}) =>
      runChild(HOOK, ["hook", ...argv], {
        cwd: project,
        input: typeof payload === "string" ? payload : JSON.stringify(payload),
        env: { PATH: process.env["PATH"], STELE_HOME: home, ...env },
        ...options,
      }),
    async spooled() {
      const reader = createSpool(() => spool);
      const reports = await Promise.all((await reader.list(100_000)).map((name) => reader.read(name)));
      return reports.filter((report) => report !== null);
    },
  };
}

/** Does all of the work, so many at a time. */
export async function inParallel<T>(count: number, limit: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index);
  };
  await Promise.all(Array.from({ length: limit }, lane));
  return results;
}
