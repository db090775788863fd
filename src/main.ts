/**
 * The program: one process command or one verb, then the end.
 *
 * Whatever is heavy (stores, models, the MCP library, the demo) is loaded only by the
 * command that needs it. Ends nothing itself: it gives the exit code to its caller.
 */
import { config as configureSchemas } from "zod";
import { readSurroundings } from "./app/environment.ts";
import { toFailure } from "./errors.ts";
import { PROCESS_COMMANDS } from "./hosts/cli/commands.ts";
import { runProcess } from "./hosts/cli/process.ts";
import { directOutput } from "./hosts/cli/output.ts";
import { terminal, type Io } from "./hosts/cli/terminal.ts";
import { catalog } from "./operations/catalog.ts";
import { packageVersion } from "./app/version.ts";

/** The server is a program of its own, which its launcher starts: it need not hold what a command line holds. */
type CommandName = Exclude<(typeof PROCESS_COMMANDS)[number]["name"], "mcp">;

const COMMANDS: Record<CommandName, (argv: readonly string[], io: Io) => Promise<number>> = {
  doctor: runDoctor,
  demo: async () => (await import("./demo.ts")).runDemo(process),
};

/** Setting up a stream takes time, so each waits until it is used. */
const STANDARD: Io = {
  // A console of Windows shows letters beyond ASCII only when they come through a stream.
  stdout: process.platform === "win32" ? process.stdout : directOutput(1, () => process.stdout),
  get stderr() {
    return process.stderr;
  },
  get stdin() {
    return process.stdin;
  },
};

/** Runs the command line and gives its exit code. */
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

async function runVerb(argv: readonly string[], io: Io): Promise<number> {
  // Compiling a validator takes longer than the one call it would serve.
  configureSchemas({ jitless: true });
  const { runCli } = await import("./hosts/cli/run.ts");
  const { attended } = readSurroundings();
  const interruption = new AbortController();
  // Only once: whoever presses Ctrl-C again does not want to wait for an orderly end.
  process.once("SIGINT", () => interruption.abort());
  return runCli(argv, {
    catalog,
    io,
    attended,
    interrupted: interruption.signal,
    open: async (options) => (await import("./app/compose.ts")).openWorld({ host: "cli", ...options }),
  });
}

async function runDoctor(argv: readonly string[], io: Io): Promise<number> {
  const doctor = await import("./hosts/cli/doctor.ts");
  const { attended } = readSurroundings();
  return doctor.runDoctor(argv, {
    io,
    attended,
    open: async (options) => (await import("./app/compose-doctor.ts")).openDoctor(options),
  });
}
