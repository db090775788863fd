/** `stele doctor`, with the parts of the program that it examines. */
import { openDoctor } from "../../app/compose-doctor.ts";
import { readSurroundings } from "../../app/environment.ts";
import { runDoctor } from "../doctor.ts";
import { passphraseAt } from "../prompt.ts";
import type { Io } from "../terminal.ts";

export async function run(argv: readonly string[], io: Io): Promise<number> {
  const { attended } = readSurroundings();
  return runDoctor(argv, {
    io,
    attended,
    open: (options) => openDoctor({ ...options, askPassphrase: passphraseAt(io, attended) }),
  });
}
