/** `stele completion`: the scripts of shells, and what they ask for. */
import { config as configureSchemas } from "zod";
import { catalog } from "../../catalog/catalog.ts";
import { runCompletion } from "../completion.ts";
import type { Io } from "../terminal.ts";

export async function run(argv: readonly string[], io: Io): Promise<number> {
  // Compiling a validator takes longer than the one call it would serve.
  configureSchemas({ jitless: true });
  return runCompletion(argv, {
    io,
    catalog,
    open: async (options) => (await import("../../app/compose.ts")).openWorld({ host: "cli", ...options }),
  });
}
