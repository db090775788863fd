/** The part of a text that is quoted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { coverageStems } from "../../src/recall/coverage.ts";
import { excerptOf } from "../../src/recall/excerpt.ts";

const LONG =
  "The gateway was rewritten in spring. Nobody remembers the old one. The pool holds twenty connections, " +
  "because the database allows a hundred. Retries wait two seconds.\nLogs are kept for a week.";

const cases: [question: string, limit: number, excerpt: string, why: string][] = [
  ["pool", 1_000, LONG, "a short text is quoted whole"],
  [
    "how many connections has the pool",
    80,
    "The pool holds twenty connections, because the database allows a hundred.",
    "the sentence with its words",
  ],
  ["how long are logs kept", 40, "Logs are kept for a week.", "a line is a sentence"],
  ["anything else", 40, "The gateway was rewritten in spring.", "without its words, the beginning"],
  [
    "retries and logs",
    80,
    "Retries wait two seconds.\nLogs are kept for a week.",
    "neighbours that together have more of them",
  ],
];
for (const [question, limit, excerpt, why] of cases)
  test(`${question}, ${limit}: ${why}`, () => assert.equal(excerptOf(LONG, coverageStems(question), limit), excerpt));

test("an excerpt is a part of the text and never longer than allowed", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), fc.integer({ min: 10, max: 120 }), (text, limit) => {
      const excerpt = excerptOf(text, coverageStems(text.slice(0, 50)), limit);
      assert.ok(excerpt.length <= limit && text.includes(excerpt));
      assert.ok(excerpt !== "" || text.trim() === "" || text.length > limit);
    }),
  );
});
