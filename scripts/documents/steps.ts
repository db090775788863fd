/**
 * Everything that a document shows to be done, in order, as steps that can be run.
 *
 * Every fenced block is of a language below, so nothing is shown that is neither run nor checked. In `console`, a line that
 * begins with `$ ` is a command, and what follows is its output. `sh` is a script that must succeed; a command whose remark
 * ends in "until Ctrl-C" goes on running beside the steps that follow. `js` is a program, saved as `program.mjs`, which a
 * command then runs. `json` has one settings file a line. `text` is not meant to be run.
 *
 * Comments between blocks prepare what a reader would have: see `DIRECTIVES`.
 */
interface Placed {
  /** Whether it begins in an empty project. */
  isFirst: boolean;
  /** The lines in the document, from and up to but not including: of the output of a command, else of the step itself. */
  startLine: number;
  endLine: number;
}

export interface Command extends Placed {
  kind: "command";
  command: string;
  /** What it prints; null for a command that only prepares. */
  expected: string | null;
}
export interface Script extends Placed {
  kind: "script";
  script: string;
  /** Whether it runs in a copy of this checkout. */
  isInClone: boolean;
  /** What a person types while it runs. */
  typed: string[];
}
export type Step =
  | Command
  | Script
  | (Placed & { kind: "file"; path: string; text: string })
  | (Placed & { kind: "database"; path: string; source: string })
  | (Placed & { kind: "settings"; text: string });
type Unplaced = Step extends infer One ? (One extends Step ? Omit<One, keyof Placed> : never) : never;

interface Reading {
  lines: readonly string[];
  steps: Step[];
  /** Of the steps that follow. */
  isFirst: boolean;
  isInClone: boolean;
  typed: string[];
}

/** Returns the line after the directive or block. */
type Reader = (words: string, at: number, reading: Reading) => number;

const DIRECTIVES: Record<string, Reader> = {
  /** Begins an empty project, with an empty home. */
  afresh: (_words, at, reading) => {
    reading.isFirst = true;
    reading.isInClone = false;
    return at + 1;
  },
  /** `<!-- first` and lines `$ command`, up to `-->`: run, but not compared. */
  first: (_words, at, reading) => readCommands(at + 1, "-->", reading),
  /** `<!-- file PATH`, its text, `-->`. */
  file: (path, at, reading) => {
    const end = endOf("-->", at, reading);
    add({ kind: "file", path, text: `${reading.lines.slice(at + 1, end).join("\n")}\n` }, at, end, reading);
    return end + 1;
  },
  /** `<!-- database PATH from FILE -->`: made from the SQL in a file of this repository. */
  database: (words, at, reading) => {
    const [path = "", source = ""] = words.split(" from ");
    add({ kind: "database", path, source }, at, at + 1, reading);
    return at + 1;
  },
  /** Scripts that follow run in a copy of this checkout. */
  "in-a-clone": (_words, at, reading) => {
    reading.isInClone = true;
    return at + 1;
  },
  /** `<!-- typed ANSWER ANSWER -->`: what a person types during the next script. */
  typed: (words, at, reading) => {
    reading.typed = words.split(" ");
    return at + 1;
  },
};

const LANGUAGES: Record<string, Reader> = {
  console: (_words, at, reading) => readCommands(at + 1, "```", reading),
  sh: block(({ isInClone, typed }, script) => ({ kind: "script", script, isInClone, typed })),
  js: block((_reading, text) => ({ kind: "file", path: "program.mjs", text: `${text}\n` })),
  json: block((_reading, text) => ({ kind: "settings", text })),
  text: block(() => null),
};

function block(made: (reading: Reading, text: string) => Unplaced | null): Reader {
  return (_words, at, reading) => {
    const end = endOf("```", at, reading);
    const step = made(reading, reading.lines.slice(at + 1, end).join("\n"));
    if (step !== null) add(step, at + 1, end, reading);
    reading.typed = [];
    return end + 1;
  };
}

export function stepsIn(document: string): Step[] {
  const lines = document.split("\n");
  const reading: Reading = { lines, steps: [], isFirst: true, isInClone: false, typed: [] };
  for (let at = 0; at < lines.length; ) {
    const [, directive, words = ""] = /^<!-- ([a-z-]+) ?(.*?)(?: ?-->)?$/.exec(lines[at]!) ?? [];
    const language = /^```(\w*)/.exec(lines[at]!)?.[1];
    if (language !== undefined && !Object.hasOwn(LANGUAGES, language))
      throw new Error(`Line ${at + 1}: a block is one of ${Object.keys(LANGUAGES).join(", ")}, not "${language}".`);
    const read = language !== undefined ? LANGUAGES[language] : DIRECTIVES[directive ?? ""];
    at = read?.(words, at, reading) ?? at + 1;
  }
  return reading.steps;
}

function add(step: Unplaced, startLine: number, endLine: number, reading: Reading): void {
  reading.steps.push({ ...step, isFirst: reading.isFirst, startLine, endLine } as Step);
  reading.isFirst = false;
}

function endOf(mark: string, at: number, { lines }: Reading): number {
  const end = lines.indexOf(mark, at + 1);
  if (end === -1) throw new Error(`Line ${at + 1}: ${mark} is missing.`);
  return end;
}

function readCommands(at: number, mark: "```" | "-->", reading: Reading): number {
  const end = endOf(mark, at - 1, reading);
  while (at < end) {
    if (reading.lines[at] === "") at += 1;
    else at = readCommand(at, end, mark === "```", reading);
  }
  return end + 1;
}

function readCommand(at: number, end: number, isShown: boolean, reading: Reading): number {
  const { lines } = reading;
  if (!lines[at]!.startsWith("$ ")) throw new Error(`Line ${at + 1} is neither a command nor its output: ${lines[at]}`);
  let command = lines[at]!.slice(2);
  // A quotation may span lines.
  while (isOpen(command)) {
    at += 1;
    if (at >= end) throw new Error(`The quotation does not end: ${command}`);
    command += `\n${lines[at]}`;
  }
  const startLine = at + 1;
  let endLine = startLine;
  while (isShown && endLine < end && !lines[endLine]!.startsWith("$ ")) endLine += 1;
  while (endLine > startLine && lines[endLine - 1] === "") endLine -= 1;
  const expected = isShown ? lines.slice(startLine, endLine).join("\n") : null;
  add({ kind: "command", command, expected }, startLine, endLine, reading);
  return endLine;
}

const isOpen = (command: string): boolean => (command.match(/"/g)?.length ?? 0) % 2 === 1;

/** The words of a plain command of ours, as a shell would pass them; null for anything that needs a shell. */
export function plainWords(command: string): string[] | null {
  if (!command.startsWith("stele ") || /[|;&<>$`\\'#*~]/.test(command.replace(/"[^"$`\\]*"/g, ""))) return null;
  const words = command.match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
  return words.slice(1).map((word) => word.replaceAll('"', ""));
}

/** The document with what its commands really printed. */
export function withOutputs(document: string, outputs: readonly { step: Step; output: string }[]): string {
  const lines = document.split("\n");
  // From the end, so that lines before keep their numbers.
  for (const { step, output } of outputs.filter(({ step }) => step.kind === "command").toReversed()) {
    const isLastOfBlock = lines[step.endLine] === "```";
    const between = output !== "" && !isLastOfBlock && lines[step.endLine] !== "" ? [""] : [];
    lines.splice(
      step.startLine,
      step.endLine - step.startLine,
      ...(output === "" ? [] : output.split("\n")),
      ...between,
    );
  }
  return lines.join("\n");
}
