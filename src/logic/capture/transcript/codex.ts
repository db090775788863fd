/**
 * Rollouts of Codex: response items in envelopes, or bare in files of older versions.
 *
 * Messages of the developer are instructions of the host, and `event_msg` lines repeat response items; both are left
 * out. A rollout names its branch only once, as it starts.
 */
import type { SessionEvent } from "../../../model/capture/session-event.ts";
import { withoutUnsaid } from "../unsaid-text.ts";
import { isObject, objectsOf, textIn, timeOf, type Json } from "./json-line.ts";
import { typedPrompt } from "./said-text.ts";

type Recorded = Pick<SessionEvent, "line" | "at" | "branch">;

const ENVELOPES: ReadonlySet<string> = new Set([
  "session_meta",
  "response_item",
  "compacted",
  "turn_context",
  "event_msg",
  "world_state",
]);
const ITEMS: ReadonlySet<string> = new Set([
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "custom_tool_call",
]);
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.{1,4096})$/gm;
const PATCHED_MOST = 20;
const PATCHING = "apply_patch";
const PATCHES = /\bapply_?patch\b/;
const EXIT_CODE = /^(?:Exit code: |Process exited with code )(\d+)/m;
/** The host ran nothing. */
const REFUSED = /^(?:unsupported call: |apply_patch verification failed)/;
/** What stands above everything that a command printed. */
const FRAME =
  /^(?:(?:Chunk ID|Wall time|Exit code|Process (?:exited|running) with|Original token count|Total output lines)[^\n]{0,200}\n){1,8}Output:\n/;

export function isCodex(object: Json): boolean {
  const type = textIn(object, "type") ?? "";
  return isObject(object["payload"])
    ? ENVELOPES.has(type)
    : ITEMS.has(type) || textIn(object, "record_type") === "state";
}

export function codexSession(object: Json): { session: string | null; cwd: string | null } {
  const payload = isObject(object["payload"]) ? object["payload"] : {};
  const isMeta = textIn(object, "type") === "session_meta";
  return { session: isMeta ? textIn(payload, "id") : null, cwd: textIn(payload, "cwd") };
}

/** Null when the line is an item that could not be read. */
export function codexEvents(object: Json, line: number): SessionEvent[] | null {
  const type = textIn(object, "type");
  const recorded = { line, at: timeOf(object["timestamp"]), branch: null };
  const payload = object["payload"];
  if (type === "session_meta") {
    const git = isObject(payload) ? payload["git"] : null;
    return [{ ...recorded, kind: "start", branch: isObject(git) ? textIn(git, "branch") || null : null }];
  }
  if (type === "response_item") return isObject(payload) ? eventsOfItem(payload, recorded) : null;
  if (type === "compacted") {
    const summary = isObject(payload) ? textIn(payload, "message") : null;
    return [{ ...recorded, kind: "compaction", text: withoutUnsaid(summary ?? "") }];
  }
  return type !== null && ITEMS.has(type) ? eventsOfItem(object, recorded) : [];
}

function eventsOfItem(item: Json, recorded: Recorded): SessionEvent[] | null {
  switch (textIn(item, "type")) {
    case "message":
      return eventsOfMessage(item, recorded);
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
      return callsOf(item, recorded);
    case "function_call_output":
    case "custom_tool_call_output":
      return [resultOf(item, recorded)];
    default:
      return [];
  }
}

function eventsOfMessage(item: Json, recorded: Recorded): SessionEvent[] | null {
  const content = item["content"];
  if (!Array.isArray(content)) return null;
  const texts = content.filter(isObject).map((block) => textIn(block, "text") ?? "");
  const role = textIn(item, "role");
  if (role === "user")
    return texts.flatMap((text) => {
      const typed = typedPrompt(text);
      return typed === null ? [] : [{ ...recorded, kind: "prompt" as const, text: typed }];
    });
  if (role !== "assistant") return [];
  const reply = withoutUnsaid(texts.join("\n")).trim();
  return reply === "" ? [] : [{ ...recorded, kind: "reply", text: reply }];
}

/** A patch edits each of its files, also where a shell was told to apply it. */
function callsOf(item: Json, recorded: Recorded): SessionEvent[] {
  const written = textIn(item, "arguments") ?? textIn(item, "input") ?? "";
  const given = item["action"] ?? objectsOf(written).objects[0];
  const input = isObject(given) ? given : {};
  const command = commandOf(input["command"] ?? input["cmd"]);
  const applied = command !== null && PATCHES.test(command) ? command : "";
  const patch = textIn(item, "input") ?? textIn(input, "input") ?? applied;
  const patched = [...new Set([...patch.matchAll(PATCHED)].map(([, path]) => path!.trim()))].slice(0, PATCHED_MOST);
  // A tool of a server is named within its namespace.
  const name = [textIn(item, "namespace"), textIn(item, "name")].filter((part) => part !== null).join("__");
  const call = {
    ...({ ...recorded, kind: "call", call: textIn(item, "call_id") ?? "" } as const),
    tool: patched.length > 0 ? PATCHING : name || "shell",
    command: command === null ? null : withoutUnsaid(command),
    path: patched[0] ?? textIn(input, "path") ?? textIn(input, "file_path"),
  };
  return [call, ...patched.slice(1).map((path) => ({ ...call, command: null, path }))];
}

/** `["bash", "-lc", "git status"]` is the command `git status`. */
function commandOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return null;
  const words = value.filter((word): word is string => typeof word === "string");
  const isShell = /^(?:\S*\/)?(?:ba|z|da)?sh$/.test(words[0] ?? "") && /^-\w*c$/.test(words[1] ?? "");
  return isShell ? words.slice(2).join(" ") : words.join(" ");
}

function resultOf(item: Json, recorded: Recorded): SessionEvent {
  const output = item["output"];
  const wrapped = typeof output === "string" ? objectsOf(output).objects[0] : isObject(output) ? output : undefined;
  const inner = wrapped && (textIn(wrapped, "output") ?? textIn(wrapped, "content"));
  const metadata = wrapped?.["metadata"];
  const code = isObject(metadata) ? metadata["exit_code"] : undefined;
  const text = withoutUnsaid(inner ?? (typeof output === "string" ? output : ""));
  const exit = typeof code === "number" ? code : Number(EXIT_CODE.exec(text.slice(0, 400))?.[1] ?? 0);
  const isError = exit !== 0 || wrapped?.["success"] === false || REFUSED.test(text);
  return { ...recorded, kind: "result", call: textIn(item, "call_id") ?? "", text: text.replace(FRAME, ""), isError };
}
