import assert from "node:assert/strict";
import { test } from "node:test";
import { NEW_SESSION, foldSession } from "../../../../src/logic/capture/fold-session.ts";
import { eventsOfLine } from "../../../../src/logic/capture/transcript/read-line.ts";
import type { TranscriptHost } from "../../../../src/model/capture/session-event.ts";
import { FIXED_LOGIN, type Saying, claudeLines } from "../../../engine/capture/transcript.ts";

/** The same session as Codex writes it, with what it adds: instructions, copies of messages, and how a command ended. */
function codexLines(sayings: readonly Saying[]): string[] {
  let count = 0;
  const line = (type: string, payload: object) =>
    JSON.stringify({ timestamp: new Date(Date.UTC(2026, 0, 15, 9, 0, (count += 1))).toISOString(), type, payload });
  const message = (role: string, text: string, kind: string) =>
    line("response_item", { type: "message", role, content: [{ type: kind, text }] });
  return [
    line("session_meta", { id: "c1", cwd: "/project", git: { branch: "main" } }),
    message("developer", "Always use tabs. Never use spaces.", "input_text"),
    message("user", "<environment_context>\n<cwd>/project</cwd>\n</environment_context>", "input_text"),
    ...sayings.flatMap(({ prompt, reply, command, result = "", isError = false }) => {
      const lines: string[] = [];
      if (prompt !== undefined)
        lines.push(message("user", prompt, "input_text"), line("event_msg", { type: "user_message", message: prompt }));
      if (command !== undefined) {
        const call = { call_id: `c${count}` };
        const input = JSON.stringify({ cmd: command });
        const output = `Chunk ID: 1\nProcess exited with code ${isError ? 1 : 0}\nOutput:\n${result}`;
        lines.push(line("response_item", { type: "function_call", name: "exec_command", arguments: input, ...call }));
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

function captured(lines: readonly string[], host: TranscriptHost) {
  const events = lines.flatMap((line, number) => eventsOfLine(line, number, host).events);
  const { parts } = foldSession(NEW_SESSION, events, "session_end");
  return parts.flatMap(({ ended }) => ended?.stretch.memories ?? []).map(({ type, content }) => [type, content]);
}

test("a session of Codex teaches the same as one of Claude Code", () => {
  const found = captured(codexLines(FIXED_LOGIN), "codex");
  assert.deepEqual(found, captured(claudeLines(FIXED_LOGIN), "claude-code"));
  assert.ok(found.some(([type, content]) => type === "bug_fix" && content!.includes("reads the system clock")));
  assert.ok(found.some(([type]) => type === "preference"));
});
