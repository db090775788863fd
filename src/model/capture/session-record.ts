/** What is noted of a session: reports of hooks, and what an agent observes. Kept for a limited time. */
import type { HookEvent } from "./spooled.ts";

export const OBSERVED_EVENTS = [
  ...(["file_opened", "command_executed", "error_occurred", "decision_made"] as const),
  ...(["session_start", "session_end", "pattern_detected", "user_feedback"] as const),
] as const;
export type ObservedEvent = (typeof OBSERVED_EVENTS)[number];

export type RecordKind = HookEvent | ObservedEvent;

export interface SessionRecord {
  /** Made from session, turn and content, so that what is reported twice is noted once. */
  id: string;
  kind: RecordKind;
  session: string;
  /** Of the host, or the number of prompts before; null where neither is known. */
  turn: string | null;
  at: number;
  /** Without secrets. */
  payload: Readonly<Record<string, unknown>>;
}
