/**
 * What a hook prints so that its host hands memory to the agent: each host in its own shape, and nothing where a host has
 * no place for it.
 *
 * Hosts cut or put aside what is too long, so such a text is not printed at all.
 */
import type { NudgeKind } from "../sessions/picks.ts";
import type { HookEvent, HookHost, Spooled } from "../sessions/session.ts";

/** Codex takes 2,500 tokens, Claude Code 10,000 characters. A token has at least one byte, and usually three. */
const ANSWER_BYTES = 7_500;

/** The events after which memory may be injected. */
const CONTEXT_EVENTS = ["session_start", "prompt", "failure"] as const satisfies readonly HookEvent[];
export type ContextEvent = (typeof CONTEXT_EVENTS)[number];

export const isContextEvent = (event: HookEvent): event is ContextEvent =>
  (CONTEXT_EVENTS as readonly HookEvent[]).includes(event);

type Shape = (text: string) => string;

const json = (value: unknown): string => `${JSON.stringify(value)}\n`;
const named =
  (hookEventName: string): Shape =>
  (additionalContext) =>
    json({ hookSpecificOutput: { hookEventName, additionalContext } });
const plain: Shape = (text) => `${text}\n`;

const SHAPES: Readonly<Record<HookHost, Partial<Record<ContextEvent, Shape>>>> = {
  "claude-code": {
    session_start: named("SessionStart"),
    prompt: named("UserPromptSubmit"),
    failure: named("PostToolUseFailure"),
  },
  // A tool that failed is reported like any other.
  codex: { session_start: named("SessionStart"), prompt: named("UserPromptSubmit"), failure: named("PostToolUse") },
  cursor: { session_start: (additional_context) => json({ additional_context }) },
  vscode: { session_start: named("SessionStart") },
  gemini: { session_start: named("SessionStart"), prompt: named("BeforeAgent") },
  kimi: { session_start: plain, prompt: plain },
};

/** Whether this host hands on what a hook prints after this event. */
export const takesContext = (host: HookHost, event: ContextEvent): boolean => SHAPES[host][event] !== undefined;

/** Null if nothing is to be printed. */
export function hookAnswer(host: HookHost, event: ContextEvent, text: string): string | null {
  if (text.trim() === "" || Buffer.byteLength(text) > ANSWER_BYTES) return null;
  return SHAPES[host][event]?.(text) ?? null;
}

// What a hook asks for on behalf of a session: memory to hand over after one of its events.

/** As in the report of the event: `text` is how the session started, the prompt, or what a failed tool printed. */
export interface ContextRequest extends Pick<Spooled, "id" | "host" | "session" | "text" | "transcript"> {
  event: Extract<Spooled["event"], "session_start" | "prompt" | "failure">;
  /** A folder of the project. */
  project: string;
}

/** How a nudge is named among what a session was given. */
const BEGINNING = "nudge ";

export const nudgeKey = (kind: NudgeKind): string => BEGINNING + kind;

export const isNudge = (key: string): boolean => key.startsWith(BEGINNING);
