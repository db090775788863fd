/**
 * A session as every host records it: prompts, replies, tool calls and their results, in order.
 *
 * A transcript of any host is read into these events; everything after that knows no host.
 */
export const TRANSCRIPT_HOSTS = ["claude-code", "codex"] as const;
export type TranscriptHost = (typeof TRANSCRIPT_HOSTS)[number];

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
    | { kind: "prompt"; text: string }
    | { kind: "reply"; text: string }
    /** `command` of a shell, `path` of a file that was read or written; `text` of a plan, or of what was written. */
    | { kind: "call"; call: string; tool: string; command: string | null; path: string | null; text: string | null }
    | { kind: "result"; call: string; text: string; isError: boolean }
    /** The host replaced what was said so far by this summary. */
    | { kind: "compaction"; text: string }
  );
