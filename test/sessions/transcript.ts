/** Transcripts as Claude Code writes them. */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export interface Saying {
  prompt?: string;
  reply?: string;
  /** A shell command and what it returned. */
  command?: string;
  result?: string;
  isError?: boolean;
  /** A tool of Stele's server that the agent called. */
  verb?: string;
  /** Edited by one patch. */
  files?: readonly string[];
  compaction?: string;
  /** Minutes since the beginning. */
  minute?: number;
  branch?: string;
}

const START = Date.UTC(2026, 0, 15, 9);

export function claudeLines(sayings: readonly Saying[], session = "s1", cwd = "/project"): string[] {
  let [minute, count] = [0, 0];
  const line = (type: string, content: unknown, branch = "main", extra = {}) => {
    count += 1;
    const recorded = { uuid: `u${count}`, sessionId: session, cwd, gitBranch: branch, isSidechain: false };
    const timestamp = new Date(START + minute * 60_000 + count * 1_000).toISOString();
    return JSON.stringify({ type, ...recorded, timestamp, message: { role: type, content }, ...extra });
  };
  return sayings.flatMap((saying) => {
    const { prompt, reply, command, verb, files = [], result = "", isError = false, compaction, branch } = saying;
    minute = saying.minute ?? minute;
    const lines: string[] = [];
    if (prompt !== undefined) lines.push(line("user", prompt, branch));
    if (compaction !== undefined) lines.push(line("user", compaction, branch, { isCompactSummary: true }));
    const calls = [
      ...(command === undefined ? [] : [{ name: "Bash", input: { command } }]),
      ...(verb === undefined ? [] : [{ name: `mcp__stele__${verb}`, input: {} }]),
      ...files.map((file) => ({ name: "Edit", input: { file_path: file } })),
    ];
    for (const call of calls) {
      const id = `call${count}`;
      lines.push(line("assistant", [{ type: "tool_use", id, ...call }], branch));
      const returned = { type: "tool_result", tool_use_id: id, content: result, is_error: isError };
      lines.push(line("user", [returned], branch));
    }
    if (reply !== undefined) lines.push(line("assistant", [{ type: "text", text: reply }], branch));
    return lines;
  });
}

/** The same session as Codex writes it, with what it adds: instructions, copies of messages, and how a command ended. */
export function codexLines(sayings: readonly Saying[], session = "c1", cwd = "/project"): string[] {
  let [minute, count] = [0, 0];
  const line = (type: string, payload: object) => {
    count += 1;
    return JSON.stringify({
      timestamp: new Date(START + minute * 60_000 + count * 1_000).toISOString(),
      type,
      payload,
    });
  };
  const message = (role: string, text: string, kind: string) =>
    line("response_item", { type: "message", role, content: [{ type: kind, text }] });
  return [
    line("session_meta", { id: session, cwd, git: { branch: sayings[0]?.branch ?? "main" } }),
    message("developer", "Always use tabs. Never use spaces.", "input_text"),
    message("user", `<environment_context>\n<cwd>${cwd}</cwd>\n</environment_context>`, "input_text"),
    ...sayings.flatMap((saying) => {
      const { prompt, reply, command, verb, files = [], result = "", isError = false, compaction } = saying;
      minute = saying.minute ?? minute;
      const lines: string[] = [];
      if (prompt !== undefined)
        lines.push(message("user", prompt, "input_text"), line("event_msg", { type: "user_message", message: prompt }));
      if (compaction !== undefined) lines.push(line("compacted", { message: compaction }));
      const patch = files.map((file) => `*** Update File: ${file}\n@@\n-a\n+b\n`).join("");
      const calls = [
        ...(command === undefined ? [] : [{ name: "exec_command", arguments: { cmd: command } }]),
        ...(verb === undefined ? [] : [{ name: verb, namespace: "mcp__stele", arguments: {} }]),
        ...(patch === "" ? [] : [{ name: "exec_command", arguments: { cmd: `apply_patch <<'EOF'\n*** Begin Patch\n${patch}*** End Patch\nEOF` } }]),
      ]; // prettier-ignore
      for (const { arguments: given, ...named } of calls) {
        const call = { call_id: `c${count}` };
        const input = JSON.stringify(given);
        const output = `Chunk ID: 1\nProcess exited with code ${isError ? 1 : 0}\nOutput:\n${result}`;
        lines.push(line("response_item", { type: "function_call", ...named, arguments: input, ...call }));
        lines.push(line("response_item", { type: "function_call_output", output, ...call }));
      }
      if (reply !== undefined)
        lines.push(
          message("assistant", reply, "output_text"),
          line("event_msg", { type: "agent_message", message: reply }),
        );
      return lines;
    }),
  ];
}

export function writeTranscript(path: string, lines: readonly string[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
}

export const appendLines = (path: string, lines: readonly string[]): void =>
  appendFileSync(path, lines.map((line) => `${line}\n`).join(""));

/** A session in which a cause is found, a person corrects the agent, and the fix is committed. */
export const FIXED_LOGIN: readonly Saying[] = [
  { prompt: "The login test fails every night. Please find out why." },
  { command: "npm test -- login", result: "FAIL login.test.ts\n  expected 200, got 401", isError: true },
  {
    reply:
      "The root cause is that `createSession()` in `src/session.ts` reads the system clock, so the token has expired when the nightly run crosses midnight UTC.",
  },
  { prompt: "No, don't freeze the clock globally. Always inject a Clock into the session code instead." },
  { command: "npm test -- login", result: "12 passed" },
  {
    reply:
      "Fixed by injecting a `Clock` into `createSession()`; the nightly login test passes now. Still open: `refreshToken()` in `src/token.ts` also reads the system clock and needs the same change.",
  },
  {
    command: 'git commit -m "Inject the clock into sessions"',
    result: "[main 1a2b3c4] Inject the clock into sessions",
  },
];
