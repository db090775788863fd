/** Reads a transcript line by line; a line never depends on another, so reading can resume anywhere. */
import { withoutUnsaid } from "./clean-text.ts";
import type { SessionEvent, TranscriptHost } from "./session.ts";

/**
 * The objects on one line of a transcript.
 *
 * A host that was interrupted or raced leaves broken lines and lines with two objects glued together. What can be read
 * is read; nothing throws.
 */
type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function objectsOf(line: string): { objects: Json[]; isSkipped: boolean } {
  if (line.trim() === "") return { objects: [], isSkipped: false };
  const whole = parsed(line);
  if (whole !== undefined) return isObject(whole) ? { objects: [whole], isSkipped: false } : SKIPPED;
  if (line.length > RECOVERED_CHARACTERS) return SKIPPED;
  const { objects, isTorn } = outermostObjects(line);
  const last = objects.length === 0 ? objectAfterTear(line) : undefined;
  return last === undefined ? { objects, isSkipped: isTorn } : { objects: [last], isSkipped: true };
}

/** A longer broken line is not worth the time and memory. */
const RECOVERED_CHARACTERS = 1_000_000;
const OBJECTS_MOST = 8;
const LINE_START = /\{"(?:type|parentUuid|timestamp|sessionId)":/g;
const SKIPPED = { objects: [], isSkipped: true };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A broken line is expected; the caller counts it.
    return undefined;
  }
}

/** The objects from each outermost brace to its partner; torn when one is no JSON or anything else lies outside. */
function outermostObjects(line: string): { objects: Json[]; isTorn: boolean } {
  const objects: Json[] = [];
  let isTorn = false;
  let seen = 0;
  let depth = 0;
  let start = 0;
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index]!;
    if (character === "{") {
      if (depth === 0 && seen === OBJECTS_MOST) return { objects, isTorn: true };
      if (depth === 0) start = index;
      depth += 1;
    } else if (depth === 0) isTorn ||= character.trim() !== "";
    else if (character === '"') index = endOfString(line, index);
    else if (character === "}") {
      depth -= 1;
      if (depth > 0) continue;
      seen += 1;
      const object = parsed(line.slice(start, index + 1));
      if (isObject(object)) objects.push(object);
      else isTorn = true;
    }
  }
  return { objects, isTorn: isTorn || depth > 0 };
}

function endOfString(line: string, start: number): number {
  for (let index = start + 1; index < line.length; index += 1) {
    if (line[index] === "\\") index += 1;
    else if (line[index] === '"') return index;
  }
  return line.length;
}

/** A line that a crash cut short, with the next one written behind it. */
function objectAfterTear(line: string): Json | undefined {
  let tries = 0;
  for (const { index } of line.slice(1).matchAll(LINE_START)) {
    const object = parsed(line.slice(index + 1));
    if (isObject(object)) return object;
    tries += 1;
    if (tries === OBJECTS_MOST) return undefined;
  }
  return undefined;
}

export const textIn = (object: Json, field: string): string | null => {
  const value = object[field];
  return typeof value === "string" ? value : null;
};

/** Milliseconds of an ISO time; null when there is none. */
function timeOf(value: unknown): number | null {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/**
 * What a person or an agent really said, without what a host or we ourselves put around it.
 *
 * Hosts record reminders, command wrappers and notices as if the person had typed them. Learning from those, or from
 * memories that were injected, would teach the store its own words.
 */
const WRAPPERS =
  "system-reminder|task-notification|local-command-[a-z]+|bash-(?:input|stdout|stderr)|user-prompt-submit-hook|" +
  "ide_[a-z_]+|session-memory|environment_context|user_instructions|INSTRUCTIONS|permissions instructions|" +
  "turn_aborted|subagent_notification|skill|collaboration_mode|user_shell_command|hook_context";
const WRAPPED = new RegExp(`<(${WRAPPERS})\\b[^<>]{0,200}>[\\s\\S]*?(?:</\\1>|$)`, "gi");
const NOTICE =
  /^\s*(?:\[Request interrupted|Caveat: The messages below|Base directory for this skill:|Operation stopped by hook|(?:SessionStart|UserPromptSubmit|Stop|PreToolUse|PostToolUse)(?::\w+)? hook |# AGENTS\.md instructions|\[Image)/i;

/** A prompt as the person typed it; null when the host wrote it. */
export function typedPrompt(text: string): string | null {
  const shown = withoutUnsaid(text);
  const command = between(shown, "<command-name>", "</command-name>")?.trim();
  if (command !== undefined && !command.includes("<"))
    return `${command} ${between(shown, "<command-args>", "</command-args>") ?? ""}`.trim();
  const typed = shown.replace(WRAPPED, " ").trim();
  return typed === "" || NOTICE.test(typed) ? null : typed;
}

/** Not a pattern: one that looks for the end of every beginning takes very long on a text of beginnings. */
function between(text: string, open: string, close: string): string | undefined {
  const start = text.indexOf(open);
  const end = start < 0 ? -1 : text.indexOf(close, start);
  return end < 0 ? undefined : text.slice(start + open.length, end);
}

/**
 * Transcripts of Claude Code: one message per line, whose content is a string or a list of blocks.
 *
 * Lines of subagents, and those that the host marks as its own, are left out; the format is unofficial, so every field
 * may be missing.
 */
const ANSWERED = "User has answered your questions:";

type Recorded = Pick<SessionEvent, "line" | "at" | "branch">;

const TYPES: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "system",
  "summary",
  "attachment",
  "progress",
  "file-history-snapshot",
  "ai-title",
  "custom-title",
]);
/** Where lines of these types have the title. `summary` lines at the beginning of a file name another session. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ["summary", "summary"],
  ["ai-title", "aiTitle"],
  ["custom-title", "customTitle"],
]);

function isClaudeCode(object: Json): boolean {
  const type = textIn(object, "type");
  return type !== null && !("payload" in object) && (TYPES.has(type) || textIn(object, "sessionId") !== null);
}

const claudeSession = (object: Json): { session: string | null; cwd: string | null } => ({
  session: textIn(object, "sessionId"),
  cwd: textIn(object, "cwd"),
});

/** Null when the line is a message that could not be read. */
function claudeEvents(object: Json, line: number): SessionEvent[] | null {
  const type = textIn(object, "type");
  if (type === null) return null;
  if (type !== "user" && type !== "assistant") return titleOf(object, type, line);
  if (object["isSidechain"] === true || object["isMeta"] === true) return [];
  const message = object["message"];
  if (!isObject(message)) return null;
  // The host's own words in the agent's place, mostly that a request failed.
  if (textIn(message, "model") === "<synthetic>") return [];
  const recorded = { line, at: timeOf(object["timestamp"]), branch: textIn(object, "gitBranch") || null };
  const content = message["content"];
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(blocks)) return null;
  const read = blocks.filter(isObject);
  if (object["isCompactSummary"] === true) return [{ ...recorded, kind: "compaction", text: joinedText(read) }];
  return [
    ...read.flatMap((block) => eventsOfBlock(block, type, recorded)),
    ...answersIn(object["toolUseResult"], read, recorded),
  ];
}

/**
 * What the agent asked with the host's tool for questions, with its options, and what the person picked or typed. The
 * host's result must say the same: another tool may have printed anything.
 */
function answersIn(result: unknown, blocks: readonly Json[], recorded: Recorded): SessionEvent[] {
  const printed = blocks.find((block) => textIn(block, "type") === "tool_result" && block["is_error"] !== true);
  const told = printed === undefined ? "" : resultOf(printed, recorded).text;
  if (
    !told.startsWith(ANSWERED) ||
    !isObject(result) ||
    !Array.isArray(result["questions"]) ||
    !isObject(result["answers"])
  )
    return [];
  const answers = result["answers"];
  return result["questions"].filter(isObject).flatMap((asked) => {
    const question = textIn(asked, "question") ?? "";
    const answer = textIn(answers, question) ?? "";
    if (question === "" || answer === "" || !told.includes(`"${question}"="${answer}"`)) return [];
    const options = Array.isArray(asked["options"]) ? asked["options"].filter(isObject) : [];
    const lines = options.map((option, index) => {
      const about = textIn(option, "description");
      return `${index + 1}. ${textIn(option, "label") ?? ""}${about === null ? "" : `: ${about}`}`;
    });
    return [...spoken([question, ...lines].join("\n"), "assistant", recorded), ...spoken(answer, "user", recorded)];
  });
}

function titleOf(object: Json, type: string, line: number): SessionEvent[] {
  const title = withoutUnsaid(textIn(object, TITLES.get(type) ?? "") ?? "").trim();
  return title === "" ? [] : [{ line, at: timeOf(object["timestamp"]), branch: null, kind: "title", text: title }];
}

function eventsOfBlock(block: Json, role: "user" | "assistant", recorded: Recorded): SessionEvent[] {
  const type = textIn(block, "type");
  if (type === "text") return spoken(textIn(block, "text") ?? "", role, recorded);
  if (type === "tool_use" && role === "assistant") return [callOf(block, recorded)];
  if (type === "tool_result" && role === "user") return [resultOf(block, recorded)];
  return [];
}

function spoken(text: string, role: "user" | "assistant", recorded: Recorded): SessionEvent[] {
  if (role === "user") {
    const typed = typedPrompt(text);
    return typed === null ? [] : [{ ...recorded, kind: "prompt", text: typed }];
  }
  const reply = withoutUnsaid(text).trim();
  return reply === "" || reply === "(no content)" ? [] : [{ ...recorded, kind: "reply", text: reply }];
}

function callOf(block: Json, recorded: Recorded): SessionEvent {
  const input = isObject(block["input"]) ? block["input"] : {};
  const tool = textIn(block, "name") ?? "";
  const command = textIn(input, "command");
  return {
    ...recorded,
    kind: "call",
    call: textIn(block, "id") ?? "",
    tool,
    command: command === null ? null : withoutUnsaid(command),
    path: textIn(input, "file_path") ?? textIn(input, "path") ?? textIn(input, "notebook_path"),
  };
}

function resultOf(block: Json, recorded: Recorded): Extract<SessionEvent, { kind: "result" }> {
  const content = block["content"];
  const text =
    typeof content === "string" ? content : Array.isArray(content) ? joinedText(content.filter(isObject)) : "";
  return {
    ...recorded,
    kind: "result",
    call: textIn(block, "tool_use_id") ?? "",
    text: withoutUnsaid(text),
    isError: block["is_error"] === true,
  };
}

const joinedText = (blocks: readonly Json[]): string =>
  withoutUnsaid(
    blocks
      .map((block) => textIn(block, "text") ?? "")
      .filter((text) => text !== "")
      .join("\n"),
  );

/**
 * Rollouts of Codex: response items in envelopes, or bare in files of older versions.
 *
 * Messages of the developer are instructions of the host, and `event_msg` lines repeat response items; both are left
 * out. A rollout names its branch only once, as it starts.
 */
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

function isCodex(object: Json): boolean {
  const type = textIn(object, "type") ?? "";
  return isObject(object["payload"])
    ? ENVELOPES.has(type)
    : ITEMS.has(type) || textIn(object, "record_type") === "state";
}

function codexSession(object: Json): { session: string | null; cwd: string | null } {
  const payload = isObject(object["payload"]) ? object["payload"] : {};
  const isMeta = textIn(object, "type") === "session_meta";
  return { session: isMeta ? textIn(payload, "id") : null, cwd: textIn(payload, "cwd") };
}

/** Null when the line is an item that could not be read. */
function codexEvents(object: Json, line: number): SessionEvent[] | null {
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
      return [codexResultOf(item, recorded)];
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

function codexResultOf(item: Json, recorded: Recorded): SessionEvent {
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

/** Skipped: something on the line could not be read. Lines that are none of our business are not skipped. */
export function eventsOfLine(
  line: string,
  number: number,
  host: TranscriptHost,
): { events: SessionEvent[]; isSkipped: boolean } {
  const { objects, isSkipped } = objectsOf(line);
  const read = objects.map((object) => (host === "codex" ? codexEvents(object, number) : claudeEvents(object, number)));
  return { events: read.flatMap((events) => events ?? []), isSkipped: isSkipped || read.includes(null) };
}

export function hostOfTranscript(firstLines: readonly string[]): TranscriptHost | null {
  for (const line of firstLines)
    for (const object of objectsOf(line).objects) {
      if (isCodex(object)) return "codex";
      if (isClaudeCode(object)) return "claude-code";
    }
  return null;
}

export function sessionOfLine(line: string): { session: string | null; cwd: string | null } {
  const object = objectsOf(line).objects[0];
  if (object === undefined) return { session: null, cwd: null };
  return isCodex(object) ? codexSession(object) : claudeSession(object);
}
