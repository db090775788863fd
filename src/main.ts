/**
 * The program: runs one process command or one verb.
 *
 * Heavy parts (stores, models, the MCP library, the demo) are loaded only by the command
 * that needs them. It never ends the process; it returns the exit code to its caller.
 */
import { config as configureSchemas } from "zod";
import { homeFolder, readSurroundings } from "./app/environment.ts";
import { toFailure } from "./errors.ts";
import { PROCESS_COMMANDS } from "./hosts/cli/commands.ts";
import { runProcess } from "./hosts/cli/process.ts";
import { directOutput } from "./hosts/cli/output.ts";
import { terminal, type Io } from "./hosts/cli/terminal.ts";
import { catalog } from "./operations/catalog.ts";
import { packageVersion } from "./app/version.ts";

/** The launcher starts the server as a program of its own, so that it need not load the command line. */
type CommandName = Exclude<(typeof PROCESS_COMMANDS)[number]["name"], "mcp">;

const COMMANDS: Record<CommandName, (argv: readonly string[], io: Io) => Promise<number>> = {
  init: runInit,
  hook: runHook,
  doctor: runDoctor,
  demo: async () => (await import("./demo.ts")).runDemo(process),
};

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

async function runVerb(argv: readonly string[], io: Io): Promise<number> {
  // Compiling a validator takes longer than the one call it would serve.
  configureSchemas({ jitless: true });
  const { runCli } = await import("./hosts/cli/run.ts");
  const { attended } = readSurroundings();
  // Only once: a second Ctrl-C must end the process without waiting for an orderly close.
  const interrupted = new Promise<null>((resolve) => process.once("SIGINT", () => resolve(null)));
  return runCli(argv, {
    catalog,
    io,
    attended,
    interrupted,
    open: async (options) => (await import("./app/compose.ts")).openWorld({ host: "cli", ...options }),
  });
}

/** A host that runs this after each turn, in the background, needs no server for its sessions to be captured. */
const DIGEST_SECONDS = 20;

/** Capturing hooks are usually started directly, without this program. */
async function runHook(argv: readonly string[]): Promise<number> {
  return argv[0] === "digest" ? digestReports() : (await import("./hook.ts")).main(["hook", ...argv]);
}

/** `stele hook digest`: it prints nothing, and like every hook it never fails. */
async function digestReports(): Promise<number> {
  try {
    if (!(await import("./app/hook-settings.ts")).hookSettings().mayCapture) return 0;
    const [{ openWorld }, { dispatch }] = [await import("./app/compose.ts"), await import("./hosts/dispatch.ts")];
    const { world, close } = await openWorld({ host: "hook", settings: { log: { level: "silent" } } });
    try {
      await dispatch(await catalog.load("extract"), { withinSeconds: DIGEST_SECONDS }, world);
    } finally {
      await close();
    }
  } catch (thrown) {
    // What was recorded waits for the next one to digest it.
    const { faultName, logHook } = await import("./providers/capture/hook-log.ts");
    logHook(homeFolder, `What hooks recorded was not digested: ${faultName(thrown)}.`);
  }
  return 0;
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

async function runInit(argv: readonly string[], io: Io): Promise<number> {
  const [init, { openConnector }] = [await import("./hosts/cli/init.ts"), await import("./app/compose-init.ts")];
  const { attended } = readSurroundings();
  return init.runInit(argv, { io, attended, open: openConnector });
}
