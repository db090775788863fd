import type { MemoryType } from "../memory/item.ts";

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

/**
 * What a hook reports, the same for every host, as it waits in the spool until it is digested.
 *
 * Its schema is in `spooled-schema.ts`: a hook writes reports on every step of an agent and must not load zod for it.
 */
export const HOOK_HOSTS = ["claude-code", "codex", "cursor", "vscode", "gemini", "kimi"] as const;
export type HookHost = (typeof HOOK_HOSTS)[number];

export const HOOK_EVENTS = [
  ...(["session_start", "prompt", "tool", "failure", "turn_end", "compaction", "session_end"] as const),
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** As git writes it in full. */
export const COMMIT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** A spool file holds one report. */
export const SPOOLED_BYTES = 65_536;

/** Characters; what is longer is cut. */
export const SPOOLED_LIMITS = { name: 200, path: 4_096, command: 4_096, prompt: 16_384, error: 4_096, output: 2_048 };

export interface Spooled {
  /** 32 hexadecimal digits, made from session, turn and content, so that a hook loaded twice is digested once. */
  id: string;
  event: HookEvent;
  host: HookHost;
  session: string;
  /** The host's id of the turn; null where it has none. */
  turn: string | null;
  /** Milliseconds. */
  at: number;
  /** The folder the host works in. */
  cwd: string;
  transcript: string | null;
  /** What was checked out there: the branch, and its newest commit. Reports of earlier versions lack both. */
  branch?: string | null;
  commit?: string | null;
  /** Of a tool or its failure. */
  tool: string | null;
  /** Of a shell. */
  command: string | null;
  /** Of a file that was read or written. */
  path: string | null;
  /**
   * Redacted: the prompt, the last reply, the beginning and end of a shell's output, the error, the summary, how the
   * session started or why it ended.
   */
  text: string | null;
}

/** What is noted of a session: reports of hooks, and what an agent observes. Kept for a limited time. */
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

/** What is known of a session, counted: when it was, who held it, what it left and what it was handed. */
export interface SessionOutline {
  session: string;
  /** Empty if unknown. */
  host: string;
  firstAt: number;
  lastAt: number;
  /** When it was last reported to end; null if never. */
  endedAt: number | null;
  memories: number;
  proposals: number;
  evidence: number;
  /** How many items it was handed. */
  injected: number;
  /** How often a hook or an agent told of it, or it was handed anything. */
  reported: number;
}

/** The last that is known of a session, by one kind of trace. */
export interface SessionTrace {
  session: string;
  /** Empty if unknown. */
  host: string;
  /** event: a hook or an agent reported it; write: a verb changed something, other than upkeep. */
  by: "event" | "write";
  lastAt: number;
  /** When the session was last reported to end; null if never. */
  endedAt: number | null;
}

/** How far a transcript has been read, so that the next reader continues there. */
export interface Checkpoint {
  /** The path of its file. */
  transcript: string;
  session: string;
  /** The format of the state, under the name that it was given first: a state of another one starts anew. */
  extractor: string;
  /** In bytes, at the beginning of a line. */
  offset: number;
  /** The number of lines before the offset. */
  lines: number;
  /** How many of them could not be read. */
  skipped: number;
  /** What is carried over to the next reading, as JSON; null if nothing, as after an erasure. */
  state: unknown;
  /** Whether the state holds anything that waits for the end of a stretch of work. */
  isOpen: boolean;
  updatedAt: number;
}

/** The work of a session up to a pause, and what a language model says it taught, if one is configured. */
const STRETCH_ENDS = ["compaction", "session_end", "idle"] as const;
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
