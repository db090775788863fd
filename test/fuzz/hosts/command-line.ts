/**
 * Calls through the command line: mostly its parts with streams of ours, now and then the shipped program.
 *
 * With `--json` standard output must be one document. Without, it must be text that cannot move a
 * cursor, and a failure must be told in two lines on standard error.
 */
import { openWorld } from "../../../src/app/compose.ts";
import { catalog } from "../../../src/catalog/catalog.ts";
import { asksForJson } from "../../../src/cli/arguments.ts";
import { kebab, verbOf } from "../../../src/cli/fields.ts";
import { runCli } from "../../../src/cli/run.ts";
import { type FailureCode, FAILURES } from "../../../src/errors.ts";
import { runChild } from "../../child.ts";
import { streams } from "../../hosts/fixtures/streams.ts";
import { STELE } from "../../mcp.ts";
import { type Call, type Host, type Outcome, plain } from "../host.ts";
import { environment, SETTINGS } from "../settings.ts";

const WORD_LIMIT_CHARACTERS = 30_000;
const WORDS_LIMIT = 30;

interface Ran {
  exit: number | null;
  out: string;
  err: string;
}

export function commandLineHost(home: string, work: string): Host {
  return {
    home,
    hasDryRun: true,
    async call(call) {
      const argv = argumentsOf(call);
      const ran = call.style.ownProcess ? await runProgram(argv, home, work) : await runParts(argv, call, home, work);
      return asksForJson(argv) ? fromDocument(ran) : fromText(ran, call);
    },
    close: async () => undefined,
  };
}

/** What a person or a script would type for this input. */
export function argumentsOf({ op, input, style }: Call): string[] {
  const globals = [...(style.json ? ["--json"] : []), ...(style.dryRun ? ["--dry-run"] : [])];
  const fields = plain(input);
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
    return [verbOf(op), ...globals, ...[fields].flat().map(spelt)];
  }
  const places = style.positional ? (op.cli.positional ?? []).filter((name) => Object.hasOwn(fields, name)) : [];
  const flags = Object.entries(fields).filter(([name]) => !(places as readonly string[]).includes(name));
  const words = places.flatMap((name) => [(fields as Record<string, unknown>)[name]].flat().map(spelt));
  return [
    verbOf(op),
    ...globals,
    ...flags.flatMap(([name, value]) => [value].flat().flatMap((one) => flagFor(name, one, style.inline))),
    ...(words.length > 0 ? ["--", ...words] : []),
  ];
}

function flagFor(name: string, value: unknown, inline: boolean): string[] {
  const flag = `--${kebab(name)}`;
  if (value === true) return [flag];
  if (value === false) return [inline ? `${flag}=false` : `--no-${kebab(name)}`];
  return inline ? [`${flag}=${spelt(value)}`] : [flag, spelt(value)];
}

const spelt = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

async function runParts(argv: readonly string[], { style }: Call, home: string, work: string): Promise<Ran> {
  const isAttended = style.person !== "absent";
  const said = { yes: "y\n".repeat(5), no: "n\n", leaves: "", absent: style.rubbish, rubbish: style.rubbish };
  const { io, out, err } = streams({ stdin: said[style.person], tty: isAttended });
  const exit = await runCli(argv, {
    catalog,
    io,
    attended: isAttended,
    open: ({ project = work, progress }) =>
      openWorld({ host: "cli", home, project, progress, session: "fuzz", settings: SETTINGS }),
  });
  return { exit, out: out(), err: err() };
}

async function runProgram(argv: readonly string[], home: string, work: string): Promise<Ran> {
  // No system passes a NUL to a program, nor a megabyte in one word.
  const words = argv.map((word) => word.replaceAll("\0", "").slice(0, WORD_LIMIT_CHARACTERS)).slice(0, WORDS_LIMIT);
  const options = { cwd: work, env: environment(home), input: "from a pipe" };
  const { code, output, errors } = await runChild(null, [STELE, ...words], options);
  return { exit: code, out: output, err: errors };
}

function fromDocument({ exit, out, err }: Ran): Outcome {
  const complaints: string[] = [];
  let document: Record<string, unknown>;
  try {
    document = JSON.parse(out) as Record<string, unknown>;
  } catch {
    return {
      answer: null,
      failure: null,
      complaints: [`exit ${exit}, standard output is no JSON document: ${out}${err}`],
    };
  }
  if (out.trimEnd().includes("\n")) complaints.push("the document has several lines");
  // An answer may have a field of this name, which then is a text.
  const { error } = document;
  const failure = typeof error === "object" ? (error as Outcome["failure"]) : null;
  const expected = failure === null ? [0, 1] : [FAILURES[failure.code]?.exit];
  if (!expected.includes(exit ?? -1)) complaints.push(`exit ${exit} does not go with ${failure?.code ?? "an answer"}`);
  if (failure !== null) return { answer: null, failure, complaints };
  return { answer: document["dryRun"] === true ? document["answer"] : document, failure, complaints };
}

/** Everything that could move a cursor, change a colour or forge a line; tabs and line ends may be there. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** The one thing that may be coloured, at a terminal. */
const RED_NAME = "\u001b[31mstele:\u001b[39m";

function fromText({ exit, out, err: printed }: Ran, { op, style }: Call): Outcome {
  const isAttended = style.person !== "absent";
  const complaints: string[] = [];
  const err = printed.replace(RED_NAME, "stele:");
  // A progress bar goes back to the beginning of its line.
  const shown = out + (isAttended ? err.replaceAll("\r", "") : err);
  if (CONTROLS.test(shown)) complaints.push(`control characters were printed: ${JSON.stringify(out + err)}`);
  if (exit === 0 || (exit === 1 && op.isBad !== undefined)) {
    if (out === "") complaints.push("nothing was printed");
    return { answer: null, failure: null, complaints };
  }
  if (out !== "") complaints.push(`a failure printed on standard output: ${out}`);
  const code = (Object.keys(FAILURES) as FailureCode[]).find((name) => FAILURES[name].exit === exit);
  if (code === undefined) complaints.push(`exit ${exit} means nothing`);
  // A terminal shows the person's own line end after a prompt; these streams do not.
  const told = isAttended ? err.replace(/(?<=(?:name:|\]:?) )stele:/, "\nstele:") : err;
  // A terminal begins a new row before a word that is too long for what is left of the first.
  const [, message = "", hint = ""] = /^(?:[\s\S]*\n)?stele:[ \n]([\s\S]*)\n(.*)\n$/.exec(told) ?? [];
  return { answer: null, failure: { code: code ?? "internal", message, hint }, complaints };
}
