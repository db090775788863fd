/**
 * The HTTP server as a program: `stele serve`, and `stele open`, which serves if nobody does.
 *
 * A separate entry, because no other command needs its code.
 */
import { run as open } from "./commands/open.ts";
import { run as serve } from "./commands/serve.ts";
import { PROCESS_COMMANDS } from "./hosts/cli/commands.ts";
import { runProcess } from "./hosts/cli/process.ts";
import type { Io } from "./hosts/cli/terminal.ts";

/** Serves until it is stopped and returns the exit code. */
export async function main([name, ...argv]: readonly string[], io: Io = process): Promise<number> {
  const command = PROCESS_COMMANDS.find((candidate) => candidate.name === name)!;
  return runProcess(command, name === "open" ? open : serve, argv, io);
}
