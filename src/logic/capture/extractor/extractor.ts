/**
 * Turns a session into memories, event by event.
 *
 * A fold: the state is plain JSON and bounded, so a run that resumes from it equals one run over everything. A stretch
 * ends at a commit, a compaction, half an idle hour or with the session; only then are memories chosen.
 */
import type { SessionEvent } from "../../../model/capture/session-event.ts";
import { STRETCH_IDLE_MS, type Stretch, type StretchEnd } from "../../../model/capture/stretch.ts";
import { chosen } from "./choose.ts";
import { EMPTY_NOTES, isCommitted, noted, type Notes } from "./notes.ts";

export interface ExtractorState {
  notes: Notes;
  /** The last memories of earlier stretches, so that a summary of the session does not repeat them. */
  told: string[];
  /** When the last event happened. */
  at: number | null;
}

export const INITIAL_STATE: ExtractorState = { notes: EMPTY_NOTES, told: [], at: null };

const MOST_TOLD = 36;

interface Step {
  state: ExtractorState;
  ended: Stretch[];
}

export function advance(state: ExtractorState, event: SessionEvent): Step {
  const isIdle = state.at !== null && event.at !== null && event.at - state.at > STRETCH_IDLE_MS;
  const before = isIdle ? finish(state, "idle") : { state, ended: [] };
  const { notes } = before.state;
  const end = event.kind === "compaction" ? "compaction" : isCommitted(notes, event) ? "commit" : null;
  const next: ExtractorState = { ...before.state, notes: noted(notes, event), at: event.at ?? state.at };
  if (end === null) return { state: next, ended: before.ended };
  const after = finish(next, end);
  return { state: after.state, ended: [...before.ended, ...after.ended] };
}

/** Ends the stretch; one in which nothing was said leaves nothing. */
export function finish(state: ExtractorState, endedBy: StretchEnd): Step {
  const { notes } = state;
  const begun = { ...state, notes: { ...EMPTY_NOTES, branch: notes.branch } };
  if (notes.passages.length === 0) return { state: begun, ended: [] };
  const { fromLine, toLine, branch } = notes;
  const memories = chosen(notes, state.told);
  const told = [...state.told, ...memories.map(({ content }) => content)].slice(-MOST_TOLD);
  return { state: { ...begun, told }, ended: [{ endedBy, fromLine, toLine, branch, memories }] };
}
