import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { SessionEvent } from "../../src/sessions/session.ts";
import { eventsOfLine, hostOfTranscript, sessionOfLine } from "../../src/sessions/transcripts.ts";
import { UNSAID_CASES } from "./unsaid-cases.ts";

const claude = (type: "user" | "assistant", content: unknown, more: object = {}): string =>
  JSON.stringify({
    type,
    sessionId: "s-1",
    cwd: "/work/app",
    gitBranch: "main",
    timestamp: "2026-03-01T10:00:00.000Z",
    message: { role: type, content },
    ...more,
  });
const codex = (payload: object, type = "response_item"): string =>
  JSON.stringify({ timestamp: "2026-03-01T10:00:00.000Z", type, payload });
const brief = (event: SessionEvent): unknown => {
  if (event.kind === "start") return ["start", event.branch];
  if (event.kind === "call") return ["call", event.tool, event.command, event.path];
  return event.kind === "result" ? ["result", event.text, event.isError] : [event.kind, event.text];
};
const fromClaude = (line: string): unknown[] => eventsOfLine(line, 0, "claude-code").events.map(brief);
const fromCodex = (line: string): unknown[] => eventsOfLine(line, 0, "codex").events.map(brief);

test("events of Claude Code carry line, time and branch", () => {
  assert.deepEqual(eventsOfLine(claude("user", "Fix the cache"), 7, "claude-code"), {
    events: [{ line: 7, at: Date.UTC(2026, 2, 1, 10), branch: "main", kind: "prompt", text: "Fix the cache" }],
    isSkipped: false,
  });
});

const claudeCases: [string, string, unknown[]][] = [
  ["a reply", claude("assistant", [{ type: "text", text: "Done." }]), [["reply", "Done."]]],
  ["thinking is left out", claude("assistant", [{ type: "thinking", thinking: "hm" }]), []],
  [
    "a shell call",
    claude("assistant", [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "npm test" } }]),
    [["call", "Bash", "npm test", null]],
  ],
  [
    "an edit names its file",
    claude("assistant", [{ type: "tool_use", id: "t1", name: "Edit", input: { file_path: "/work/app/a.ts" } }]),
    [["call", "Edit", null, "/work/app/a.ts"]],
  ],
  [
    "a result, its content in blocks",
    claude("user", [
      { type: "tool_result", tool_use_id: "t1", is_error: true, content: [{ type: "text", text: "Exit code 1" }] },
    ]),
    [["result", "Exit code 1", true]],
  ],
  ["a compaction", claude("user", "Summary: all.", { isCompactSummary: true }), [["compaction", "Summary: all."]]],
  [
    "a title",
    JSON.stringify({ type: "summary", summary: "Cache sessions", leafUuid: "u1" }),
    [["title", "Cache sessions"]],
  ],
  [
    "a title of newer versions",
    JSON.stringify({ type: "ai-title", aiTitle: "Cache sessions" }),
    [["title", "Cache sessions"]],
  ],
  [
    "a title that the person gave",
    JSON.stringify({ type: "custom-title", customTitle: "Cache" }),
    [["title", "Cache"]],
  ],
  ["a title without text", JSON.stringify({ type: "summary", summary: "  ", leafUuid: "u1" }), []],
  [
    "what the host says in the agent's place",
    claude("assistant", [], { message: { model: "<synthetic>", content: [{ type: "text", text: "API Error: 500" }] } }),
    [],
  ],
  ["what the host says", claude("user", "Caveat: read", { isMeta: true }), []],
  ["what a subagent says", claude("assistant", [{ type: "text", text: "Sub." }], { isSidechain: true }), []],
  ["an interruption", claude("user", "[Request interrupted by user]"), []],
  ["a notification", claude("user", "<task-notification>done</task-notification>"), []],
  [
    "a reminder beside a prompt",
    claude("user", "Go on <system-reminder>Be brief</system-reminder>"),
    [["prompt", "Go on"]],
  ],
  [
    "a command, as it was typed",
    claude("user", "<command-name>/review</command-name>\n<command-args>the cache</command-args>"),
    [["prompt", "/review the cache"]],
  ],
  [
    "an injected block",
    claude("user", "<!-- STELE_MEMORY_START -->\nUse tabs\n<!-- STELE_MEMORY_END -->\nhello"),
    [["prompt", "hello"]],
  ],
  ["injected context", claude("user", "SessionStart hook additional context: Use tabs"), []],
  ["private words", claude("user", "Call it <private>Acme</private> app"), [["prompt", "Call it  app"]]],
  ["private words without an end", claude("user", "Call it <private>Acme app"), [["prompt", "Call it"]]],
  [
    "private words in a command",
    claude("user", "<command-name>/plan</command-name><command-args>for <private>Acme</private> us</command-args>"),
    [["prompt", "/plan for  us"]],
  ],
  ["other lines", JSON.stringify({ type: "progress", sessionId: "s-1" }), []],
];
for (const [what, line, expected] of claudeCases)
  test(`Claude Code: ${what}`, () => assert.deepEqual(fromClaude(line), expected));

const codexCases: [string, string, unknown[]][] = [
  [
    "a prompt",
    codex({ type: "message", role: "user", content: [{ type: "input_text", text: "Fix it" }] }),
    [["prompt", "Fix it"]],
  ],
  [
    "a reply",
    codex({ type: "message", role: "assistant", content: [{ type: "output_text", text: "Done." }] }),
    [["reply", "Done."]],
  ],
  ["instructions", codex({ type: "message", role: "developer", content: [{ type: "input_text", text: "Be" }] }), []],
  [
    "the environment",
    codex({
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: "<environment_context><cwd>/x</cwd></environment_context>" }],
    }),
    [],
  ],
  [
    "AGENTS.md",
    codex({
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>Use tabs</INSTRUCTIONS>" },
      ],
    }),
    [],
  ],
  ["a copy of a message", codex({ type: "agent_message", message: "Done." }, "event_msg"), []],
  [
    "a shell call",
    codex({ type: "function_call", name: "shell", arguments: '{"command":["bash","-lc","npm test"]}', call_id: "c" }),
    [["call", "shell", "npm test", null]],
  ],
  [
    "a patch",
    codex({
      type: "custom_tool_call",
      name: "apply_patch",
      input: "*** Begin Patch\n*** Update File: a.ts\n",
      call_id: "c",
    }),
    [["call", "apply_patch", null, "a.ts"]],
  ],
  [
    "a patch of two files by a shell",
    codex({
      type: "function_call",
      name: "exec_command",
      arguments: JSON.stringify({ cmd: "apply_patch <<'X'\n*** Add File: a.ts\n*** Delete File: b.ts\nX" }),
      call_id: "c",
    }),
    [
      ["call", "apply_patch", "apply_patch <<'X'\n*** Add File: a.ts\n*** Delete File: b.ts\nX", "a.ts"],
      ["call", "apply_patch", null, "b.ts"],
    ],
  ],
  [
    "a shell call that only prints a patch",
    codex({
      type: "function_call",
      name: "exec_command",
      arguments: '{"cmd":"cat <<X\\n*** Add File: a.ts\\nX"}',
      call_id: "c",
    }),
    [["call", "exec_command", "cat <<X\n*** Add File: a.ts\nX", null]],
  ],
  [
    "a tool of a server",
    codex({ type: "function_call", name: "get", namespace: "mcp__stele", arguments: "{}", call_id: "c" }),
    [["call", "mcp__stele__get", null, null]],
  ],
  [
    "a wrapped result",
    codex({ type: "function_call_output", call_id: "c", output: '{"output":"no","metadata":{"exit_code":2}}' }),
    [["result", "no", true]],
  ],
  [
    "a plain result",
    codex({
      type: "function_call_output",
      call_id: "c",
      output: "Exit code: 0\nWall time: 1 seconds\nOutput:\nyes\nOutput:\nno",
    }),
    [["result", "yes\nOutput:\nno", false]],
  ],
  [
    "a result that says nothing of how it ended",
    codex({ type: "function_call_output", call_id: "c", output: "Output:\nyes" }),
    [["result", "Output:\nyes", false]],
  ],
  [
    "its beginning names the branch",
    codex({ id: "c", git: { branch: "topic" } }, "session_meta"),
    [["start", "topic"]],
  ],
  ["outside a repository it has none", codex({ id: "c", git: null }, "session_meta"), [["start", null]]],
  ["a compaction", codex({ message: "So far." }, "compacted"), [["compaction", "So far."]]],
  [
    "an item without an envelope",
    JSON.stringify({ type: "message", role: "user", content: [{ type: "input_text", text: "Old" }] }),
    [["prompt", "Old"]],
  ],
];
for (const [what, line, expected] of codexCases)
  test(`Codex: ${what}`, () => assert.deepEqual(fromCodex(line), expected));

for (const [text, left] of UNSAID_CASES)
  test(`what is left of ${JSON.stringify(text)}, wherever a transcript has it`, () => {
    const result = { type: "tool_result", tool_use_id: "t", content: text };
    const call = { type: "tool_use", id: "t", name: "Bash", input: { command: text } };
    assert.deepEqual(fromClaude(claude("user", text)), [["prompt", left.trim()]]);
    assert.deepEqual(fromClaude(claude("assistant", text)), [["reply", left.trim()]]);
    assert.deepEqual(fromClaude(claude("assistant", [call])), [["call", "Bash", left, null]]);
    assert.deepEqual(fromClaude(claude("user", [result])), [["result", left, false]]);
    assert.deepEqual(fromClaude(claude("user", text, { isCompactSummary: true })), [["compaction", left]]);
    const said = (role: string) => codex({ type: "message", role, content: [{ type: "input_text", text }] });
    assert.deepEqual(fromCodex(said("user")), [["prompt", left.trim()]]);
    assert.deepEqual(fromCodex(said("assistant")), [["reply", left.trim()]]);
    assert.deepEqual(fromCodex(codex({ type: "function_call_output", call_id: "c", output: text })), [
      ["result", left, false],
    ]);
    assert.deepEqual(fromCodex(codex({ message: text }, "compacted")), [["compaction", left]]);
  });

test("glued objects are both read; a torn one is skipped", () => {
  const [one, two] = [claude("user", 'a } "b" {'), claude("assistant", "c")];
  const read = (line: string) => {
    const { events, isSkipped } = eventsOfLine(line, 0, "claude-code");
    return [events.map(({ kind }) => kind), isSkipped];
  };
  assert.deepEqual(read(one + two), [["prompt", "reply"], false]);
  assert.deepEqual(read(one + two.slice(0, 40)), [["prompt"], true]);
  assert.deepEqual(read(one.slice(0, 40) + two), [["reply"], true]);
  assert.deepEqual(read("// a comment"), [[], true]);
  assert.deepEqual(read("[1]"), [[], true]);
  assert.deepEqual(read('{"type":"user"}'), [[], true]);
  assert.deepEqual(read("  "), [[], false]);
});

test("few objects are read of a broken line, and none of a very long one", () => {
  const read = (line: string) => {
    const { events, isSkipped } = eventsOfLine(line, 0, "claude-code");
    return [events.length, isSkipped];
  };
  const one = claude("user", "hi");
  assert.deepEqual(read(one.repeat(8)), [8, false]);
  assert.deepEqual(read(one.repeat(9)), [8, true]);
  assert.deepEqual(read(`${one} ${" ".repeat(1_000_000)}`), [1, false], "a whole line may be long");
  assert.deepEqual(read(`${one}{${" ".repeat(1_000_000)}`), [0, true]);
  assert.deepEqual(read(`${one}${'{"type":'.repeat(100_000)}`), [1, true]);
});

test("a transcript tells its host, session and folder", () => {
  const meta = codex({ id: "c-1", cwd: "/work" }, "session_meta");
  assert.equal(hostOfTranscript(["// note", claude("user", "hi")]), "claude-code");
  assert.equal(hostOfTranscript([JSON.stringify({ type: "summary", summary: "x" })]), "claude-code");
  assert.equal(hostOfTranscript([meta]), "codex");
  assert.equal(hostOfTranscript(['{"a":1}', "", "no"]), null);
  assert.deepEqual(sessionOfLine(claude("user", "hi")), { session: "s-1", cwd: "/work/app" });
  assert.deepEqual(sessionOfLine(meta), { session: "c-1", cwd: "/work" });
  assert.deepEqual(sessionOfLine("no"), { session: null, cwd: null });
});

test("no line throws, whatever it holds", () => {
  const block = fc.oneof(
    fc.record({
      type: fc.constantFrom("text", "tool_use", "tool_result"),
      text: fc.anything(),
      content: fc.anything(),
    }),
    fc.anything(),
  );
  const object = fc.record({
    type: fc.constantFrom("user", "assistant", "response_item", "compacted", "message", "function_call_output"),
    message: fc.oneof(fc.record({ content: fc.oneof(fc.array(block), fc.anything()) }), fc.anything()),
    payload: fc.oneof(
      fc.record({ type: fc.constantFrom("message", "function_call"), content: fc.array(block) }),
      block,
    ),
    timestamp: fc.anything(),
  });
  const line = fc.oneof(
    fc.string(),
    fc.json(),
    object.map((one) => JSON.stringify(one) ?? ""),
  );
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 3 }),
      fc.constantFrom("claude-code" as const, "codex" as const),
      (parts, host) => {
        eventsOfLine(parts.join(""), 0, host);
        sessionOfLine(parts.join(""));
        hostOfTranscript(parts);
      },
    ),
  );
});
