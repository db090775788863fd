/**
 * The program: runs one process command or one verb.
 *
 * Heavy parts (stores, models, the MCP library, the demo) are loaded only by the command
 * that needs them. It never ends the process; it returns the exit code to its caller.
 */
import { packageVersion } from "./app/version.ts";
import { PROCESS_COMMANDS } from "./cli/commands.ts";
import { directOutput } from "./cli/output.ts";
import { runProcess } from "./cli/process.ts";
import { type Io, terminal } from "./cli/terminal.ts";
import { toFailure } from "./errors.ts";
import type { ServerCommand } from "./server-commands.ts";

/** The launcher starts servers as programs of their own, so that they need not load the command line. */
type CommandName = Exclude<(typeof PROCESS_COMMANDS)[number]["name"], ServerCommand>;

type Command = (argv: readonly string[], io: Io) => Promise<number>;

/** Each loads only its own code. */
const COMMANDS: Record<CommandName, Command> = {
  init: async (...call) => (await import("./cli/commands/init.ts")).run(...call),
  hook: async (argv) => (await import("./cli/commands/hook.ts")).run(argv),
  doctor: async (...call) => (await import("./cli/commands/doctor.ts")).run(...call),
  encrypt: async (...call) => (await import("./cli/commands/encrypt.ts")).encrypt(...call),
  decrypt: async (...call) => (await import("./cli/commands/encrypt.ts")).decrypt(...call),
  rekey: async (...call) => (await import("./cli/commands/encrypt.ts")).rekey(...call),
  unlock: async (...call) => (await import("./cli/commands/encrypt.ts")).unlock(...call),
  team: async (...call) => (await import("./cli/commands/team.ts")).run(...call),
  completion: async (...call) => (await import("./cli/commands/completion.ts")).run(...call),
};
const runVerb: Command = async (...call) => (await import("./cli/commands/verb.ts")).run(...call);

/** Setting up a stream takes time, so each is created on first use. */
const STANDARD: Io = {
  // A Windows console shows characters beyond ASCII only when they are written through a stream.
  stdout: process.platform === "win32" ? process.stdout : directOutput(1, () => process.stdout),
  get stderr() {
    return process.stderr;
  },
  get stdin() {
    return process.stdin;
  },
};

/** Runs the command line and returns its exit code. */
export async function main(argv: readonly string[], io: Io = STANDARD): Promise<number> {
  const screen = terminal(io, { json: false });
  try {
    const [word, ...rest] = argv;
    if (word === "--version" || word === "-v") {
      await screen.text(packageVersion());
      return 0;
    }
    const command = PROCESS_COMMANDS.find(({ name }) => name === word);
    if (command === undefined) return await runVerb(argv, io);
    return await runProcess(command, COMMANDS[command.name as CommandName], rest, io);
  } catch (thrown) {
    return await screen.failure(toFailure(thrown));
  }
}
