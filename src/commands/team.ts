/** `stele team`, with the server and the stores it works on. */
import { openTeam } from "../app/team/compose-team.ts";
import { readSurroundings } from "../app/environment.ts";
import { passphraseAt } from "../hosts/cli/person/hidden-line.ts";
import { runTeam } from "../hosts/cli/team/team.ts";
import type { Io } from "../hosts/cli/terminal.ts";

export async function run(argv: readonly string[], io: Io): Promise<number> {
  const { attended } = readSurroundings();
  const askPassphrase = passphraseAt(io, attended);
  return runTeam(argv, { io, attended, open: (options) => openTeam({ ...options, askPassphrase }) });
}
