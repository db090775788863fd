/** What each host is told after which event. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ContextEvent, hookAnswer, takesContext } from "../../src/briefing/hook-answer.ts";
import type { HookHost } from "../../src/sessions/session.ts";

const nested = (hookEventName: string) => ({ hookSpecificOutput: { hookEventName, additionalContext: "It's known" } });
const CASES: [HookHost, ContextEvent, unknown][] = [
  ["claude-code", "session_start", nested("SessionStart")],
  ["claude-code", "prompt", nested("UserPromptSubmit")],
  ["codex", "session_start", nested("SessionStart")],
  ["codex", "prompt", nested("UserPromptSubmit")],
  ["cursor", "session_start", { additional_context: "It's known" }],
  ["cursor", "prompt", null],
  ["vscode", "session_start", nested("SessionStart")],
  ["vscode", "prompt", null],
  ["gemini", "session_start", nested("SessionStart")],
  ["gemini", "prompt", nested("BeforeAgent")],
  ["kimi", "session_start", "It's known\n"],
  ["kimi", "prompt", "It's known\n"],
];

for (const [host, event, expected] of CASES) {
  test(`${host}, ${event}`, () => {
    const answer = hookAnswer(host, event, "It's known");
    const isText = typeof expected === "string" || answer === null;
    assert.deepEqual(isText ? answer : JSON.parse(answer), expected);
    assert.equal(takesContext(host, event), expected !== null);
  });
}

test("nothing, and more than a host takes, is not printed", () => {
  assert.equal(hookAnswer("claude-code", "prompt", " \n"), null);
  assert.notEqual(hookAnswer("codex", "session_start", "x".repeat(7_500)), null);
  assert.equal(hookAnswer("codex", "session_start", "x".repeat(7_501)), null);
  assert.equal(hookAnswer("kimi", "session_start", "ü".repeat(3_751)), null);
});

test("JSON is one line, whatever the text has in it", () => {
  const text = 'first\nsecond\u2028 "third" \\ </script>';
  const answer = hookAnswer("gemini", "session_start", text)!;
  assert.equal(answer.indexOf("\n"), answer.length - 1);
  const { hookSpecificOutput } = JSON.parse(answer) as { hookSpecificOutput: { additionalContext: string } };
  assert.equal(hookSpecificOutput.additionalContext, text);
});
