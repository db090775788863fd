/** Runs a verb of the catalog. */
import { config as configureSchemas } from "zod";
import { readSurroundings } from "../../app/environment.ts";
import { catalog } from "../../catalog/catalog.ts";
import { runCli } from "../run.ts";
import { interruption, type Io } from "../terminal.ts";

/** Loaded only if a passphrase is needed that nobody has given yet. */
const askedAt =
  (io: Io, attended: boolean) =>
  async (prompt?: string): Promise<string | null> => {
    const { passphraseAt } = await import("../prompt.ts");
    return (await passphraseAt(io, attended)?.(prompt)) ?? null;
  };

export async function run(argv: readonly string[], io: Io): Promise<number> {
  // Compiling a validator takes longer than the one call it would serve.
  configureSchemas({ jitless: true });
  const { attended, isDumb, isColourForced, editor } = readSurroundings();
  const { interrupted, ignoredDuring } = interruption(process);
  return runCli(argv, {
    catalog,
    io,
    attended,
    interrupted,
    terminal: { isDumb, isColourForced },
    edit: async (text) => {
      const { editText } = await import("../edit-text.ts");
      return ignoredDuring(() => editText(text, editor));
    },
    // A mistake or a look at the help needs no world.
    open: async (options) => {
      const { openWorld } = await import("../../app/compose.ts");
      return openWorld({ host: "cli", askPassphrase: askedAt(io, attended), ...options });
    },
  });
}
