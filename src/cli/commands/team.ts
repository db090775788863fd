/** `stele team`, with the server and the stores it works on. */
import { readSurroundings } from "../../app/environment.ts";
import { openTeam } from "../../team/compose-team.ts";
import { passphraseAt } from "../prompt.ts";
import { runTeam } from "../team.ts";
import type { Io } from "../terminal.ts";

export async function run(argv: readonly string[], io: Io): Promise<number> {
  const { attended } = readSurroundings();
  const askPassphrase = passphraseAt(io, attended);
  return runTeam(argv, { io, attended, open: (options) => openTeam({ ...options, askPassphrase }) });
}
