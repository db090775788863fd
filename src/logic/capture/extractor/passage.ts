/** One message of a session, cut into sentences, and where in the work it stands. */
import type { Unit } from "./sentences/units.ts";

/** A final reply has no tool call after it in its turn; a plan was pasted or written, not typed. */
export type Place = "prompt" | "plan" | "middle" | "final" | "commit" | "published" | "compaction";

export interface Passage {
  place: Place;
  line: number;
  turn: number;
  /** The error that the agent had just seen; null when there was none. */
  error: string | null;
  /** The error whose command has just gone through; null when there was none. */
  fixed: string | null;
  units: Unit[];
  /** What it may yield at best; the least is dropped when there are too many. */
  promise: number;
}
