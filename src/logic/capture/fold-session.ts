/**
 * Folds the events of a session into turns, which become evidence, and finished stretches of work.
 *
 * The state is plain JSON and kept with the checkpoint, so that a session read in any number of steps gives the same.
 */
import type { SessionEvent } from "../../model/capture/session-event.ts";
import type { Stretch, StretchEnd } from "../../model/capture/stretch.ts";
import { type ExtractorState, INITIAL_STATE, advance, finish } from "./extractor/extractor.ts";
import { EMPTY_LOG, type LoggedTurn, type TurnLog, endTurn, logEvent } from "./turn-log.ts";

/** Names the rules that made a state; another one starts anew. */
export const EXTRACTOR = "built-in 8";

export interface SessionState {
  extractor: ExtractorState;
  log: TurnLog;
  /** Of the stretch of work so far. */
  firstAt: number | null;
  lastAt: number | null;
  /** Of the bytes of the transcript before the offset; null where there is no file. */
  mark: string | null;
  /** The evidence kept of this stretch so far. */
  evidence: EvidenceSpan[];
}

/** The lines of a transcript that a piece of evidence was made from. */
export interface EvidenceSpan {
  from: number;
  to: number;
  id: string;
}

/** Turns in order, then the stretch that they end, if they do. */
export interface SessionPart {
  turns: LoggedTurn[];
  ended: { stretch: Stretch; from: number | null; to: number | null } | null;
}

export const NEW_SESSION: SessionState = {
  extractor: INITIAL_STATE,
  log: EMPTY_LOG,
  firstAt: null,
  lastAt: null,
  mark: null,
  evidence: [],
};

/** Whether anything still waits for the end of its stretch of work. */
export const isOpen = ({ log, firstAt }: SessionState): boolean => log.open !== null || firstAt !== null;

export function foldSession(
  before: SessionState,
  events: readonly SessionEvent[],
  endedBy: StretchEnd | null,
): { state: SessionState; parts: SessionPart[] } {
  let state = before;
  const parts: SessionPart[] = [];
  const note = (turns: LoggedTurn[], stretches: readonly Stretch[]) => {
    if (turns.length > 0) parts.push({ turns, ended: null });
    for (const stretch of stretches) {
      // What was said so far belongs to the stretch, though its turn goes on.
      const { log, ended } = endTurn(state.log);
      parts.push({ turns: ended, ended: { stretch, from: state.firstAt, to: state.lastAt } });
      state = { ...state, log, firstAt: null };
    }
  };
  for (const event of events) {
    const { state: extractor, ended } = advance(state.extractor, event);
    const isLate = ended.some(({ toLine }) => toLine < event.line);
    // A stretch that ended before this event must not contain it.
    if (isLate) note([], ended);
    const turn = logEvent(state.log, event);
    state = {
      ...state,
      extractor,
      log: turn.log,
      // A session in which nothing was said waits for nothing.
      firstAt: state.firstAt ?? (event.kind === "start" ? null : event.at),
      lastAt: event.at ?? state.lastAt,
    };
    note(turn.ended, isLate ? [] : ended);
  }
  if (endedBy !== null) {
    const { state: extractor, ended } = finish(state.extractor, endedBy);
    state = { ...state, extractor };
    note([], ended);
    const rest = endTurn(state.log);
    state = { ...state, log: rest.log, firstAt: null };
    note(rest.ended, []);
  }
  return { state, parts };
}
