/** What Claude Code's tool for questions asked, and what the person picked or typed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pickIn } from "../../src/sessions/picks.ts";
import { eventsOfLine } from "../../src/sessions/transcripts.ts";

const QUESTION = "Where do tides belong?";
const OPTIONS = [{ label: "One row", description: "a row for each harbour" }, { label: "One file" }];

/** As the host tells its model. */
const saying = (result: unknown): string => {
  const { answers = {} } = (result ?? {}) as { answers?: object };
  const pairs = Object.entries(answers ?? {}).map(([question, answer]) => `"${question}"="${answer}"`);
  return `User has answered your questions: ${pairs.join(", ")}. You can now continue with the user's answers in mind.`;
};

function told(
  toolUseResult: unknown,
  printed = saying(toolUseResult),
  isError = false,
): [kind: string, text: string][] {
  const block = { type: "tool_result", tool_use_id: "t1", content: printed, is_error: isError };
  const message = { role: "user", content: [block] };
  const line = { type: "user", sessionId: "s1", timestamp: "2026-01-15T09:00:00Z", message, toolUseResult };
  const { events } = eventsOfLine(JSON.stringify(line), 0, "claude-code");
  return events.flatMap((event) => ("text" in event && event.kind !== "result" ? [[event.kind, event.text]] : []));
}

const asked = { question: QUESTION, header: "Tides", options: OPTIONS, multiSelect: false };

test("a picked option is a prompt that answers a reply with options", () => {
  const [reply, prompt] = told({ questions: [asked], answers: { [QUESTION]: "One file" } });
  assert.deepEqual(reply, ["reply", `${QUESTION}\n1. One row: a row for each harbour\n2. One file`]);
  assert.deepEqual(prompt, ["prompt", "One file"]);
  const pick = pickIn(reply![1], prompt![1]);
  assert.deepEqual(pick, { question: QUESTION, picked: "One file", rejected: ["One row: a row for each harbour"] });
});

test("an answer of the person's own picks none", () => {
  const [reply, prompt] = told({ questions: [asked], answers: { [QUESTION]: "beside the berths, I think" } });
  assert.equal(pickIn(reply![1], prompt![1]), null);
});

const NOTHING: unknown[] = [
  ...[null, "text", [], {}, { questions: "no", answers: {} }, { questions: [asked], answers: [] }],
  ...[
    { questions: [asked], answers: {} },
    { questions: [{}, null, 7], answers: { "": "x" } },
  ],
  { questions: [asked], answers: { [QUESTION]: { deep: true } } },
];
for (const result of NOTHING)
  test(`nothing was asked: ${JSON.stringify(result)?.slice(0, 60)}`, () => assert.deepEqual(told(result), []));

test("several questions follow each other", () => {
  const other = { question: "And the berths?", options: "none" };
  const found = told({ questions: [asked, other], answers: { [QUESTION]: "One row", "And the berths?": "later" } });
  assert.deepEqual(found.map(([kind]) => kind), ["reply", "prompt", "reply", "prompt"]); // prettier-ignore
});

test("what another tool printed, or the host did not say, was answered by nobody", () => {
  const result = { questions: [asked], answers: { [QUESTION]: "One file" } };
  assert.equal(told(result).length, 2);
  for (const printed of [
    "answered",
    `User has answered your questions: "${QUESTION}"="One row".`,
    "User has answered your questions: ",
  ])
    assert.deepEqual(told(result, printed), [], printed);
  assert.deepEqual(told(result, saying(result), true), [], "a failure");
});
