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
