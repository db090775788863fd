/** `stele doctor`, with the parts of the program that it examines. */
import { openDoctor } from "../app/compose-doctor.ts";
import { readSurroundings } from "../app/environment.ts";
import { passphraseAt } from "../hosts/cli/person/hidden-line.ts";
import { runDoctor } from "../hosts/cli/doctor.ts";
import type { Io } from "../hosts/cli/terminal.ts";

export async function run(argv: readonly string[], io: Io): Promise<number> {
  const { attended } = readSurroundings();
  return runDoctor(argv, {
    io,
    attended,
    open: (options) => openDoctor({ ...options, askPassphrase: passphraseAt(io, attended) }),
  });
}
