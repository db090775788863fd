/** The line of a failed output that tells what went wrong. */
import { cut, shownLine } from "../../model/text/cut.ts";
import { withoutTerminalSequences } from "../capture/terminal-sequences.ts";

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
