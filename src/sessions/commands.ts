import { cut, shownLine } from "../text/short-text.ts";
import { withoutTerminalSequences } from "./clean-text.ts";

/** The commands of a shell's line, as far as they can be told without running it. Never throws; reads the text once. */
interface ShellCommand {
  words: string[];
  /** What follows it: "&&", "||", ";", "|", or "" at the end. */
  then: string;
}

/** Redirections and what a here-document contains are left out. */
export function shellCommands(text: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  let word: string | null = null;
  const documents: string[] = [];
  const endWord = () => {
    if (word !== null) words.push(word);
    word = null;
  };
  const endCommand = (then: string) => {
    endWord();
    const kept = withoutRedirections(words, documents);
    if (kept.length > 0) commands.push({ words: kept, then });
    words = [];
  };
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]!;
    if (character === "'" || character === '"') {
      const end = endOfQuote(text, index);
      word = (word ?? "") + text.slice(index + 1, end);
      index = end;
    } else if (character === "\\") {
      index += 1;
      if (text[index] !== "\n") word = (word ?? "") + (text[index] ?? "");
    } else if (character === "\n") {
      endCommand(";");
      const delimiter = documents.shift();
      if (delimiter !== undefined) index = endOfDocument(text, index, delimiter);
    } else if (character === ";" || character === "(" || character === ")") endCommand(";");
    else if (character === "|" || (character === "&" && !isRedirection(text, index))) {
      const isDouble = text[index + 1] === character;
      endCommand(isDouble ? character.repeat(2) : character === "|" ? "|" : ";");
      if (isDouble) index += 1;
    } else if (character === " " || character === "\t") endWord();
    else word = (word ?? "") + character;
  }
  endCommand("");
  return commands;
}

/** `2>&1`, `&>file`. */
const isRedirection = (text: string, index: number): boolean => text[index - 1] === ">" || text[index + 1] === ">";

function endOfQuote(text: string, start: number): number {
  const quote = text[start]!;
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === "\\" && quote === '"') index += 1;
    else if (text[index] === quote) return index;
  }
  return text.length;
}

/** The index of the newline that ends it. */
function endOfDocument(text: string, start: number, delimiter: string): number {
  for (let from = start + 1; from < text.length; ) {
    const newline = text.indexOf("\n", from);
    const end = newline < 0 ? text.length : newline;
    if (text.slice(from, end).trim() === delimiter) return end;
    from = end + 1;
  }
  return text.length;
}

const REDIRECTION = /^(?:\d?|&)(?:>>?|<)(?:&\d)?/;

function withoutRedirections(words: readonly string[], documents: string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]!;
    const opened = /^<<-?(.*)$/.exec(word)?.[1];
    if (opened !== undefined) documents.push(opened === "" ? (words[(index += 1)] ?? "") : opened);
    else if (!REDIRECTION.test(word)) kept.push(word);
    else if (/[<>]$/.test(word)) index += 1;
  }
  return kept;
}

/** They run the command that follows them. */
const RUNNERS: ReadonlySet<string> = new Set(
  "sudo time nice env command exec xvfb-run npx bunx pnpx dotenv corepack uv poetry pipenv hatch bundle rbenv direnv".split(
    " ",
  ),
);
const RUNNING_WORDS: ReadonlySet<string> = new Set(["run", "exec", "dlx", "x"]);

/** From the program on, which is without its folder: no settings, runners or options before it. */
export function programWords({ words }: ShellCommand): string[] {
  let at = 0;
  while (at < words.length) {
    const word = words[at]!;
    if (/^\w+=/.test(word) || (at > 0 && word.startsWith("-"))) at += 1;
    else if (word === "timeout" || word === "gtimeout") at += 2;
    else if (RUNNERS.has(word)) at += RUNNING_WORDS.has(words[at + 1] ?? "") ? 2 : 1;
    else break;
  }
  const [program = "", ...rest] = words.slice(at);
  return program === "" ? [] : [program.slice(program.lastIndexOf("/") + 1), ...rest];
}

/** Names what is run, to compare runs: the program and its first word that is no option. */
export function whatRuns(text: string): string | null {
  const command = shellCommands(text).findLast(
    (one) => !PREPARING.has(programWords(one)[0] ?? "") && !isFiltering(one),
  );
  const [program, ...rest] = command === undefined ? [] : programWords(command);
  if (program === undefined) return null;
  const first = rest.find((word) => !word.startsWith("-"));
  return first === undefined ? program : `${program} ${RUNNING_WORDS.has(first) ? rest.slice(0, 2).join(" ") : first}`;
}

const PREPARING: ReadonlySet<string> = new Set("cd pushd popd export source . set echo printf true sleep".split(" "));
const FILTERS: ReadonlySet<string> = new Set(
  "head tail grep egrep rg sed awk cut sort uniq wc tee cat jq less tr".split(" "),
);
const isFiltering = (command: ShellCommand): boolean => FILTERS.has(programWords(command)[0] ?? "");

/** The line of a failed output that tells what went wrong. */
const LINE_CHARACTERS = 200;
const READ_LINES = 2_000;
/** What agents' programs answer in place of a tool: it says nothing about the work. */
const FROM_HOST =
  /^\s*(?:<tool_use_error>|The user doesn't want to|Permission to use |\[Request interrupted|Error: (?:File has not been read|File does not exist|String to replace|Found \d+ matches|No changes to make)|(?:File has not been read yet|File does not exist|String to replace not found|Sibling tool call errored|Invalid tool parameters|InputValidationError|No such tool available|execution error: Io|Agent type |patch rejected))|^<persisted-output>/;

/** Best first: a compiler, an exception; a test, then what it printed; what merely says that something is wrong. */
const TELLING: readonly RegExp[] = [
  /^\s{0,2}(?:\.{0,2}\/)?[\w@.+~/\\-]+\.\w{1,10}[:(]\d+(?:[:,]\d+)?\)?\s?(?::|-)\s*[\p{L}\d"'`([*]/u,
  /^\s*(?:[\w$]+[.:])*[A-Z]\w*(?:Error|Exception|Panic|Fault)(?:\s?\[\w+\])?: \S/,
  /^.{0,80}?(?:\berror(?: ?[A-Z]{1,4}\d+|\[\w+\])?|\bfatal|\bpanic|\bE\d{3,5}|\bERR!)\s?: ?\S/i,
  /^\s*(?:--- FAIL: \S|FAIL(?:ED)? \S|not ok \d|[✗✘✖×●⨯] \S)/,
  /^.{0,160}?: (?:command not found|no such file|no matches|not found|permission denied|cannot|can't|could not|undefined|unknown|invalid|illegal|unexpected|missing|no space|connection|address already)/i,
  /\b(?:failed|failure|unable to|could not|cannot|denied|refused|conflict|timed out|segmentation fault|not found|undefined reference|killed)\b/i,
];
/** Lines of a compiler that only warn come after those of errors. */
const WARNS = /\b(?:warning|note|info|hint)\b/i;
/** A line of these alone says no more than that something failed. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  "error errors failed failure failing fail exit exited code status task command process with the a run script npm err make test tests fatal and returned non zero not found".split(
    " ",
  ),
);
const LEAST_WORDS = 2;
/** A word as long as this is a name, of a test perhaps, and tells enough alone. */
const NAME_CHARACTERS = 8;

/** The line of a failed output that tells most; null when none tells anything. */
export function tellingLine(output: string): string | null {
  if (FROM_HOST.test(output)) return null;
  const lines = withoutTerminalSequences(output).split(/[\n\r\u2028\u2029]/, READ_LINES);
  let best: { line: string; rank: number } | null = null;
  for (const written of lines) {
    const line = written.slice(0, 2 * LINE_CHARACTERS);
    const found = TELLING.findIndex((pattern) => pattern.test(line));
    const rank = WARNS.test(line) ? found + TELLING.length : found;
    if (found < 0 || (best !== null && rank >= best.rank) || !saysSomething(line)) continue;
    best = { line, rank };
    if (rank === 0) break;
  }
  return best === null ? null : shownLine(best.line, LINE_CHARACTERS);
}

/** Of a runner: "[lint:go]". */
const TAG = /^\s*\[[\w:.-]{1,40}\]\s*/;

function saysSomething(line: string): boolean {
  const said =
    line
      .replace(TAG, "")
      .toLowerCase()
      .match(/[\p{L}_]{2,}/gu) ?? [];
  const telling = said.filter((word) => !EMPTY_WORDS.has(word));
  return telling.length >= LEAST_WORDS || telling.some((word) => word.length >= NAME_CHARACTERS);
}

/** Both ends of what was printed, and the telling line where it stood between them. */
export function shortOutput(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const line = tellingLine(text) ?? "";
  const room = Math.max(0, characters - line.length - 2 * GAP.length);
  const [head, tail] = [cut(text, Math.floor(room / 2)), text.slice(text.length - Math.ceil(room / 2)).toWellFormed()];
  const isShown = line === "" || head.includes(line) || tail.includes(line);
  return isShown ? `${head}${GAP}${tail}` : `${head}${GAP}${line}${GAP}${tail}`;
}

const GAP = "\n…\n";

/** Runs of tests, builds and linters: whether a command is one, and what it printed that tells the outcome. */
export interface CheckRun {
  command: string;
  passed: boolean;
  outcome: string;
}

/** These do nothing else. */
const CHECKERS: ReadonlySet<string> = new Set(
  (
    "pytest jest vitest mocha ava tap jasmine karma cypress rspec phpunit pest tox nox ctest gotestsum busted bats " +
    "tsc vue-tsc eslint biome oxlint stylelint ruff mypy pyright flake8 pylint golangci-lint staticcheck shellcheck " +
    "hadolint rubocop swiftlint ktlint detekt phpstan psalm credo dialyzer clippy typecheck"
  ).split(" "),
);
/** These do what their first words say. */
const TASKS: ReadonlySet<string> = new Set(
  (
    "npm pnpm yarn bun deno node go cargo dotnet swift mvn mvnw gradle gradlew make gmake cmake ninja just task mise rake " +
    "rails mix zig composer nx turbo bazel lerna rush moon xcodebuild flutter dart sbt lein stack cabal python python3 " +
    "ruby php prettier black docker playwright"
  ).split(" "),
);
const TASK =
  /^(?:[\w.@:/-]*[:/])?(?:(?:unit|integration|e2e)-?)?(?:tests?|lint|check|build|compile|verify|vet|clippy|typecheck|type-check|tsc|pytest|unittest|jest|vitest|eslint|mypy|ruff|nextest|e2e|spec|--check|--test)(?:[:.-][\w.:-]*)?$/i;
const TASK_WORDS = 4;
/** Options whose value is no task. */
const VALUED: ReadonlySet<string> = new Set(
  "-C -f -F -p -w --prefix --filter --workspace --manifest-path --project --dir".split(" "),
);
const COMMAND_CHARACTERS = 100;
const OUTCOME_CHARACTERS = 140;

function isCheck([program = "", ...rest]: readonly string[]): boolean {
  if (CHECKERS.has(program)) return true;
  if (!TASKS.has(program)) return false;
  if (INTERPRETERS.has(program)) return rest.includes("--test") || (rest[0] === "-m" && TASK.test(rest[1] ?? ""));
  const tasks = rest
    .filter((word, index) => !VALUED.has(rest[index - 1] ?? "") && !VALUED.has(word))
    .slice(0, TASK_WORDS);
  if (NOT_RUN.has(tasks[0] ?? "")) return false;
  return tasks.length === 0 ? program === "make" : tasks.some((word) => TASK.test(word));
}

/** They run a program, whose words are its own. */
const INTERPRETERS: ReadonlySet<string> = new Set("node python python3 ruby php".split(" "));

/** They fetch what they name. */
const NOT_RUN: ReadonlySet<string> = new Set(
  "install i add ci remove uninstall update upgrade outdated ls list info view init new create publish get mod fetch clean login".split(
    " ",
  ),
);

const FAILED_LINE =
  /^[ \t]*(?:FAIL(?:ED|URES?)?\b|--- FAIL|not ok\b|[✗✘✖×⨯])|\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?|issues?|problems?)\b|\bERROR task failed|\bBUILD FAILED\b|\sFAILED$|\berror(?: TS\d+|\[\w+\])?: |^make(?:\[\d+\])?: \*\*\*/m;
const COUNTED =
  /\b\d+\s+(?:tests?|passed|passing|failed|failing|failures?|errors?|issues?|problems?|warnings?|examples?|specs?|suites?|assertions?|ok)\b|^\s*Tests?:|\btest result:|^# (?:pass|tests)\s/i;
const ENDED_WELL =
  /^\s*(?:ok\s|PASS\b|OK\b|BUILD SUCCESS|Finished\b|All .*passed|Success|Done in|✓|✔|Compiled\b|Build )/;
/** A runner that shows what it runs. */
const ECHOED = /^\s*(?:\[[\w:.-]+\] )?\$ |^> |^\[[\w:.-]+\] /;
/** What a program says of a command that it let go on by itself. */
const IN_BACKGROUND = /^Command (?:is )?(?:running|was (?:manually )?moved)/;

/** The last one in a command; null when there is none, or its outcome cannot be told. */
export function checkRun(call: { command: string; output: string; failed: boolean }): CheckRun | null {
  const { output, failed } = call;
  const commands = shellCommands(call.command);
  const at = commands.findLastIndex((one) => isCheck(programWords(one)));
  if (at < 0 || IN_BACKGROUND.test(output)) return null;
  const { words, then } = commands[at]!;
  const isHidden = then === "|" || then === "||" || then === ";";
  const isTold = FAILED_LINE.test(output);
  const isLast = commands.slice(at).every(({ then: next }) => next === "|" || next === "");
  // Something after it failed, or before it.
  if (failed && !isTold && !isLast) return null;
  const passed = !failed && !(isHidden && isTold);
  return {
    command: shownLine(words.filter((word) => !/^\w+=/.test(word)).join(" "), COMMAND_CHARACTERS),
    passed,
    // What follows it may have printed anything.
    outcome: isLast || !passed ? shownLine(outcomeOf(output, passed), OUTCOME_CHARACTERS) : "",
  };
}

function outcomeOf(output: string, passed: boolean): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !ECHOED.test(line));
  if (!passed) return tellingLine(output) ?? lines.findLast((line) => FAILED_LINE.test(line)) ?? lines.at(-1) ?? "";
  return lines.findLast((line) => COUNTED.test(line) || ENDED_WELL.test(line)) ?? lines.at(-1) ?? "";
}
