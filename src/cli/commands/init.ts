/** `stele init`, with the files of the hosts it connects. */
import { openConnector } from "../../app/compose-init.ts";
import { readSurroundings } from "../../app/environment.ts";
import { runInit } from "../init.ts";
import type { Io } from "../terminal.ts";

export async function run(argv: readonly string[], io: Io): Promise<number> {
  const { attended } = readSurroundings();
  return runInit(argv, { io, attended, open: openConnector });
}
