/** Runs a process command, or shows its help; a failure is printed and becomes its exit code. */
import { toFailure } from "../errors.ts";
import type { ProcessCommand } from "./commands.ts";
import { type Io, terminal } from "./terminal.ts";

export async function runProcess(
  command: ProcessCommand,
  run: (argv: readonly string[], io: Io) => Promise<number>,
  argv: readonly string[],
  io: Io,
): Promise<number> {
  const screen = terminal(io, { json: false });
  try {
    if (!argv.includes("--help") && !argv.includes("-h")) return await run(argv, io);
    const { commandHelp } = await import("./help.ts");
    await screen.text(commandHelp(command));
    return 0;
  } catch (thrown) {
    return await screen.failure(toFailure(thrown));
  }
}
