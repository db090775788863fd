/** `stele completion`: the scripts of shells, and what they ask for. */
import { config as configureSchemas } from "zod";
import { runCompletion } from "../hosts/cli/completion/run-completion.ts";
import type { Io } from "../hosts/cli/terminal.ts";
import { catalog } from "../operations/catalog.ts";

export async function run(argv: readonly string[], io: Io): Promise<number> {
  // Compiling a validator takes longer than the one call it would serve.
  configureSchemas({ jitless: true });
  return runCompletion(argv, {
    ...{ io, catalog },
    open: async (options) => (await import("../app/compose.ts")).openWorld({ host: "cli", ...options }),
  });
}
