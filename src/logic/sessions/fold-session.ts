/**
 * Folds the events of a session into turns, each of which becomes evidence.
 *
 * The state is plain JSON and kept with the checkpoint, so that a session read in any number of steps gives the same.
 */
import type { SessionEvent } from "../../model/capture/session-event.ts";
import type { Part, SessionTurn, ToolCall } from "../../model/sessions/turn.ts";
import { STRETCH_IDLE_MS, type StretchEnd } from "../../model/capture/stretch.ts";
import { cut } from "../../model/text/cut.ts";
import { typedParts } from "./label-parts.ts";

/** Names the rules that made a state; another one starts anew. */
export const EXTRACTOR = "turns 1";

interface OpenTurn extends SessionTurn {
  /** Characters in all parts. */
  size: number;
  /** Calls whose result may still come, with the part that waits for it. */
  calls: [call: string, part: number][];
}

export interface SessionState {
  open: OpenTurn | null;
  branch: string | null;
  lastAt: number | null;
  /** What the agent said last, which the next prompt may answer. */
  lastWords: string | null;
  /** Of the bytes of the transcript before the offset; null where there is no file. */
  mark: string | null;
  /** Evidence that a language model is yet to be asked about, if one is configured. */
  unread: string[];
}

/** A finished turn with what the agent had said before it; or the end of the work that the turns before belong to. */
export type SessionStep = { turn: SessionTurn; lastWords: string | null } | { ended: StretchEnd };

export const NEW_SESSION: SessionState = {
  ...{ open: null, branch: null, lastAt: null, lastWords: null, mark: null, unread: [] },
};

/** Whether anything still waits for the end of its turn, or of its work. */
export const isOpen = ({ open, unread }: SessionState): boolean => open !== null || unread.length > 0;

const CALLS_KEPT = 32;
/** A turn in which an agent works for hours is kept in several pieces. */
const TURN_CHARACTERS = 48_000;
const WORDS_CHARACTERS = 4_000;

export function foldSession(
  before: SessionState,
  events: readonly SessionEvent[],
  endedBy: StretchEnd | null,
): { state: SessionState; steps: SessionStep[] } {
  let state = before;
  const steps: SessionStep[] = [];
  const close = () => {
    const { open, lastWords } = state;
    state = { ...state, open: null };
    if (open === null || open.parts.length === 0) return;
    const { at, branch, parts } = open;
    const before = parts[0]!.label === "agent" || parts[0]!.label === "tool" ? null : lastWords;
    steps.push({ turn: { at, branch, parts }, lastWords: before });
    const last = parts.findLast(({ label, written }) => label === "agent" && written === undefined);
    if (last) state = { ...state, lastWords: last.text.slice(-WORDS_CHARACTERS) };
  };
  const end = (ended: StretchEnd) => {
    close();
    steps.push({ ended });
  };
  for (const event of events) {
    const isIdle = state.lastAt !== null && event.at !== null && event.at - state.lastAt > STRETCH_IDLE_MS;
    if (isIdle) end("idle");
    if (event.kind === "compaction") end("compaction");
    if (event.kind === "prompt" || (state.open?.size ?? 0) > TURN_CHARACTERS) close();
    state = { ...state, branch: event.branch ?? state.branch, lastAt: event.at ?? state.lastAt };
    // A session in which nothing was said waits for nothing.
    if (event.kind !== "start") state = { ...state, open: grown(state, event) };
  }
  if (endedBy !== null) end(endedBy);
  return { state, steps };
}

function grown({ open, branch }: SessionState, event: Exclude<SessionEvent, { kind: "start" }>): OpenTurn {
  const turn = open ?? { at: event.at, branch, parts: [], size: 0, calls: [] };
  const known = { ...turn, branch: turn.branch ?? branch, at: turn.at ?? event.at };
  if (event.kind === "call") {
    const calls = [...turn.calls, [event.call, turn.parts.length] as [string, number]].slice(-CALLS_KEPT);
    return withParts({ ...known, calls }, [{ label: "tool", text: "", at: event.at, call: callOf(event) }]);
  }
  if (event.kind === "result") return withResult(known, event);
  const { at, text } = event;
  if (event.kind === "prompt")
    return withParts(
      known,
      typedParts(text, event.typed ?? null).map((part) => ({ ...part, at })),
    );
  const written = event.kind === "reply" ? {} : { written: event.kind };
  return withParts(known, text.trim() === "" ? [] : [{ label: "agent", text: text.trim(), at, ...written }]);
}

const sizeOf = ({ text, call }: Part): number => text.length + (call?.command?.length ?? 0) + 100;

const withParts = (turn: OpenTurn, parts: readonly Part[]): OpenTurn => ({
  ...turn,
  parts: [...turn.parts, ...parts],
  size: parts.reduce((sum, part) => sum + sizeOf(part), turn.size),
});

const EDITS = /edit|write|patch|replace|create/i;

const callOf = ({ tool, command, path }: Extract<SessionEvent, { kind: "call" }>): ToolCall => ({
  ...{ name: tool, command, path, edits: path !== null && EDITS.test(tool), failed: false },
});

/** A result of a call in an earlier piece stands by itself. One of a call that edited several files stands with the first. */
function withResult(turn: OpenTurn, { call, text, isError, at }: Extract<SessionEvent, { kind: "result" }>): OpenTurn {
  const waiting = turn.calls.flatMap(([id, part]) => (id === call ? [part] : []));
  const calls = turn.calls.filter(([id]) => id !== call);
  const printed = text.trim();
  if (waiting.length === 0) {
    if (!isError) return { ...turn, calls };
    const alone = { name: "", command: null, path: null, edits: false, failed: true };
    return withParts({ ...turn, calls }, [{ label: "tool", text: printed, at, call: alone }]);
  }
  const parts = turn.parts.map((part, index) =>
    part.call && waiting.includes(index)
      ? { ...part, text: index === waiting[0] ? printed : "", call: { ...part.call, failed: isError } }
      : part,
  );
  return { ...turn, calls, parts, size: turn.size + printed.length };
}

/** Of each of the agent's messages: whole texts find a session worse. */
const AGENT_CHARACTERS = 400;
const PERSON_CHARACTERS = 8_000;

/** What is searched of a turn: what the person said, and how each of the agent's messages begins. */
export const searchedParts = ({ parts }: SessionTurn): Part[] =>
  parts
    .filter(({ label, written }) => label !== "tool" && written !== "title")
    .map((part) => ({ ...part, text: cut(part.text, part.label === "agent" ? AGENT_CHARACTERS : PERSON_CHARACTERS) }));
