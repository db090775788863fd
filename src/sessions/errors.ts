/**
 * Errors that tools met: the line that tells one, a key by which the same error is known another day, and how the
 * session got over it.
 */
import type { Item } from "../memory/item.ts";
import { shownLine } from "../text/short-text.ts";
import type { SessionError } from "./card.ts";
import { checkRun, tellingLine, whatRuns } from "./commands.ts";
import type { Part, SessionTurn, ToolCall } from "./turns.ts";

/** A memory of what a tool printed in several sessions, until somebody words it anew. It is told to nobody unasked. */
export const isPrinted = ({ details, hash }: Pick<Item, "details" | "hash">): boolean => details["made"] === hash;

interface ErrorSignature {
  /** As it was printed, on one line. */
  line: string;
  /** Without what differs from one day, folder or run to the next. */
  key: string;
}

export function errorSignature(text: string): ErrorSignature | null {
  const line = tellingLine(text);
  return line === null ? null : { line, key: keyOf(line) };
}

/** In this order: what is found first is not read again. */
const VARYING: readonly [RegExp, string][] = [
  [/["'`“”‘’«»]/g, "'"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "#"],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, "#"],
  [/\b[a-z][a-z0-9+.-]{0,10}:\/\/[^\s'<>()]{1,300}/gi, "url"],
  /** A folder, but not the file in it. */
  [/(?:[A-Za-z]:)?(?:[\\/]|(?:[\w.@~+-]+[\\/]))(?:[\w.@~+-]+[\\/])*(?=[\w.@~+-])/g, ""],
  /** Names that are made up anew each time. */
  [/\b(?:tmp|temp)[._-]?\w+(?:\.\w+)*/gi, "tmp"],
  [/\b0x[0-9a-f]+\b/gi, "#"],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/gi, "#"],
  /** But not a code such as "TS2304" or "E11". */
  [/(?<![A-Za-z_\d])\d+(?:[.,]\d+)*(?:\s?(?:ms|µs|ns|s|m|h|kb|mb|gb|b)\b)?/gi, "#"],
  [/#(?:[:,.]#)+/g, "#"],
];

function keyOf(line: string): string {
  let key = line;
  for (const [pattern, by] of VARYING) key = key.replace(pattern, by);
  return key.trim().toLowerCase();
}

const FILES_MOST = 3;
const CHANGED_CHARACTERS = 200;

type Call = ToolCall & Pick<Part, "text" | "at">;

/** A call that worked, with the key of the error that it printed all the same. */
interface Success {
  index: number;
  key: string | null;
}

/**
 * The errors of a session, each once: the first time that it was got over, else the last time that it was met. It was got
 * over when the same was seen to work later, without printing it. Every call is looked at once.
 */
export function errorsOf(turns: readonly SessionTurn[]): SessionError[] {
  const calls = turns.flatMap(({ at, parts }) =>
    parts.flatMap((part) => (part.call === undefined ? [] : [{ ...part.call, text: part.text, at: part.at ?? at }])),
  );
  const runs = calls.map(runOf);
  const failing = new Set(runs.filter((_, index) => calls[index]!.failed));
  // Of each run, the next success, and the next that printed something else.
  const successes = new Map<string, Success[]>();
  const met: { error: SessionError; index: number; success: Success | undefined }[] = [];
  for (let index = calls.length - 1; index >= 0; index -= 1) {
    const [call, run] = [calls[index]!, runs[index]!];
    if (!failing.has(run) || (!call.failed && run === null)) continue;
    const signature = errorSignature(call.text);
    const next = run === null ? [] : (successes.get(run) ?? []);
    if (call.failed) {
      if (signature === null || call.at === null) continue;
      const success = next.find(({ key }) => key !== signature.key);
      met.push({ error: { ...signature, at: call.at, changed: null }, index, success });
    } else if (run !== null && worked(call)) {
      const key = signature?.key ?? null;
      successes.set(run, [{ index, key }, ...next.filter((one) => one.key !== key).slice(0, 1)]);
    }
  }
  const errors = new Map<string, SessionError>();
  for (const { error, index, success } of met.toReversed())
    if (!errors.get(error.key)?.changed)
      errors.set(error.key, { ...error, changed: success ? changedBy(calls, index, success.index) : null });
  return [...errors.values()];
}

const EDITING = "editing ";

/** The files that such a text names. */
export const filesChanged = (changed: string): string[] =>
  changed.startsWith(EDITING) ? changed.slice(EDITING.length).split("; ")[0]!.split(", ") : [];

/** The files that were edited between, last first, and the command that went through, if it is another. */
function changedBy(calls: readonly Call[], failed: number, success: number): string | null {
  const edited = new Set<string>();
  for (const { edits, failed: isVain, path } of calls.slice(failed + 1, success))
    if (edits && !isVain && path !== null) edited.add(path);
  const files = [...edited].toReversed().slice(0, FILES_MOST);
  const { command } = calls[success]!;
  const said = [
    ...(files.length > 0 ? [`${EDITING}${files.join(", ")}`] : []),
    ...(command === null || command === calls[failed]!.command
      ? []
      : [`running ${shownLine(command, CHANGED_CHARACTERS)}`]),
  ].join("; ");
  return said === "" ? null : shownLine(said, 2 * CHANGED_CHARACTERS);
}

/** Behind a pipe a failure goes unseen, but not what it prints. */
const worked = ({ command, text }: Call): boolean =>
  command === null || checkRun({ command, output: text, failed: false })?.passed !== false;

function runOf({ command, path, name }: Call): string | null {
  if (command !== null) return whatRuns(command);
  return path === null ? null : `${name} ${path}`;
}
