/**
 * The start of the built program.
 *
 * Code that V8 compiles while a command runs is cached for the next run of that command. Node's own cache keeps only
 * code compiled while files load, and a command would spend a third of its time compiling the rest again.
 * A cache file belongs to one build and one version of Node, and is used only if intact.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { compiledFolder } from "./app/compiled-folder.ts";
import { holdBackMemory } from "./app/heap.ts";
import { takeHome } from "./app/hook-settings.ts";
import type { ContextRequest } from "./briefing/hook-answer.ts";
import type * as Hook from "./hook.ts";
import { keepCompiled, readCompiled } from "./machine/compiled-code.ts";
import type * as Program from "./program.ts";
import { isServer } from "./server-commands.ts";
import type * as Servers from "./servers.ts";

/** A hash of the build. V8 itself compares only the length of the source. */
declare const BUILD: string;

/** The first run is unlike the others (it creates the data file), so code is gathered from several. */
const GATHERED_RUNS = 4;

/** Runs the command line and returns its exit code. */
export async function launch(argv: readonly string[]): Promise<number> {
  const [command = ""] = argv;
  const isWorthKeeping = !argv.some((word) => word === "--help" || word === "-h");
  if (!isServer(command))
    return run<typeof Program>({ file: "program.js", command, isWorthKeeping }, ({ main }) => main(argv));
  const started = { file: "servers.js", command, isWorthKeeping, prepare: holdBackMemory };
  return run<typeof Servers>(started, ({ main }) => main(argv));
}

/** Leaves what a host reports in the spool. */
export async function launchHook(argv: readonly string[]): Promise<number> {
  takeHome(argv);
  return run<typeof Hook>({ file: "hook.js", command: "hook" }, ({ main }) => main(argv, launchContext));
}

/** Lets a hook hand memory to its session. */
const launchContext = (request: ContextRequest): Promise<number> =>
  run<typeof Program>({ file: "program.js", command: `hook ${request.event}` }, ({ answerHook }) =>
    answerHook(request),
  );

const nothing = async () => undefined;

interface Started {
  file: string;
  /** What runs: compiled code is kept for each. */
  command: string;
  /** A help page runs too little of the command. */
  isWorthKeeping?: boolean;
  /** Sets V8 up: it accepts compiled code only under the flags it was made with. */
  prepare?(): Promise<unknown>;
}

async function run<Exports>(
  { file, command, isWorthKeeping = true, prepare = nothing }: Started,
  start: (program: Exports) => Promise<number>,
): Promise<number> {
  await prepare();
  const path = join(dirname(fileURLToPath(import.meta.url)), file);
  const folder = compiledFolder();
  const kept = folder === null ? null : join(folder, compiledName(`${file} ${command}`));
  const { script, runs } = compile(path, kept);
  const code = await start(load(script, path));
  // Nor does a failed call.
  if (kept === null || runs >= GATHERED_RUNS || code !== 0 || !isWorthKeeping) return code;
  await prepare();
  keepCompiled(kept, { data: script.createCachedData(), runs: runs + 1 });
  return code;
}

/** Each command uses other parts of the program. Words that people type are hashed: not all are names of files. */
function compiledName(started: string): string {
  let hash = 0;
  for (let at = 0; at < started.length; at++) hash = (Math.imul(31, hash) + started.charCodeAt(at)) | 0;
  return `${BUILD}-${process.version}-${process.arch}-${hash >>> 0}`;
}

/** The cached code is large and not needed while a server runs, so nothing outside refers to it. */
function compile(path: string, kept: string | null): { script: Script; runs: number } {
  const compiled = kept === null ? undefined : readCompiled(kept);
  // The text is ASCII, and reading it as latin1 takes a fifth of the time.
  const text = `(function(exports,require,module,__filename,__dirname){${readFileSync(path, "latin1")}\n})`;
  const script = new Script(text, { filename: path, ...(compiled && { cachedData: compiled.data }) });
  return { script, runs: compiled === undefined || script.cachedDataRejected ? 0 : compiled.runs };
}

function load<Exports>(script: Script, path: string): Exports {
  const module = { exports: {} as Exports };
  const run = script.runInThisContext() as (...parts: unknown[]) => void;
  run(module.exports, createRequire(path), module, path, dirname(path));
  return module.exports;
}
