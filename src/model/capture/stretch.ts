/** The work of a session up to a pause, and what a language model says it taught, if one is configured. */
import type { MemoryType } from "../memory/memory.ts";

export const STRETCH_ENDS = ["compaction", "session_end", "idle"] as const;
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
  files: string[];
  symbols: string[];
  confidence: number;
  priority: number;
}
