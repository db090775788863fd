/**
 * The command line: `stele <verb> [arguments] [--flags]`.
 *
 * Verbs come from the catalog; none is known here by name. Returns the exit code and
 * never ends the process, so that the caller can still close what it opened.
 */
import { dispatch, type Opened, type Purpose, purposeOf } from "../catalog/dispatch.ts";
import { type AnyOperation, type Catalog, loadAll, type Reader, readerOf } from "../catalog/operation.ts";
import { Failure, nearest, toFailure } from "../errors.ts";
import { edgeName } from "../graph/edges.ts";
import { CHANGE_WORDS, type ReportedChange } from "../journal/change.ts";
import { handleOf } from "../memory/handles.ts";
import { visible } from "../text/paragraph.ts";
import { counted, shownLine } from "../text/short-text.ts";
import type { Progress, World } from "../world.ts";
import { asksForJson, parseArguments, type Request } from "./arguments.ts";
import { PROCESS_COMMANDS } from "./commands.ts";
import { EDIT_FLAG, kebab, TYPED } from "./fields.ts";
import { commandHelp, overview, verbHelp } from "./help.ts";
import type { Sheet } from "./layout.ts";
import { promptAt } from "./prompt.ts";
import { type Io, readAll, type Terminal, terminal } from "./terminal.ts";

/** One change of a dry run, in the same words as a change in the journal. */
const TITLE_CHARACTERS = 80;
const IDS_SHOWN = 5;

export const changeLine = (change: ReportedChange): string =>
  `would ${CHANGE_WORDS[change.kind].would} ${objectOf(change)}`;

function objectOf(change: ReportedChange): string {
  switch (change.kind) {
    case "insert_item": {
      const { id, title, summary } = change.item;
      return `${change.shelf} ${handleOf(id)} ${shownLine(title ?? summary, TITLE_CHARACTERS)}`;
    }
    case "revise_item":
    case "remove_item":
      return `${change.shelf} ${handleOf(change.id)}`;
    case "insert_edge":
      return `edge ${edgeName(change.edge)}`;
    case "remove_edge":
      return `edge ${change.id}`;
    case "purge_items":
      return some(change.ids);
    case "redact_items":
      return `${change.shelf} ${some(change.items.map(({ id }) => id))}`;
    case "drop_payloads":
      return `previous states of ${counted(change.numbers.length, "journal entry", "journal entries")}`;
    case "evict_items":
      return `${change.shelf} ${some(change.ids)}`;
    case "insert_space":
    case "move_space":
      return `project ${change.space.root}`;
  }
}

function some(ids: readonly string[]): string {
  const more = ids.length - IDS_SHOWN;
  return [...ids.slice(0, IDS_SHOWN).map(handleOf), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

// The sheet that standard output is: how wide, and whether it shows colours.
//
// Pipes and terminals that understand no codes get plain text, which is never wrapped. Without colours a terminal
// still wraps: NO_COLOR says nothing about rows.

/** What the surroundings say about the terminal. */
interface TerminalKind {
  /** It understands no codes. */
  readonly isDumb: boolean;
  /** Colours are wanted even in a pipe. */
  readonly isColourForced: boolean;
}

const UNKNOWN_TERMINAL: TerminalKind = { isDumb: false, isColourForced: false };

/** One bit a channel; fewer are no colours. */
const LEAST_COLOUR_BITS = 3;

/** Null: print as into a pipe. */
export function sheetOf(
  { stdout }: Pick<Io, "stdout">,
  { isDumb, isColourForced }: TerminalKind = UNKNOWN_TERMINAL,
): Sheet | null {
  const isScreen = stdout.isTTY === true && !isDumb;
  if (!isScreen) return isColourForced && !isDumb ? { columns: null, colours: true } : null;
  // Node knows the terminal and NO_COLOR.
  const colours = isColourForced || (stdout.getColorDepth?.() ?? 0) >= LEAST_COLOUR_BITS;
  return { columns: stdout.columns || null, colours };
}

/** Progress bar on standard error. Shown only on a terminal, and without escape codes, so it works on any. */
const WIDTH = 24;

interface ProgressBar extends Progress {
  clear(): void;
}

/** Takes `io` rather than the stream, because creating the stream takes time and most commands report nothing. */
function progressBar(io: Pick<Io, "stderr">): ProgressBar {
  let drawn = "";
  return {
    report(done, total, what) {
      if (!io.stderr.isTTY) return;
      const share = total > 0 ? Math.min(1, done / total) : 0;
      const filled = Math.round(share * WIDTH);
      const bar = "#".repeat(filled) + "-".repeat(WIDTH - filled);
      const line = `${visible(what)} [${bar}] ${Math.floor(share * 100)} %`;
      if (line === drawn) return;
      io.stderr.write(`\r${line.padEnd(drawn.length)}`);
      drawn = line;
    },
    clear() {
      if (drawn !== "") io.stderr.write(`\r${" ".repeat(drawn.length)}\r`);
      drawn = "";
    },
  };
}

export interface CliOptions {
  catalog: Catalog;
  open(options: Purpose & { project?: string; progress: Progress }): Promise<Opened>;
  io: Io;
  /** Whether a person, not a program, is at the terminal. */
  attended: boolean;
  /** Resolved by Ctrl-C: the verb is abandoned and what was opened is closed. */
  interrupted?: Promise<null>;
  terminal?: TerminalKind;
  /** Lets the person edit a text. */
  edit?(text: string): Promise<string>;
}

/** The flags that need no verb. */
const LONE_FLAGS = ["--help", "--version"];
const HELP_WORDS = ["help", "--help", "-h"];
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
  if (word === undefined || (HELP_WORDS.includes(word) && rest.length === 0)) {
    await screen.text(overview(await loadAll(options.catalog)));
    return 0;
  }
  if (HELP_WORDS.includes(word)) {
    await screen.text(await helpFor(rest[0] ?? "", options.catalog));
    return 0;
  }
  if (word.startsWith("-")) throw flagFirst(word);
  const { op, implied } = await findVerb(word, options.catalog);
  const request = parseArguments(op, [...implied, ...rest]);
  if (request.help) {
    await screen.text(verbHelp(op, aliasesOf(op, options.catalog)));
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
  const isAtTerminal = !json && isPersonAt(options);
  if (request.edit && !isAtTerminal) throw nobodyEdits(op);
  if (request.fromStdin !== undefined) {
    const text = await unlessInterrupted(readAll(options.io.stdin), options.interrupted);
    if (text === null) return EXIT_INTERRUPTED;
    request.input[request.fromStdin] = text;
  }
  const bar = progressBar(options.io);
  const { project } = request;
  const opened = await options.open({
    ...purposeOf(op, request.input, request.dryRun),
    progress: bar,
    ...(project === undefined ? {} : { project }),
  });
  try {
    const { world } = opened;
    const prepared = isAtTerminal
      ? await unlessInterrupted(preparedByPerson(op, request, world, options), options.interrupted)
      : request.input;
    bar.clear();
    if (prepared === null) return EXIT_INTERRUPTED;
    if (prepared === "unchanged") {
      await screen.text("Nothing changed.");
      return 0;
    }
    const ask = op.question && promptAt(options.io, options);
    const work = dispatch(op, prepared, world, { ask, dryRun: request.dryRun, naming: TYPED });
    const done = await unlessInterrupted(work, options.interrupted);
    bar.clear();
    if (done === null) return EXIT_INTERRUPTED;
    const { answer, changes } = done;
    if (json) await screen.document(request.dryRun ? { dryRun: true, answer, changes } : answer);
    else await show(op, answer, { ...request, changes, world }, options, screen);
    return op.isBad?.(answer) ? EXIT_BAD : 0;
  } finally {
    bar.clear();
    await opened.close();
  }
}

/** Prints an answer: laid out on a terminal, plain anywhere else. */
async function show(
  op: AnyOperation,
  answer: Record<string, unknown>,
  { input, dryRun, changes, world }: Request & { changes: readonly ReportedChange[]; world: World },
  { io, terminal: kind }: CliOptions,
  screen: Terminal,
): Promise<void> {
  const reader = readerOf(input, world);
  const text = () => (dryRun ? dryRunText(changes, op, answer, reader) : op.render(answer, reader));
  const sheet = sheetOf(io, kind);
  if (sheet === null) return screen.text(text());
  const { layOut, layOutText } = await import("./layout.ts");
  if (dryRun || op.page === undefined) return screen.laidOut(layOutText(text(), sheet));
  return screen.laidOut(layOut(op.page(answer, reader), sheet));
}

/** Whether somebody sees the screen and types: nobody does through a pipe, or where a program drives the terminal. */
const isPersonAt = ({ io, attended }: CliOptions): boolean =>
  attended && io.stdout.isTTY === true && io.stdin.isTTY === true && io.stderr.isTTY === true;

function nobodyEdits(op: AnyOperation): Failure {
  const hint = `Give the new ${kebab(op.editing!.field)} as an argument, or as \`-\` to read it from standard input.`;
  return new Failure("refused", `--${EDIT_FLAG} needs a person at a terminal.`, hint);
}

/** The input after a person chose among several items and edited the text, as far as the verb lets them; null once interrupted. */
async function preparedByPerson(
  op: AnyOperation,
  request: Request,
  world: World,
  { io, terminal: kind, edit }: CliOptions,
): Promise<Record<string, unknown> | "unchanged" | null> {
  if (op.choice === undefined && !request.edit) return request.input;
  const { withChoice, withEdited } = await import("./picker.ts");
  const { isDumb } = kind ?? UNKNOWN_TERMINAL;
  const input = op.choice ? await withChoice(op, request.input, world, { io, isDumb }) : request.input;
  if (input === null || !request.edit || edit === undefined) return input;
  return (await withEdited(op, input, world, edit)) ?? "unchanged";
}

/** The result of the work, or null once interrupted. */
const unlessInterrupted = <T>(work: Promise<T>, interrupted: Promise<null> | undefined): Promise<T | null> =>
  interrupted === undefined ? work : Promise.race([work, interrupted]);

async function findVerb(word: string, catalog: Catalog): Promise<{ op: AnyOperation; implied: readonly string[] }> {
  const name = word.replaceAll("-", "_");
  const [verb, ...implied] = Object.hasOwn(catalog.aliases, word) ? catalog.aliases[word]! : [name];
  if (catalog.names.includes(verb)) return { op: await catalog.load(verb), implied };
  throw await unknownVerb(word, catalog);
}

function flagFirst(word: string): Failure {
  const close = word === "-V" ? "--version" : nearest(word, LONE_FLAGS);
  if (close !== null)
    return new Failure("invalid_input", `There is no flag ${word}.`, `Did you mean \`stele ${close}\`?`);
  const hint = `Write \`stele <verb> … ${word}\`; \`stele --help\` lists the verbs.`;
  return new Failure("invalid_input", `The verb must come before ${word}.`, hint);
}

async function unknownVerb(word: string, catalog: Catalog): Promise<Failure> {
  const { meantVerb } = await import("../catalog/other-names.ts");
  const processes = PROCESS_COMMANDS.map((command) => command.name);
  const known = [...catalog.names.map(kebab), ...processes, ...Object.keys(catalog.aliases), ...LONE_FLAGS];
  const close = nearest(word, known);
  const guess = close === null ? "`stele --help` lists all verbs." : `Did you mean \`stele ${close}\`?`;
  return new Failure("invalid_input", `There is no verb "${word}".`, meantVerb(word) ?? guess);
}

const aliasesOf = (op: AnyOperation, { aliases }: Catalog): string[] =>
  Object.keys(aliases).filter((alias) => aliases[alias]![0] === op.name);

async function helpFor(word: string, catalog: Catalog): Promise<string> {
  const command = PROCESS_COMMANDS.find(({ name }) => name === word);
  if (command !== undefined) return commandHelp(command);
  const { op } = await findVerb(word, catalog);
  return verbHelp(op, aliasesOf(op, catalog));
}

/** The changes that would be written, in the verb's own words if it has any; without changes, the answer says why. */
function dryRunText(
  changes: readonly ReportedChange[],
  op: AnyOperation,
  answer: Record<string, unknown>,
  reader: Reader,
): string {
  const own = op.renderDryRun?.(answer, changes) ?? changes.map(changeLine).join("\n");
  return ["Dry run: nothing was written.", own || op.render(answer, reader)].join("\n");
}
