/**
 * The start of the built program.
 *
 * What V8 compiled while a command ran is kept for the next run of the same command. Node's own cache keeps only what
 * was compiled while files were loaded, and a command would spend a third of its time on compiling the rest again.
 * What is kept belongs to one build and one version of Node, and is read only as it was written.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { compiledFolder } from "./app/compiled-folder.ts";
import { holdBackMemory } from "./app/hold-back-memory.ts";
import { keepCompiled, readCompiled } from "./providers/files/compiled-code.ts";

/** A hash of what was built. V8 itself would take any text of the same length for the same. */
declare const BUILD: string;

/** Commands use different parts of the program. There are more names than commands, so few share a file. */
const FILES = 64;

interface Program {
  main(argv: readonly string[]): Promise<number>;
}

/** Runs the command line and gives its exit code. */
export async function launch(argv: readonly string[]): Promise<number> {
  const [command = ""] = argv;
  const isServer = command === "mcp";
  if (isServer) await holdBackMemory();
  const path = join(dirname(fileURLToPath(import.meta.url)), isServer ? "mcp.js" : "main.js");
  const folder = compiledFolder();
  const kept =
    folder === null ? null : join(folder, `${BUILD}-${process.version}-${process.arch}-${numberOf(command)}`);
  const cachedData = kept === null ? undefined : readCompiled(kept);
  // The text is ASCII, and one byte a letter is read in a fifth of the time.
  const text = `(function(exports,require,module,__filename,__dirname){${readFileSync(path, "latin1")}\n})`;
  const script = new Script(text, { filename: path, ...(cachedData && { cachedData }) });
  const code = await load(script, path).main(argv);
  const isNew = cachedData === undefined || script.cachedDataRejected;
  if (kept === null || !isNew || !isTypical(argv, code)) return code;
  // V8 takes back only what was made under the flags that it was compiled under.
  if (isServer) await holdBackMemory();
  keepCompiled(kept, script.createCachedData());
  return code;
}

/** A mistake, or a look at the help, uses little of what the command uses. */
const isTypical = (argv: readonly string[], code: number) =>
  code === 0 && !argv.some((word) => word === "--help" || word === "-h");

function load(script: Script, path: string): Program {
  const module = { exports: {} as Program };
  const run = script.runInThisContext() as (...parts: unknown[]) => void;
  run(module.exports, createRequire(path), module, path, dirname(path));
  return module.exports;
}

function numberOf(command: string): number {
  let sum = 0;
  for (let at = 0; at < command.length; at++) sum = (31 * sum + command.charCodeAt(at)) % FILES;
  return sum;
}
