import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { typedPromptOf, withTyped } from "../../src/sessions/origins.ts";
import type { SessionEvent } from "../../src/sessions/session.ts";

const noted = (more: object) =>
  JSON.stringify({ display: "look [Pasted text #1 +2 lines]", pastedContents: { 1: {} }, timestamp: 5_000, sessionId: "s1", ...more }); // prettier-ignore

describe("what the host notes of a prompt", () => {
  test("is what was typed, and when", () =>
    assert.deepEqual(typedPromptOf(noted({}), "s1"), { typed: "look [Pasted text #1 +2 lines]", at: 5_000 }));

  for (const [what, line] of [
    ["a prompt of another session", noted({ sessionId: "s2" })],
    ["a prompt without a session", noted({ sessionId: undefined })],
    ["a prompt into which nothing was pasted", noted({ pastedContents: {} })],
    ["a prompt without a time", noted({ timestamp: "soon" })],
    ["a line that is no prompt", "{}"],
    ["half a line", noted({}).slice(0, 30)],
  ] as const)
    test(`is nothing for ${what}`, () => assert.equal(typedPromptOf(line, "s1"), null));
});

test("each prompt gets what was typed nearest to its time, within a minute", () => {
  const prompt = (at: number | null): SessionEvent => ({ kind: "prompt", text: "look", line: 1, at, branch: null });
  const [near, far, timeless, reply] = withTyped(
    [prompt(6_000), prompt(900_000), prompt(null), { kind: "reply", text: "look", line: 2, at: 6_000, branch: null }],
    [
      { typed: "one", at: 1_000 },
      { typed: "two", at: 5_500 },
    ],
  );
  assert.deepEqual(
    [near, far, timeless, reply].map((event) => (event?.kind === "prompt" ? (event.typed ?? null) : "none")),
    ["two", null, null, "none"],
  );
});
