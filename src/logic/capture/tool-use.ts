/**
 * What a tool did, as far as it matters: the command and output of a shell, the path of a file, otherwise its name.
 *
 * Hosts name their tools differently but agree on fields, so the fields decide. A response is an error if it says so.
 */
import { type Payload, isPayload, payloadIn, textIn } from "./payload.ts";

export interface ToolUse {
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
