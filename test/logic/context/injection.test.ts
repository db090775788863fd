/** The rule for prompts. How often it is right is measured by the bench. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { questionIn, worthInjecting } from "../../../src/logic/context/injection.ts";

/** In a store of 200 items, in which "webhook" is everywhere. */
const statistics = {
  total: 200,
  frequency: new Map([
    ...([["webhook", 60], ["signatur", 10], ["mismatch", 2], ["stripe", 11], ["payment", 12]] as const), // prettier-ignore
  ]),
};
const PROMPT = "why do the stripe payment webhooks fail with a signature mismatch";
const item = (relevance: number, content: string, title: string | null = null) => ({
  ...{ relevance, content, title, tags: [] },
});
const worth = (items: ReturnType<typeof item>[], { prompt = PROMPT, byMeaning = true } = {}) =>
  worthInjecting(items, questionIn(prompt)!, { statistics, byMeaning }).map(({ content }) => content);

const SILENT = [
  ...["", "ok", "go on", "continue", "yes", "fix the tests", "run the tests again", "commit and push", "why?", "1"],
  ...[
    "add a test for that",
    "update the docs",
    "/compact",
    "/review the payment webhooks of stripe",
    "show me the diff",
  ],
];
for (const prompt of SILENT) {
  test(`nothing is asked for: ${prompt || "(nothing)"}`, () => assert.equal(questionIn(prompt), null));
}

test("a question keeps its words, and of a long one only the beginning", () => {
  assert.deepEqual(questionIn("  fix the flaky webhook test  "), {
    ...{ query: "fix the flaky webhook test", stems: ["fix", "flaki", "webhook", "test"], tellingWords: 2 },
  });
  const long = questionIn(`why does the parser fail?\n${"at frame (file.ts:1:1)\n".repeat(1_000)}`)!;
  assert.equal(long.query.length, 2_000);
  const words = "stripe payment webhooks ";
  assert.ok(questionIn(`${words}${"x".repeat(1_999 - words.length)}\u{1f600} and more`)!.query.isWellFormed());
});

const CASES: [name: string, given: ReturnType<typeof item>[], by: { byMeaning?: boolean; prompt?: string }, number][] =
  [
    ["relevant, and shares a rare word", [item(0.7, "A mismatch comes from the parsed body")], {}, 1],
    ["hardly relevant", [item(0.69, "A signature mismatch comes from the parsed body")], {}, 0],
    ["shares only what everything shares", [item(0.9, "Webhooks are retried for a day")], {}, 0],
    ["shares words of every twentieth item only", [item(0.9, "Stripe has a sandbox for each payment")], {}, 0],
    ["the title counts", [item(0.9, "The raw body is needed", "Signature mismatch")], {}, 1],
    ["by words alone, one rare word is too few", [item(0.9, "A mismatch of the body")], { byMeaning: false }, 0],
    ["by words alone, two are enough", [item(0.9, "A signature mismatch")], { byMeaning: false }, 1],
    ["a short prompt", [item(0.9, "A signature mismatch")], { prompt: "signature mismatch" }, 1],
    [
      "by words alone a short prompt is too short",
      [item(0.9, "A signature mismatch")],
      { prompt: "signature mismatch", byMeaning: false },
      0,
    ],
    ["at most three", Array.from({ length: 9 }, (_, at) => item(0.9, `Signature mismatch ${at}`)), {}, 3],
  ];
for (const [name, given, by, count] of CASES) {
  test(name, () => assert.deepEqual(worth(given, by), given.slice(0, count).map(({ content }) => content))); // prettier-ignore
}

test("in a small store a word that two items have is rare", () => {
  const few = { total: 3, frequency: new Map([["mismatch", 2], ["signatur", 3]]) }; // prettier-ignore
  const given = [item(0.9, "A mismatch"), item(0.9, "A signature")];
  assert.deepEqual(worthInjecting(given, questionIn(PROMPT)!, { statistics: few, byMeaning: true }), [given[0]]);
});
