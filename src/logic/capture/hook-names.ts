/**
 * Which event a hook reports, and which host runs it.
 *
 * Hosts spell one event in many ways. VS Code and Cursor also run the hooks in Claude Code's settings, and Codex those of
 * its plugins, so the payload decides about the host where it can.
 */
import { HOOK_EVENTS, HOOK_HOSTS, type HookEvent, type HookHost } from "../../model/capture/spooled.ts";
import { type Payload, textIn } from "./payload.ts";

const SPELLINGS: Readonly<Record<string, HookEvent>> = {
  ...Object.fromEntries(HOOK_EVENTS.map((event) => [plain(event), event])),
  sessionstart: "session_start",
  userpromptsubmit: "prompt",
  userpromptsubmitted: "prompt",
  beforeagent: "prompt",
  beforesubmitprompt: "prompt",
  posttooluse: "tool",
  aftertool: "tool",
  posttoolusefailure: "failure",
  stop: "turn_end",
  afteragent: "turn_end",
  afteragentresponse: "turn_end",
  precompact: "compaction",
  postcompact: "compaction",
  precompress: "compaction",
  sessionend: "session_end",
};

/** Null for events that are not captured. */
export function eventNamed(name: string): HookEvent | null {
  const spelling = plain(name);
  return Object.hasOwn(SPELLINGS, spelling) ? SPELLINGS[spelling]! : null;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}

const GEMINI_EVENTS = /^(?:Before|After)(?:Agent|Tool)$|^PreCompress$/;

/** `named`: the host that the hook was set up for. */
export function hostOf(payload: Payload, named: string | null): HookHost {
  const event = textIn(payload, "hook_event_name") ?? "";
  if (textIn(payload, "cursor_version") !== null || Array.isArray(payload["workspace_roots"])) return "cursor";
  if (GEMINI_EVENTS.test(event)) return "gemini";
  const declared = HOOK_HOSTS.find((host) => host === named) ?? "claude-code";
  return declared === "claude-code" ? hostWithClaudeNames(payload, event, named === null) : declared;
}

/** Others that use Claude Code's names of events, or load its settings. */
function hostWithClaudeNames(payload: Payload, event: string, isUnnamed: boolean): HookHost {
  const transcript = textIn(payload, "transcript_path") ?? "";
  if (isUnnamed && /[\\/]\.gemini[\\/]/.test(transcript)) return "gemini";
  if (isUnnamed && /[\\/]\.kimi[\\/]/.test(transcript)) return "kimi";
  if (payload["timestamp"] !== undefined && payload["permission_mode"] === undefined) return "vscode";
  // Claude Code names its model when a session starts, Codex always.
  const namesModel = payload["model"] !== undefined && event !== "SessionStart";
  if (payload["turn_id"] !== undefined || namesModel || /[\\/]\.codex[\\/]/.test(transcript)) return "codex";
  return isUnnamed && payload["tool_output"] !== undefined ? "kimi" : "claude-code";
}
