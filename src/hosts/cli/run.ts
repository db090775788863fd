/**
 * The command line: `stele <verb> [arguments] [--flags]`.
 *
 * Verbs come from the catalog; none is known here by name. Returns the exit code and
 * never ends the process, so that the caller can still close what it opened.
 */
import { Failure, nearest, toFailure } from "../../errors.ts";
import type { ReportedChange } from "../../model/journal/change-words.ts";
import { type AnyOperation, type Catalog, loadAll } from "../../operations/operation.ts";
import type { Progress } from "../../ports/world.ts";
import { dispatch, type Opened } from "../dispatch.ts";
import { asksForJson, parseArguments, type Request } from "./arguments.ts";
import { changeLine } from "./change-line.ts";
import { PROCESS_COMMANDS } from "./commands.ts";
import { TYPED, kebab } from "./fields.ts";
import { overview } from "./overview.ts";
import { progressBar } from "./progress-bar.ts";
import { promptAt } from "./prompt.ts";
import { readAll, terminal, type Io, type Terminal } from "./terminal.ts";
import { commandHelp, verbHelp } from "./verb-help.ts";

export interface CliOptions {
  catalog: Catalog;
  open(options: { project?: string; progress: Progress }): Promise<Opened>;
  io: Io;
  /** Whether a person, not a program, is at the terminal. */
  attended: boolean;
  /** Resolved by Ctrl-C: the verb is abandoned and what was opened is closed. */
  interrupted?: Promise<null>;
}

const EXIT_BAD = 1;
const EXIT_INTERRUPTED = 130;

export async function runCli(argv: readonly string[], options: CliOptions): Promise<number> {
  const screen = terminal(options.io, { json: asksForJson(argv) });
  try {
    return await route(argv, options, screen);
  } catch (thrown) {
    return await screen.failure(toFailure(thrown));
  }
}

async function route(argv: readonly string[], options: CliOptions, screen: Terminal): Promise<number> {
  const [word, ...rest] = argv;
  if (word === undefined || ((word === "--help" || word === "-h" || word === "help") && rest.length === 0)) {
    await screen.text(overview(await loadAll(options.catalog)));
    return 0;
  }
  if (word === "help") {
    await screen.text(await helpFor(rest[0] ?? "", options.catalog));
    return 0;
  }
  if (word.startsWith("-")) {
    throw new Failure(
      "invalid_input",
      `The verb must come before ${word}.`,
      "Write `stele <verb> …`; `stele --help` lists them.",
    );
  }
  const op = await findVerb(word, options.catalog);
  const request = parseArguments(op, rest);
  if (request.help) {
    await screen.text(verbHelp(op));
    return 0;
  }
  return runVerb(op, request, options, screen, asksForJson(argv));
}

async function runVerb(
  op: AnyOperation,
  request: Request,
  options: CliOptions,
  screen: Terminal,
  json: boolean,
): Promise<number> {
  if (request.fromStdin !== undefined) {
    const text = await unlessInterrupted(readAll(options.io.stdin), options.interrupted);
    if (text === null) return EXIT_INTERRUPTED;
    request.input[request.fromStdin] = text;
  }
  const bar = progressBar(options.io);
  const { project } = request;
  const opened = await options.open({ progress: bar, ...(project === undefined ? {} : { project }) });
  try {
    const ask = op.question && promptAt(options.io, options);
    const work = dispatch(op, request.input, opened.world, { ask, dryRun: request.dryRun, naming: TYPED });
    const done = await unlessInterrupted(work, options.interrupted);
    bar.clear();
    if (done === null) return EXIT_INTERRUPTED;
    const { answer, changes } = done;
    if (json) await screen.document(request.dryRun ? { dryRun: true, answer, changes } : answer);
    else await screen.text(request.dryRun ? dryRunText(changes, op, answer) : op.render(answer));
    return op.isBad?.(answer) ? EXIT_BAD : 0;
  } finally {
    bar.clear();
    await opened.close();
  }
}

/** The result of the work, or null once interrupted. */
const unlessInterrupted = <T>(work: Promise<T>, interrupted: Promise<null> | undefined): Promise<T | null> =>
  interrupted === undefined ? work : Promise.race([work, interrupted]);

async function findVerb(word: string, catalog: Catalog): Promise<AnyOperation> {
  const name = word.replaceAll("-", "_");
  if (catalog.names.includes(name)) return catalog.load(name);
  const close = nearest(word, [...catalog.names.map(kebab), ...PROCESS_COMMANDS.map((command) => command.name)]);
  const hint = close === null ? "`stele --help` lists all verbs." : `Did you mean \`stele ${close}\`?`;
  throw new Failure("invalid_input", `There is no verb "${word}".`, hint);
}

async function helpFor(word: string, catalog: Catalog): Promise<string> {
  const command = PROCESS_COMMANDS.find(({ name }) => name === word);
  return command === undefined ? verbHelp(await findVerb(word, catalog)) : commandHelp(command);
}

/** The changes that would be written, in the verb's own words if it has any; without changes, the answer says why. */
function dryRunText(changes: readonly ReportedChange[], op: AnyOperation, answer: Record<string, unknown>): string {
  const own = op.renderDryRun?.(answer) ?? changes.map(changeLine).join("\n");
  return ["Dry run: nothing was written.", own || op.render(answer)].join("\n");
}
