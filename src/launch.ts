/**
 * The start of the program: what must be done before anything large is loaded.
 *
 * Compiled code is kept between runs, in a folder of the data folder that nobody else can write: whoever can put a
 * file there decides what we run.
 */
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { homeFolder } from "./environment.ts";
import { Failure } from "./errors.ts";
import { claimPrivateFolder } from "./providers/private-folder.ts";

/** Runs the command line and gives its exit code. */
export async function launch(argv: readonly string[]): Promise<number> {
  const folder = compiledFolder();
  if (folder !== null && claimPrivateFolder(folder)) enableCompileCache(folder);
  const { main } = argv[0] === "mcp" ? await importServer() : await import("./main.ts");
  return main(argv);
}

/** A server would keep for all its idle life the room that loading once needed, so the young heap does not grow meanwhile. */
async function importServer(): Promise<typeof import("./mcp.ts")> {
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--semi-space-growth-factor=1");
  return import("./mcp.ts");
}

function compiledFolder(): string | null {
  try {
    return join(homeFolder(), "compiled");
  } catch (thrown) {
    // A wrong STELE_HOME is reported by the command that needs it.
    if (thrown instanceof Failure) return null;
    throw thrown;
  }
}
