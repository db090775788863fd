/**
 * The program: one process command or one verb, then the end.
 *
 * Whatever is heavy (stores, models, the MCP library, the demo) is loaded only by the
 * command that needs it. Ends nothing itself: it gives the exit code to its caller.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { readSurroundings } from "./environment.ts";
import { Failure, toFailure } from "./errors.ts";
import { PROCESS_COMMANDS, type ProcessCommand } from "./hosts/cli/commands.ts";
import { terminal, type Io } from "./hosts/cli/terminal.ts";
import { catalog, DEFAULT_TOOLS, GUIDANCE } from "./operations/catalog.ts";

type CommandName = (typeof PROCESS_COMMANDS)[number]["name"];

const COMMANDS: Record<CommandName, (argv: readonly string[], io: Io) => Promise<number>> = {
  mcp: runMcp,
  doctor: runDoctor,
  demo: async (_argv, io) => (await import("./demo.ts")).runDemo(io),
};

/** Runs the command line and gives its exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const io: Io = { stdout: process.stdout, stderr: process.stderr, stdin: process.stdin };
  const screen = terminal(io, { json: false });
  try {
    const [word, ...rest] = argv;
    if (word === "--version" || word === "-v") {
      await screen.text(version());
      return 0;
    }
    const command: ProcessCommand | undefined = PROCESS_COMMANDS.find(({ name }) => name === word);
    if (command === undefined) return await runVerb(argv, io);
    if (rest.includes("--help") || rest.includes("-h")) {
      const { commandHelp } = await import("./hosts/cli/verb-help.ts");
      await screen.text(commandHelp(command));
      return 0;
    }
    return await COMMANDS[command.name as CommandName](rest, io);
  } catch (thrown) {
    return await screen.failure(toFailure(thrown));
  }
}

async function runVerb(argv: readonly string[], io: Io): Promise<number> {
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
    open: async (options) => (await import("./compose.ts")).openWorld({ host: "cli", ...options }),
  });
}

async function runDoctor(argv: readonly string[], io: Io): Promise<number> {
  const doctor = await import("./hosts/cli/doctor.ts");
  const { attended } = readSurroundings();
  return doctor.runDoctor(argv, {
    io,
    attended,
    open: async (options) => (await import("./compose-doctor.ts")).openDoctor(options),
  });
}

async function runMcp(argv: readonly string[]): Promise<number> {
  const { tools, project } = mcpFlags(argv);
  const { serveMcp } = await import("./hosts/mcp/serve.ts");
  const { startIdleWork } = await import("./engine/idle.ts");
  const { startWatching } = await import("./engine/watch-project.ts");
  // Everything is loaded: what the launcher held back, answers may have.
  setFlagsFromString("--semi-space-growth-factor=2");
  await serveMcp({
    catalog,
    tools,
    defaultTools: DEFAULT_TOOLS,
    version: version(),
    guidance: GUIDANCE,
    idle(world) {
      const works = [startIdleWork(world), startWatching(world)];
      return { stop: () => works.forEach((work) => work.stop()) };
    },
    open: async () => (await import("./compose.ts")).openWorld({ host: "mcp", project }),
  });
  return 0;
}

function mcpFlags(argv: readonly string[]): { tools: "default" | "full"; project: string | undefined } {
  const hint = "See `stele mcp --help`.";
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { tools: { type: "string", default: "default" }, project: { type: "string" } },
    });
    const { tools, project } = values;
    if (tools === "default" || tools === "full") return { tools, project };
  } catch (thrown) {
    throw new Failure("invalid_input", (thrown as Error).message, hint, { cause: thrown });
  }
  throw new Failure("invalid_input", "--tools: must be one of default, full", hint);
}

function version(): string {
  const file = new URL("../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
