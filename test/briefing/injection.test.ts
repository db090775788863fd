/** The rule for prompts. How often it is right is measured by the bench. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { questionIn, worthInjecting } from "../../src/briefing/inject-for-prompt.ts";

/** In a store of 200 items, in which "webhook" is everywhere. */
const statistics = {
  total: 200,
  frequency: new Map([
    ...([["webhook", 60], ["signatur", 10], ["mismatch", 2], ["stripe", 11], ["payment", 12]] as const), // prettier-ignore
  ]),
};
const PROMPT = "why do the stripe payment webhooks fail with a signature mismatch";
const item = (relevance: number, content: string, title: string | null = null) => ({
  relevance,
  content,
  title,
  tags: [],
});
const worth = (items: ReturnType<typeof item>[], prompt = PROMPT, byMeaning = false) =>
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

test("a question keeps its words, without what was pasted and without links", () => {
  assert.deepEqual(questionIn("  fix the flaky webhook test  "), {
    query: "fix the flaky webhook test",
    stems: ["fix", "flaki", "webhook", "test"],
  });
  const pasted = questionIn(`why does the parser of webhooks fail?\n${"    at frame (file.ts:1:1)\n".repeat(1_000)}`)!;
  assert.equal(pasted.query, "why does the parser of webhooks fail?");
  assert.equal(questionIn(`why do they fail, see https://example.org/stripe/payment/webhooks ?`), null);
  const long = questionIn("why does the parser of webhooks fail ".repeat(99));
  assert.equal(long?.query.length, 2_000, "where all of it was pasted, its prose asks");
});

const MISMATCH = "A signature mismatch comes from the parsed body";
const CASES: [name: string, given: ReturnType<typeof item>[], count: number, prompt?: string][] = [
  ["relevant, and shares two rare words", [item(0.85, MISMATCH)], 1],
  ["shares them, but is less relevant", [item(0.84, MISMATCH)], 0],
  ["hardly relevant, but shares nearly all words", [item(0.6, "Stripe signature mismatch of a payment")], 1],
  ["very relevant, with one rare word and a common one", [item(0.95, "A webhook mismatch")], 0],
  ["very relevant, with one rare word and a less rare one", [item(0.95, "A mismatch of the payment")], 1],
  ["shares only what everything shares", [item(0.9999, "Webhooks are retried for a day")], 0],
  ["the title counts", [item(0.9, "The raw body is needed", "Signature mismatch")], 1],
  ["a short prompt", [item(0.9, "A signature mismatch")], 1, "signature mismatch"],
  ["covers a short prompt of common words", [item(0.9999, "A webhook payment")], 0, "webhook payment"],
  ["at most three", Array.from({ length: 4 }, (_, at) => item(0.98, `Signature mismatch ${at}`)), 3],
  ["three of many that share even more", Array.from({ length: 9 }, () => item(0.98, PROMPT)), 3],
  ["none of many that seem as good", Array.from({ length: 9 }, (_, at) => item(0.85, `${MISMATCH} ${at}`)), 0],
];
for (const [name, given, count, prompt] of CASES) {
  test(name, () => assert.deepEqual(worth(given, prompt), given.slice(0, count).map(({ content }) => content))); // prettier-ignore
}

test("others count only if they seem to answer too, and only the first ten", () => {
  const one = item(0.85, MISMATCH);
  const beside = (relevance: number) => Array.from({ length: 9 }, () => item(relevance, "Something else"));
  assert.deepEqual(worth([one, ...beside(0.29)]), [MISMATCH]);
  assert.deepEqual(worth([one, ...beside(0.3)]), []);
  assert.deepEqual(worth([...beside(0.29), item(0.29, ""), one]), []);
});

test("in a small store a word is worth as much as in a large one if only one item has it", () => {
  for (const total of [3, 300, 30_000]) {
    const rare = { total, frequency: new Map([["mismatch", 1], ["signatur", 1]]) }; // prettier-ignore
    const [enough, little] = [item(0.74, MISMATCH), item(0.73, MISMATCH)];
    for (const [given, found] of [[[enough], [enough]], [[little], []]]) // prettier-ignore
      assert.deepEqual(
        worthInjecting(given!, questionIn(PROMPT)!, { statistics: rare, byMeaning: true }),
        found,
        `${total}`,
      );
  }
});

describe("what stands out needs fewer words, if a model took part", () => {
  const [PAIR, OTHER] = ["A mismatch of webhooks", "Something else"];
  const CASES: [name: string, given: ReturnType<typeof item>[], expected: string[]][] = [
    ["by a margin", [item(0.86, PAIR), item(0.75, OTHER)], [PAIR]],
    ["not by less", [item(0.86, PAIR), item(0.77, OTHER)], []],
    ["not if it is less relevant", [item(0.84, PAIR), item(0.5, OTHER)], []],
    ["not if it shares hardly anything", [item(0.99, "Webhooks are retried"), item(0.5, OTHER)], []],
    ["two that say the same compete", [item(0.9, PAIR), item(0.87, PAIR)], []],
  ];
  for (const [name, given, expected] of CASES) {
    test(name, () => {
      assert.deepEqual(worth(given, PROMPT, true), expected);
      assert.deepEqual(worth(given), []);
    });
  }
});
