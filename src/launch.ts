/** The start of the program from its sources: setup that must precede loading anything large. */
import { enableCompileCache } from "node:module";
import { compiledFolder } from "./app/compiled-folder.ts";
import { holdBackMemory } from "./app/heap.ts";
import type { ContextRequest } from "./briefing/hook-answer.ts";
import { isServer } from "./server-commands.ts";

/** Leaves what a host reports in the spool. */
export async function launchHook(argv: readonly string[]): Promise<number> {
  return (await import("./hook.ts")).main(argv, launchContext);
}

/** Lets a hook hand memory to its session. */
async function launchContext(request: ContextRequest): Promise<number> {
  cacheCompiled();
  return (await import("./hook-context.ts")).main(request);
}

/** Node makes a folder for each of its versions, which others could list. */
function cacheCompiled(): void {
  const folder = compiledFolder();
  if (folder === null) return;
  const umask = process.umask(0o077);
  enableCompileCache(folder);
  process.umask(umask);
}

/** Runs the command line and returns its exit code. */
export async function launch(argv: readonly string[]): Promise<number> {
  cacheCompiled();
  const [command = ""] = argv;
  if (!isServer(command)) return (await import("./main.ts")).main(argv);
  await holdBackMemory();
  return (await import("./servers.ts")).main(argv);
}
