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
import { holdBackMemory } from "./app/hold-back-memory.ts";
import { takeHome } from "./app/hook-flags.ts";
import type { ContextRequest } from "./model/context/context-request.ts";
import { compiledName, programOf, serverEntry } from "./own-programs.ts";
import { keepCompiled, readCompiled } from "./providers/files/compiled-code.ts";

/** A hash of the build. V8 itself compares only the length of the source. */
declare const BUILD: string;

/** The first run is unlike the others (it creates the data file), so code is gathered from several. */
const GATHERED_RUNS = 4;

interface Program<Call extends unknown[]> {
  main(...call: Call): Promise<number>;
}

/** Runs the command line and returns its exit code. */
export async function launch(argv: readonly string[]): Promise<number> {
  const [command = ""] = argv;
  const prepare = serverEntry(command) === null ? nothing : holdBackMemory;
  return run({ file: programOf(command), command, prepare, isHelp: asksForHelp(argv) }, [argv]);
}

/** Leaves what a host reports in the spool. */
export async function launchHook(argv: readonly string[]): Promise<number> {
  takeHome(argv);
  return run({ file: "hook.js", command: "hook", isHelp: false, prepare: nothing }, [argv, launchContext]);
}

/** Lets a hook hand memory to its session. */
async function launchContext(request: ContextRequest): Promise<number> {
  const started = { file: "hook-context.js", command: `hook ${request.event}`, isHelp: false };
  return run({ ...started, prepare: nothing }, [request]);
}

const nothing = async () => undefined;

interface Started {
  file: string;
  /** What runs: compiled code is kept for each. */
  command: string;
  isHelp: boolean;
  /** Sets V8 up: it accepts compiled code only under the flags it was made with. */
  prepare(): Promise<unknown>;
}

async function run<Call extends unknown[]>({ file, command, isHelp, prepare }: Started, call: Call): Promise<number> {
  await prepare();
  const path = join(dirname(fileURLToPath(import.meta.url)), file);
  const folder = compiledFolder();
  const name = `${BUILD}-${process.version}-${process.arch}-${compiledName(file, command)}`;
  const kept = folder === null ? null : join(folder, name);
  const { script, runs } = compile(path, kept);
  const code = await load<Call>(script, path).main(...call);
  // A failed call or a help page runs too little of the command to be worth caching.
  if (kept === null || runs >= GATHERED_RUNS || code !== 0 || isHelp) return code;
  await prepare();
  keepCompiled(kept, { data: script.createCachedData(), runs: runs + 1 });
  return code;
}

const asksForHelp = (argv: readonly string[]) => argv.some((word) => word === "--help" || word === "-h");

/** The cached code is large and not needed while a server runs, so nothing outside refers to it. */
function compile(path: string, kept: string | null): { script: Script; runs: number } {
  const compiled = kept === null ? undefined : readCompiled(kept);
  // The text is ASCII, and reading it as latin1 takes a fifth of the time.
  const text = `(function(exports,require,module,__filename,__dirname){${readFileSync(path, "latin1")}\n})`;
  const script = new Script(text, { filename: path, ...(compiled && { cachedData: compiled.data }) });
  return { script, runs: compiled === undefined || script.cachedDataRejected ? 0 : compiled.runs };
}

function load<Call extends unknown[]>(script: Script, path: string): Program<Call> {
  const module = { exports: {} as Program<Call> };
  const run = script.runInThisContext() as (...parts: unknown[]) => void;
  run(module.exports, createRequire(path), module, path, dirname(path));
  return module.exports;
}
