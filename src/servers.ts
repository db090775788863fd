/** The program of the commands that serve: no other command reads its code. */
import { PROCESS_COMMANDS } from "./cli/commands.ts";
import { runProcess } from "./cli/process.ts";
import type { Io } from "./cli/terminal.ts";
import type { ServerCommand } from "./server-commands.ts";

type Command = (argv: readonly string[], io: Io) => Promise<number>;

const COMMANDS: Record<ServerCommand, Command> = {
  mcp: async (argv) => (await import("./cli/commands/mcp.ts")).run(argv),
  serve: async (...call) => (await import("./cli/commands/serve.ts")).run(...call),
  open: async (...call) => (await import("./cli/commands/open.ts")).run(...call),
  demo: async (...call) => (await import("./cli/commands/demo.ts")).run(...call),
};

/** Serves until it is stopped and returns the exit code. */
export async function main([name, ...argv]: readonly string[], io: Io = process): Promise<number> {
  const command = PROCESS_COMMANDS.find((candidate) => candidate.name === name)!;
  return runProcess(command, COMMANDS[name as ServerCommand], argv, io);
}
