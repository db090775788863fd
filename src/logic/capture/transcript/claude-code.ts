/**
 * Transcripts of Claude Code: one message per line, whose content is a string or a list of blocks.
 *
 * Lines of subagents, and those that the host marks as its own, are left out; the format is unofficial, so every field
 * may be missing.
 */
import type { SessionEvent } from "../../../model/capture/session-event.ts";
import { withoutUnsaid } from "../unsaid-text.ts";
import { isObject, textIn, timeOf, type Json } from "./json-line.ts";
import { typedPrompt } from "./said-text.ts";

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

export function isClaudeCode(object: Json): boolean {
  const type = textIn(object, "type");
  return type !== null && !("payload" in object) && (TYPES.has(type) || textIn(object, "sessionId") !== null);
}

export const claudeSession = (object: Json): { session: string | null; cwd: string | null } => ({
  session: textIn(object, "sessionId"),
  cwd: textIn(object, "cwd"),
});

/** Null when the line is a message that could not be read. */
export function claudeEvents(object: Json, line: number): SessionEvent[] | null {
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
