/**
 * Turns: what was said between one prompt and the next, as evidence.
 *
 * A fold over events, so that a transcript read in steps gives the same turns as one read at once. What tools returned
 * is left out, except errors: the files and commands can be read again, what was said about them cannot.
 */
import type { SessionEvent } from "../../model/capture/session-event.ts";
import type { Role } from "../../model/memory/shelf.ts";
import { cutLine, shownLine } from "../../model/text/cut.ts";

interface Said {
  role: Role;
  text: string;
}

export interface LoggedTurn {
  fromLine: number;
  toLine: number;
  at: number | null;
  title: string;
  said: Said[];
}

/** Plain JSON, kept with the checkpoint of a transcript. */
export interface TurnLog {
  open: LoggedTurn | null;
  /** The latest calls, whose errors may still come. */
  calls: { call: string; text: string }[];
}

export const EMPTY_LOG: TurnLog = { open: null, calls: [] };

const TITLE_CHARACTERS = 120;
const LIMITS = { prompt: 8_000, reply: 4_000, call: 500, error: 1_000, turn: 24_000 } as const;
const CALLS_KEPT = 32;

export function logEvent(log: TurnLog, event: SessionEvent): { log: TurnLog; ended: LoggedTurn[] } {
  switch (event.kind) {
    case "start":
      return { log, ended: [] };
    case "prompt": {
      const { ended } = endTurn(log);
      return { log: { calls: [], open: said(opened(event), "user", cutLine(event.text, LIMITS.prompt)) }, ended };
    }
    case "reply":
      return { log: { ...log, open: said(continued(log, event), "assistant", cutLine(event.text, LIMITS.reply)) }, ended: [] }; // prettier-ignore
    case "call": {
      const calls = [...log.calls, { call: event.call, text: callText(event) }].slice(-CALLS_KEPT);
      return { log: { open: continued(log, event), calls }, ended: [] };
    }
    case "result": {
      const calls = log.calls.filter(({ call }) => call !== event.call);
      if (!event.isError) return { log: { open: continued(log, event), calls }, ended: [] };
      const made = log.calls.find(({ call }) => call === event.call)?.text;
      const error = cutLine(event.text.trim(), LIMITS.error);
      return {
        log: { open: said(continued(log, event), "tool", made ? `${made}\n${error}` : error), calls },
        ended: [],
      };
    }
    case "compaction":
      return endTurn(log);
  }
}

/** What was said so far is handed over; the turn goes on as another part. */
export function endTurn(log: TurnLog): { log: TurnLog; ended: LoggedTurn[] } {
  const { open, calls } = log;
  const isEmpty = open === null || open.said.length === 0;
  return { log: { open: null, calls }, ended: isEmpty ? [] : [open] };
}

const opened = ({ line, at, ...event }: SessionEvent): LoggedTurn => ({
  ...{ fromLine: line, toLine: line, at, said: [] },
  title: "text" in event && event.text !== null ? shownLine(event.text, TITLE_CHARACTERS) : "",
});

const continued = ({ open }: TurnLog, event: SessionEvent): LoggedTurn =>
  open ? { ...open, toLine: event.line } : { ...opened(event), title: "" };

function said(turn: LoggedTurn, role: Role, text: string): LoggedTurn {
  const trimmed = text.trim();
  const length = turn.said.reduce((sum, one) => sum + one.text.length, 0);
  if (trimmed === "" || length + trimmed.length > LIMITS.turn) return turn;
  return {
    ...turn,
    title: turn.title || shownLine(trimmed, TITLE_CHARACTERS),
    said: [...turn.said, { role, text: trimmed }],
  };
}

const callText = ({ tool, command, path }: Extract<SessionEvent, { kind: "call" }>): string =>
  cutLine(command ? `$ ${command}` : `${tool}${path ? ` ${path}` : ""}`, LIMITS.call);
