/**
 * Notes on a stretch of work while it lasts: what was said, where, and what failed.
 *
 * Nothing is chosen yet, because only the end of a stretch shows which message was the last of its turn and which words
 * came back. The notes are plain JSON and bounded: when full, the passage that promises least is dropped.
 */
import type { SessionEvent } from "../../../model/capture/session-event.ts";
import { commitMessage, isCommit } from "./commit-message.ts";
import { promiseOf } from "./sentences/cues.ts";
import { errorLine } from "./error-line.ts";
import { isPublishingTool, publishedText } from "./published-text.ts";
import type { Passage, Place } from "./passage.ts";
import { unitsOf } from "./sentences/units.ts";

export interface Notes {
  fromLine: number;
  toLine: number;
  branch: string | null;
  turn: number;
  passages: Passage[];
  /** Characters in all passages. */
  size: number;
  /** Calls whose result is awaited: the command by the call's id. */
  calls: [call: string, command: string][];
  /** Seen since the last reply. */
  error: string | null;
  /** Failed in this turn and not repeated since: the error by what the command runs. */
  failed: [runs: string, error: string][];
  /** The error whose command went through since the last reply. */
  fixed: string | null;
  files: string[];
}

const MOST_CHARACTERS = 100_000;
const MOST_IN_MESSAGE = 24_000;
const MOST_CALLS = 20;
const MOST_FILES = 60;
const MOST_FAILED = 10;
/** A prompt this long was pasted: a plan, a review, a report. */
const PASTED_CHARACTERS = 600;

export const EMPTY_NOTES: Notes = {
  ...{ fromLine: -1, toLine: -1, branch: null, turn: 0, passages: [], size: 0, calls: [], error: null, files: [] },
  ...{ failed: [], fixed: null },
};

export function noted(notes: Notes, event: SessionEvent): Notes {
  if (event.kind === "start") return { ...notes, branch: event.branch ?? notes.branch };
  const known: Notes = {
    ...notes,
    fromLine: notes.fromLine < 0 ? event.line : notes.fromLine,
    toLine: event.line,
    branch: event.branch ?? notes.branch,
  };
  switch (event.kind) {
    case "prompt":
      return withPassage(
        { ...known, turn: known.turn + 1, error: null, failed: [], fixed: null },
        promptPlace(event.text),
        event,
      );
    case "reply":
      return { ...withPassage(known, "final", event), error: null, fixed: null };
    case "call":
      return withCall(known, event);
    case "result":
      return withResult(known, event);
    case "compaction":
      return withPassage({ ...known, turn: known.turn + 1 }, "compaction", event);
  }
}

const promptPlace = (text: string): Place => (text.length > PASTED_CHARACTERS ? "plan" : "prompt");

function withPassage(notes: Notes, place: Place, { text, line }: { text: string; line: number }): Notes {
  const units = unitsOf(text.slice(0, MOST_IN_MESSAGE));
  if (units.length === 0) return notes;
  const passage = {
    place,
    line,
    turn: notes.turn,
    error: place === "final" ? notes.error : null,
    fixed: place === "final" ? notes.fixed : null,
    units,
    promise: promiseOf(units, place),
  };
  return bounded({ ...notes, passages: [...notes.passages, passage], size: notes.size + sizeOf(passage) });
}

const sizeOf = ({ units }: Passage): number =>
  units.reduce((sum, { text, heading }) => sum + text.length + heading.length + 60, 0);

function bounded(notes: Notes): Notes {
  let { passages, size } = notes;
  while (size > MOST_CHARACTERS && passages.length > 1) {
    const promises = passages.map(({ promise }) => promise);
    const least = promises.indexOf(Math.min(...promises));
    size -= sizeOf(passages[least]!);
    passages = passages.toSpliced(least, 1);
  }
  return { ...notes, passages, size };
}

function withCall(notes: Notes, event: Extract<SessionEvent, { kind: "call" }>): Notes {
  const { turn } = notes;
  const passages = notes.passages.map((one) =>
    one.place === "final" && one.turn === turn ? { ...one, place: "middle" as const } : one,
  );
  let next: Notes = { ...notes, passages };
  if (event.command !== null)
    next = { ...next, calls: [...next.calls, [event.call, event.command] as [string, string]].slice(-MOST_CALLS) };
  if (event.path !== null && !next.files.includes(event.path))
    next = { ...next, files: [...next.files, event.path].slice(-MOST_FILES) };
  if (event.text === null) return next;
  const place = isPublishingTool(event.tool) ? "published" : /plan/i.test(event.tool) ? "plan" : null;
  return place === null ? next : withPassage(next, place, { text: event.text, line: event.line });
}

function withResult(notes: Notes, event: Extract<SessionEvent, { kind: "result" }>): Notes {
  const command = commandOf(notes, event.call);
  const calls = notes.calls.filter(([call]) => call !== event.call);
  const error = errorLine(event.text, event.isError);
  const runs = command === null ? null : whatRuns(command);
  const failed = runs === null ? notes.failed : notes.failed.filter(([other]) => other !== runs);
  if (error !== null) {
    const known = runs === null || error === "" ? failed : [...failed, [runs, error] as [string, string]];
    return { ...notes, calls, error, failed: known.slice(-MOST_FAILED) };
  }
  const message = command !== null && isCommit(command) ? commitMessage(command) : null;
  const fixed = notes.failed.find(([other]) => other === runs)?.[1] ?? notes.fixed;
  const published = command === null ? null : publishedText(command);
  let next: Notes = { ...notes, calls, failed, fixed };
  if (message !== null) next = withPassage(next, "commit", { text: message, line: event.line });
  return published === null ? next : withPassage(next, "published", { text: published, line: event.line });
}

/** The last program of a command line and its first word: "npm test" however it is reached. */
function whatRuns(command: string): string {
  const last = command
    .trim()
    .split(/&&|\|\||;|\n/)
    .at(-1)!
    .split("|")[0]!;
  return last.trim().split(/\s+/).slice(0, 2).join(" ");
}

const commandOf = ({ calls }: Notes, call: string): string | null => calls.find(([id]) => id === call)?.[1] ?? null;

/** Whether this result ends a commit that went through. */
export function isCommitted(notes: Notes, event: SessionEvent): boolean {
  if (event.kind !== "result" || event.isError) return false;
  const command = commandOf(notes, event.call);
  return command !== null && isCommit(command);
}
