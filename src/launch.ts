/** The start of the program from its sources: setup that must precede loading anything large. */
import { enableCompileCache } from "node:module";
import { compiledFolder } from "./app/compiled-folder.ts";
import { holdBackMemory } from "./app/hold-back-memory.ts";
import type { ContextRequest } from "./model/context/context-request.ts";

/** Lets a hook hand memory to its session. */
export async function launchContext(request: ContextRequest): Promise<number> {
  const folder = compiledFolder();
  if (folder !== null) enableCompileCache(folder);
  return (await import("./hook-context.ts")).main(request);
}

/** Runs the command line and returns its exit code. */
export async function launch(argv: readonly string[]): Promise<number> {
  const folder = compiledFolder();
  if (folder !== null) enableCompileCache(folder);
  const isServer = argv[0] === "mcp";
  if (isServer) await holdBackMemory();
  const { main } = isServer ? await import("./mcp.ts") : await import("./main.ts");
  return main(argv);
}
