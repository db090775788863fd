/** What a hook reports, the same for every host, as it waits in the spool until it is digested. */
import * as z from "zod";

export const HOOK_HOSTS = ["claude-code", "codex", "cursor", "vscode", "gemini", "kimi"] as const;
export type HookHost = (typeof HOOK_HOSTS)[number];

export const HOOK_EVENTS = [
  ...(["session_start", "prompt", "tool", "failure", "turn_end", "compaction", "session_end"] as const),
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** A spool file holds one, at most 64 KB. */
export const Spooled = z.strictObject({
  /** Made from session, turn and content, so that a hook loaded twice is digested once. */
  id: z.string().regex(/^[0-9a-f]{32}$/),
  event: z.enum(HOOK_EVENTS),
  host: z.enum(HOOK_HOSTS),
  session: z.string().min(1).max(200),
  /** The host's id of the turn; null where it has none. */
  turn: z.string().max(200).nullable(),
  at: z.number(),
  /** The folder the host works in. */
  cwd: z.string().max(4_096),
  transcript: z.string().max(4_096).nullable(),
  /** Of a tool or its failure. */
  tool: z.string().max(200).nullable(),
  command: z.string().nullable(),
  path: z.string().max(4_096).nullable(),
  /** Redacted: the prompt, the last reply, the error, the summary, or the reason of the end. */
  text: z.string().nullable(),
});
export type Spooled = z.infer<typeof Spooled>;
