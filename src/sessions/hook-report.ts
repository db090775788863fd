/**
 * Makes the report that is spooled: private parts removed, secrets redacted, then cut and named.
 *
 * The hash of its content names it, so that a hook loaded twice is digested once.
 */
import { REACH_CHARACTERS } from "../redaction/grown-text.ts";
import { beginning, bothEnds } from "../redaction/redact.ts";
import { redactEach } from "../redaction/rules/redaction.ts";
import { sha256 } from "../text/sha256.ts";
import { cut } from "../text/short-text.ts";
import { storableText, withoutUnsaid } from "./clean-text.ts";
import {
  HOOK_EVENTS,
  HOOK_HOSTS,
  type HookEvent,
  type HookHost,
  type Spooled,
  SPOOLED_BYTES,
  SPOOLED_LIMITS,
} from "./session.ts";

/** What a host writes to a hook: an object of anything. Nothing about it is trusted. */
type Payload = Readonly<Record<string, unknown>>;

const isPayload = (value: unknown): value is Payload =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The first of the fields that is a text with anything in it. */
function textIn(payload: Payload, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = Object.hasOwn(payload, name) ? payload[name] : undefined;
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return null;
}

function payloadIn(payload: Payload, name: string): Payload {
  const value = payload[name];
  return isPayload(value) ? value : {};
}

/**
 * Which event a hook reports, and which host runs it.
 *
 * Hosts spell one event in many ways. VS Code and Cursor also run the hooks in Claude Code's settings, and Codex those of
 * its plugins, so the payload decides about the host where it can.
 */
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
function eventNamed(name: string): HookEvent | null {
  const spelling = plain(name);
  return Object.hasOwn(SPELLINGS, spelling) ? SPELLINGS[spelling]! : null;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}

const GEMINI_EVENTS = /^(?:Before|After)(?:Agent|Tool)$|^PreCompress$/;

/** `named`: the host that the hook was set up for. */
function hostOf(payload: Payload, named: string | null): HookHost {
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

/**
 * What a tool did, as far as it matters: the command and output of a shell, the path of a file, otherwise its name.
 *
 * Hosts name their tools differently but agree on fields, so the fields decide. A response is an error if it says so.
 */
interface ToolUse {
  tool: string;
  command: string | null;
  path: string | null;
  /** Of a shell. */
  output: string | null;
  /** Null if it succeeded. */
  error: string | null;
}

const SHELL = /bash|shell|terminal|exec|command/i;
const FILE = /read|write|edit|create|replace|patch|notebook|file/i;
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.{1,4096})$/m;
const OWN = /^mcp_{1,2}(?:\w{0,100}[_-])?stele(?:[_-]|$)/i;
const FAILED = /^(?:Error: |Exit code [1-9])/;

/** Null for a tool without a name and for Stele's own tools, whose results it has already. */
export function toolUse(payload: Payload): ToolUse | null {
  const tool = textIn(payload, "tool_name", "toolName");
  if (tool === null || isOwn(tool, payload)) return null;
  const input = objectIn(payload, "tool_input", "toolArgs");
  const response = responseOf(payload);
  const command = commandIn(input);
  const patch = textIn(input, "input", "patch") ?? command ?? "";
  const patched = /patch/i.test(tool) ? (PATCHED.exec(patch)?.[1]?.trim() ?? null) : null;
  const isShell = SHELL.test(tool) && command !== null && patched === null;
  const path = isShell || !FILE.test(tool) ? null : (patched ?? pathIn(input));
  const output = isShell ? outputIn(response) : null;
  return { tool, command: isShell ? command : null, path, output, error: errorIn(response, payload) };
}

function isOwn(tool: string, payload: Payload): boolean {
  const server = textIn(payload, "mcp_server") ?? textIn(payloadIn(payload, "mcp_context"), "server_name");
  return OWN.test(tool) || /^(?:plugin:.*:)?stele$/i.test(server ?? "");
}

/** Cursor and Copilot write some objects as JSON in a text. */
function objectIn(payload: Payload, ...names: readonly string[]): Payload {
  const name = names.find((one) => payload[one] !== undefined) ?? "";
  const value = fromJson(payload[name]);
  return isPayload(value) ? value : {};
}

function responseOf(payload: Payload): unknown {
  return fromJson(payload["tool_response"] ?? payload["tool_output"] ?? payload["toolResult"]);
}

function fromJson(value: unknown): unknown {
  if (typeof value !== "string" || !value.startsWith("{")) return value;
  try {
    return JSON.parse(value);
  } catch {
    // A shell may print a brace.
    return value;
  }
}

function commandIn(input: Payload): string | null {
  const { command } = input;
  if (!Array.isArray(command)) return textIn(input, "command", "cmd");
  const words = command.filter((word) => typeof word === "string");
  // ["bash", "-lc", "make test"] runs the last one.
  return /^-\w*c$/.test(words[1] ?? "") ? (words[2] ?? null) : words.join(" ") || null;
}

const pathIn = (input: Payload): string | null =>
  textIn(input, "file_path", "filePath", "path", "absolute_path", "notebook_path", "target_file");

function outputIn(response: unknown): string | null {
  if (typeof response === "string") return response.trim() || null;
  if (!isPayload(response)) return null;
  const printed = [textIn(response, "stdout"), textIn(response, "stderr")].filter((text) => text !== null);
  if (printed.length > 0) return printed.join("\n");
  return textIn(response, "output", "llmContent", "returnDisplay", "textResultForLlm", "content");
}

function errorIn(response: unknown, payload: Payload): string | null {
  const told = textIn(payload, "error", "error_message") ?? textIn(payloadIn(payload, "error"), "message");
  if (told !== null) return told;
  if (typeof response === "string") return FAILED.test(response) ? response : null;
  if (!isPayload(response)) return null;
  const error = textIn(response, "error", "error_message") ?? textIn(payloadIn(response, "error"), "message");
  const exit = response["exit_code"] ?? response["exitCode"];
  const isBad = response["is_error"] === true || response["isError"] === true || response["success"] === false;
  if (error === null && !isBad && !(typeof exit === "number" && exit !== 0)) return null;
  return error ?? outputIn(response) ?? (typeof exit === "number" ? `Exit code ${exit}` : "It failed.");
}

/**
 * Reads what a host wrote to a hook: the same facts for every host, not yet redacted.
 *
 * Null when there is nothing to capture: unknown events, subagents, prompts that no person wrote, our own tools.
 */
interface HookCall {
  /** As the command line has them; null if it has none. */
  event: string | null;
  host: string | null;
  payload: unknown;
}

/** `toolUseId`: the host's own id of the event, if it has one. */
type Observed = Omit<Spooled, "id" | "at" | "cwd"> & { cwd: string | null; toolUseId: string | null };

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

const ID_DIGITS = 32;
const MINUTE_MS = 60_000;

const { name, path, command } = SPOOLED_LIMITS;
const FIELDS = {
  session: name,
  turn: name,
  cwd: path,
  transcript: path,
  branch: name,
  tool: name,
  command,
  path,
} as const;
type Field = keyof typeof FIELDS;

interface Circumstances {
  at: number;
  cwd: string;
  branch: string | null;
  commit: string | null;
  /** Null if there is no transcript. */
  transcriptBytes: number | null;
}

/** Null if nothing is left of a prompt. */
export function makeReport(
  observed: Observed,
  { at, cwd, branch, commit, transcriptBytes }: Circumstances,
): Spooled | null {
  const { event, host, toolUseId } = observed;
  const text = cleanText(event, observed.text);
  if (event === "prompt" && text === null) return null;
  const cleaned = cleanFields({ ...observed, cwd, branch });
  const { session, cwd: folder, ...rest } = cleaned;
  const facts = { event, host, session: session ?? "unknown", at, cwd: folder ?? "", ...rest, commit, text };
  return fitting({ id: idOf(facts, { toolUseId, transcriptBytes }), ...facts });
}

/** Nothing left of a field is null. */
function cleanFields(given: Readonly<Record<Field, string | null>>): Record<Field, string | null> {
  const fields = Object.keys(FIELDS) as Field[];
  const texts = fields.map((field) => said(given[field] ?? ""));
  const redacted = redactEach(texts.map((text) => (text.length > REACH_CHARACTERS ? "" : text)));
  const cleaned = fields.map((field, at) => {
    const isLong = texts[at]!.length > REACH_CHARACTERS;
    const text = isLong ? beginning(texts[at]!, FIELDS[field]) : cut(redacted[at]!, FIELDS[field]);
    return [field, text === "" ? null : text] as const;
  });
  return Object.fromEntries(cleaned) as Record<Field, string | null>;
}

/** Equal for the same event however often it is reported, and whichever host's settings the hook is in. */
function idOf(
  facts: Omit<Spooled, "id">,
  { toolUseId, transcriptBytes }: Pick<Observed, "toolUseId"> & Pick<Circumstances, "transcriptBytes">,
): string {
  const { event, session, turn, at, tool, command, path, text } = facts;
  // A tool that failed is one event, whether the host has a hook of its own for that or not.
  const kind = event === "failure" ? "tool" : event;
  // Without a turn, "yes" said again is told from the same event by how far the transcript has grown, or by the time.
  const moment = turn !== null ? null : transcriptBytes === null ? Math.floor(at / MINUTE_MS) : `${transcriptBytes} B`;
  const content = toolUseId ?? [tool, command, path, text, moment];
  return sha256(JSON.stringify([session, turn, kind, content])).slice(0, ID_DIGITS);
}

const LIMITS: Readonly<Record<HookEvent, number>> = {
  session_start: SPOOLED_LIMITS.name,
  prompt: SPOOLED_LIMITS.prompt,
  tool: SPOOLED_LIMITS.output,
  failure: SPOOLED_LIMITS.error,
  turn_end: SPOOLED_LIMITS.prompt,
  compaction: SPOOLED_LIMITS.prompt,
  session_end: SPOOLED_LIMITS.name,
};

function cleanText(event: HookEvent, text: string | null): string | null {
  const left = text === null ? "" : said(text).trim();
  const isPrinted = event === "tool" || event === "failure";
  const cleaned = isPrinted ? bothEnds(left, LIMITS[event]) : beginning(left, LIMITS[event]);
  return cleaned.trim() || null;
}

/** A NUL would end the text elsewhere, and could divide a secret. */
const said = (text: string): string => withoutUnsaid(storableText(text));

/** Letters beyond ASCII and control characters take several bytes, so a report may be too long for the spool after all. */
function fitting(report: Spooled): Spooled {
  let fits = report;
  for (let excess = bytesOf(fits) - SPOOLED_BYTES; excess > 0; excess = bytesOf(fits) - SPOOLED_BYTES) {
    const longest = SHORTENED.reduce((one, two) => (bytesOf(fits[two]) > bytesOf(fits[one]) ? two : one));
    const text = fits[longest] ?? "";
    fits = { ...fits, [longest]: cut(text, Math.floor(text.length / 2)) };
  }
  return fits;
}

/** What names the session, its folder and its transcript fits in any case, and would name another one if it were cut. */
const SHORTENED = ["text", "command", "path", "tool"] as const;
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
