/**
 * Errors that tools met: the line that tells one, a key by which the same error is known another day, and how the
 * session got over it.
 */
import type { Item } from "../memory/item.ts";
import { shownLine } from "../text/short-text.ts";
import type { SessionError } from "./card.ts";
import { checkRun, tellingLine, whatRuns } from "./commands.ts";
import type { Part, SessionTurn } from "./turns.ts";

/** A memory of what a tool printed in several sessions, until somebody words it anew. It is told to nobody unasked. */
export const isPrinted = ({ details, hash }: Pick<Item, "details" | "hash">): boolean => details["made"] === hash;

export interface ErrorSignature {
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

export interface GotOver {
  at: number | null;
  /** Edited between the failure and the success, last first. */
  files: string[];
  /** The command that went through, when it is another than the one that failed. */
  command: string | null;
}

const FILES_MOST = 3;

/** How a failed call was got over in its session; null when the same was not seen to work later. */
export function gotOver(turns: readonly SessionTurn[], failed: Part): GotOver | null {
  const parts = turns.flatMap((turn) => turn.parts);
  const start = parts.indexOf(failed);
  if (start < 0 || failed.call === undefined) return null;
  const error = errorSignature(failed.text);
  const runs = runOf(failed);
  const files: string[] = [];
  for (const part of parts.slice(start + 1)) {
    const { call } = part;
    if (call === undefined || call.failed) continue;
    if (runs !== null && runOf(part) === runs && worked(part, error)) {
      const command = call.command === null || call.command === failed.call.command ? null : call.command;
      return { at: part.at, files: files.slice(0, FILES_MOST), command };
    }
    if (call.edits && call.path !== null) files.unshift(...(files.includes(call.path) ? [] : [call.path]));
  }
  return null;
}

const CHANGED_CHARACTERS = 200;

/** The errors of a session, each once: the first time that it was got over, else the last time that it was met. */
export function errorsOf(turns: readonly SessionTurn[]): SessionError[] {
  const errors = new Map<string, SessionError>();
  for (const turn of turns)
    for (const part of turn.parts) {
      if (part.call?.failed !== true) continue;
      const signature = errorSignature(part.text);
      const at = part.at ?? turn.at;
      if (signature === null || at === null || errors.get(signature.key)?.changed) continue;
      errors.set(signature.key, { ...signature, at, changed: changedBy(gotOver(turns, part)) });
    }
  return [...errors.values()];
}

const EDITING = "editing ";

/** The files that such a text names. */
export const filesChanged = (changed: string): string[] =>
  changed.startsWith(EDITING) ? changed.slice(EDITING.length).split("; ")[0]!.split(", ") : [];

function changedBy(got: GotOver | null): string | null {
  if (got === null) return null;
  const files = got.files.length > 0 ? [`${EDITING}${got.files.join(", ")}`] : [];
  const command = got.command === null ? [] : [`running ${shownLine(got.command, CHANGED_CHARACTERS)}`];
  const said = [...files, ...command].join("; ");
  return said === "" ? null : shownLine(said, 2 * CHANGED_CHARACTERS);
}

/** Behind a pipe a failure goes unseen, but not what it prints. */
function worked({ call, text }: Part, error: ErrorSignature | null): boolean {
  if (error !== null && errorSignature(text)?.key === error.key) return false;
  return call?.command == null || checkRun({ command: call.command, output: text, failed: false })?.passed !== false;
}

function runOf({ call }: Part): string | null {
  if (call === undefined) return null;
  if (call.command !== null) return whatRuns(call.command);
  return call.path === null ? null : `${call.name} ${call.path}`;
}
