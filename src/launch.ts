/** The start of the program from its sources: setup that must precede loading anything large. */
import { enableCompileCache } from "node:module";
import { compiledFolder } from "./app/compiled-folder.ts";
import { holdBackMemory } from "./app/hold-back-memory.ts";
import type { ContextRequest } from "./model/context/context-request.ts";
import { serverEntry } from "./own-programs.ts";

/** Leaves what a host reports in the spool. */
export async function launchHook(argv: readonly string[]): Promise<number> {
  return (await import("./hook.ts")).main(argv, launchContext);
}

/** Lets a hook hand memory to its session. */
async function launchContext(request: ContextRequest): Promise<number> {
  const folder = compiledFolder();
  if (folder !== null) enableCompileCache(folder);
  return (await import("./hook-context.ts")).main(request);
}

/** Runs the command line and returns its exit code. */
export async function launch(argv: readonly string[]): Promise<number> {
  const folder = compiledFolder();
  if (folder !== null) enableCompileCache(folder);
  const [command = ""] = argv;
  const server = serverEntry(command);
  if (server !== null) await holdBackMemory();
  if (server === "mcp") return (await import("./mcp.ts")).main(argv);
  if (server === "serve") return (await import("./serve.ts")).main(argv);
  return (await import("./main.ts")).main(argv);
}
