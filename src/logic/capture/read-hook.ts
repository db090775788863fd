/**
 * Reads what a host wrote to a hook: the same facts for every host, not yet redacted.
 *
 * Null when there is nothing to capture: unknown events, subagents, prompts that no person wrote, our own tools.
 */
import type { HookEvent, HookHost, Spooled } from "../../model/capture/spooled.ts";
import { eventNamed, hostOf } from "./hook-names.ts";
import { type Payload, isPayload, textIn } from "./payload.ts";
import { toolUse } from "./tool-use.ts";

export interface HookCall {
  /** As the command line has them; null if it has none. */
  event: string | null;
  host: string | null;
  payload: unknown;
}

/** `toolUseId`: the host's own id of the event, if it has one. */
export type Observed = Omit<Spooled, "id" | "at" | "cwd"> & { cwd: string | null; toolUseId: string | null };

type What = Pick<Observed, "event" | "tool" | "command" | "path" | "text" | "toolUseId">;

const NOTHING = { tool: null, command: null, path: null, text: null, toolUseId: null };
/** Of a prompt: the host itself asks. */
const NOBODY = ["system", "loop_wakeup", "schedule_wakeup", "poll_event"];

export function readHook({ event: named, host, payload }: HookCall): Observed | null {
  if (!isPayload(payload) || textIn(payload, "agent_id") !== null) return null;
  const event = eventNamed(named ?? textIn(payload, "hook_event_name", "hookEventName") ?? "");
  const what = event === null ? null : observe(event, payload);
  if (what === null) return null;
  const transcript = textIn(payload, "transcript_path");
  return {
    ...what,
    host: hostOf(payload, host) satisfies HookHost,
    session: textIn(payload, "session_id", "conversation_id", "sessionId") ?? transcript ?? "unknown",
    turn: textIn(payload, "turn_id", "prompt_id", "generation_id"),
    cwd: textIn(payload, "cwd") ?? firstFolder(payload["workspace_roots"]),
    transcript,
  };
}

const firstFolder = (roots: unknown): string | null =>
  Array.isArray(roots) && typeof roots[0] === "string" ? roots[0] : null;

function observe(event: HookEvent, payload: Payload): What | null {
  switch (event) {
    case "session_start":
      return { ...NOTHING, event, text: textIn(payload, "source") };
    case "prompt":
      return promptIn(payload);
    case "tool":
    case "failure":
      return toolIn(event, payload);
    case "turn_end":
      return { ...NOTHING, event, text: textIn(payload, "last_assistant_message", "prompt_response", "text") };
    case "compaction":
      return { ...NOTHING, event, text: textIn(payload, "compact_summary") };
    case "session_end":
      return { ...NOTHING, event, text: textIn(payload, "reason") };
  }
}

function promptIn(payload: Payload): What | null {
  const text = textIn(payload, "prompt");
  return text === null || NOBODY.includes(textIn(payload, "source") ?? "")
    ? null
    : { ...NOTHING, event: "prompt", text };
}

function toolIn(event: "tool" | "failure", payload: Payload): What | null {
  const use = toolUse(payload);
  if (use === null) return null;
  const { tool, command, path, output, error } = use;
  const isFailure = event === "failure" || error !== null;
  const text = isFailure ? (error ?? output) : output;
  const toolUseId = textIn(payload, "tool_use_id", "tool_call_id");
  return { event: isFailure ? "failure" : "tool", tool, command, path, text, toolUseId };
}
