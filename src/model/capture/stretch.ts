/** A stretch of work, and the few things worth remembering about it. */
import type { MemoryType } from "../memory/memory.ts";

export const STRETCH_ENDS = ["commit", "compaction", "session_end", "idle"] as const;
export type StretchEnd = (typeof STRETCH_ENDS)[number];

/** After this long without a word, what comes is another stretch of work. */
export const STRETCH_IDLE_MS = 30 * 60_000;
export const STRETCH_MEMORIES = 12;
export const CAPTURED_CHARACTERS = 400;

export interface Captured {
  type: MemoryType;
  /** At most `CAPTURED_CHARACTERS`. */
  content: string;
  /** Of a decision, which is proposed under it; else null. */
  subject: string | null;
  /** Of a decision: what was given up for it, and why. */
  rejected: string[];
  rationale: string | null;
  files: string[];
  symbols: string[];
  confidence: number;
  priority: number;
  /** It was introduced as a correction ("I was wrong: …"), which the content no longer says. */
  corrects?: true;
  /** The kind of phrase or place that it was found by. */
  cue: string;
  /** First and last line of the transcript that it was taken from. */
  lines: [number, number];
}

export interface Stretch {
  endedBy: StretchEnd;
  fromLine: number;
  toLine: number;
  branch: string | null;
  /** Best first, at most `STRETCH_MEMORIES`. */
  memories: Captured[];
}
