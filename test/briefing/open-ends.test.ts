import assert from "node:assert/strict";
import { test } from "node:test";
import { openEnds } from "../../src/briefing/orient.ts";
import type { Source } from "../../src/memory/item.ts";
import type { RecordKind, SessionRecord } from "../../src/sessions/session.ts";

const memory = (content: string, type: string, source: Source = "user_explicit", createdAt = 0) => ({
  id: content,
  type,
  source,
  title: null,
  content,
  createdAt,
});
const event = (kind: RecordKind, command: string | null, at: number): SessionRecord => ({
  id: `${kind} ${command} ${at}`,
  kind,
  session: "s",
  turn: null,
  at,
  payload: { command },
});
const textsOf = (...given: Parameters<typeof openEnds>) => openEnds(...given).map(({ text }) => text);

test("progress and errors that somebody stated are open, captured ones never", () => {
  const memories = [
    memory("half of the parser", "progress"),
    memory("the parser still needs tests", "progress", "extraction"),
    memory("it crashes", "error"),
    memory("the build is still broken", "error", "extraction"),
    memory("a fact", "fact"),
  ];
  assert.deepEqual(textsOf(memories, [], 10), ["half of the parser", "it crashes"]);
});

const RUNS: [string, SessionRecord[], string[]][] = [
  ["a test that failed last", [event("tool", "npm test", 1), event("failure", "npm test", 2)], ["npm test failed"]],
  ["a test that passed since", [event("failure", "npm test", 1), event("tool", "npm test", 2)], []],
  ["whatever the order of the events", [event("tool", "npm test", 2), event("failure", "npm test", 1)], []],
  ["exploring", [event("failure", "cat nowhere", 1)], []],
  ["another tool", [event("failure", null, 1)], []],
];
for (const [what, events, expected] of RUNS) test(what, () => assert.deepEqual(textsOf([], events, 10), expected));

test("latest first, within the limit", () => {
  const memories = [memory("old", "progress", "manual", 1), memory("new", "progress", "manual", 9)];
  assert.deepEqual(textsOf(memories, [event("failure", "make check", 5)], 2), ["new", "make check failed"]);
});
