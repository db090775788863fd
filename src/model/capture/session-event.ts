/**
 * A session as every host records it: prompts, replies, tool calls and their results, in order.
 *
 * A transcript of any host is read into these events; everything after that knows no host.
 */
export const TRANSCRIPT_HOSTS = ["claude-code", "codex"] as const;
export type TranscriptHost = (typeof TRANSCRIPT_HOSTS)[number];

/** A prompt as the host itself notes it: what was typed, with a mark in place of each text that was pasted. */
export interface TypedPrompt {
  typed: string;
  at: number;
}

interface Recorded {
  /** Of the transcript, from 0. */
  line: number;
  /** Milliseconds; null where the transcript does not say. */
  at: number | null;
  /** Checked out at the time. */
  branch: string | null;
}

export type SessionEvent = Recorded &
  /** Nothing is said yet; hosts that name the branch only once name it here. */
  (| { kind: "start" }
    /** `typed`: the same with marks in place of what was pasted, where the host notes that. */
    | { kind: "prompt"; text: string; typed?: string }
    | { kind: "reply"; text: string }
    /** `command` of a shell, `path` of a file that was read or written. */
    | { kind: "call"; call: string; tool: string; command: string | null; path: string | null }
    | { kind: "result"; call: string; text: string; isError: boolean }
    /** The host replaced what was said so far by this summary. */
    | { kind: "compaction"; text: string }
    /** What the host calls the session. One that comes before anything is said may name the session before. */
    | { kind: "title"; text: string }
  );
