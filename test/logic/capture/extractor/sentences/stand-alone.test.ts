import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isBare,
  isDangling,
  isFragment,
  isOfExample,
  unlabelled,
} from "../../../../../src/logic/capture/extractor/sentences/stand-alone.ts";

const judged: [string, (text: string) => boolean, string[], string[]][] = [
  [
    "a sentence that lacks its subject",
    isDangling,
    [
      "It rounds each line.",
      "This is the cause.",
      "They share a lock.",
      "That pushed the queue over its limit.",
      "The function calls `roundLine()`.",
      "The check must come first.",
      "This function rounds each line.",
      "That check is skipped for empty baskets.",
      "Fixing it would mean another index.",
      "In that case the total is null.",
      "Otherwise the importer waits.",
      "Or look at the log of the importer.",
      "That's only a comment.",
      "Used in hooks and tests.",
      "The second one rounds.",
      "This ensures totals in cents.",
      "Without this, totals are rounded twice.",
      "Scoped the loop to open baskets.",
      "Qualified the doc comment.",
    ],
    [
      "The function `total()` rounds.",
      "The function in `basket.ts` rounds.",
      "The test environment never commits the rates.",
      "The basket rounds.",
      "Italy has another rate.",
      "These totals are wrong.",
      "Scoped the loop in `mergeBaskets()` to open ones.",
      "This PR fixes the rounding of totals.",
      "The second basket of a customer is locked.",
    ],
  ],
  [
    "a part of an example that stands elsewhere",
    isOfExample,
    ['The basket has "A", and the invoice gets two lines.', 'Rows "ABC" become "ABCD".'],
    ['Answers "OKAY" to each call.', 'The header is "ACCEPT".'],
  ],
  [
    "a fragment",
    isFragment,
    ['or stash them first", and stopped.', "see `basket.ts for more.", "shop --import /path/to/rows"],
    ["The shop reads --import once.", 'It says "stash them first".', "See `basket.ts`.", "It's `a` or `b`."],
  ],
  [
    "a heading that names no subject",
    isBare,
    [
      "",
      "Key Findings",
      "Summary of changes",
      "What about refunds?",
      "Looking at the basket",
      "Here's what happened",
      "Yes, these",
    ],
    ["Root cause", "`basket.ts`", "Rounding of totals", "Changes of the tax law"],
  ],
];
for (const [what, judge, yes, no] of judged)
  test(what, () => {
    for (const text of yes) assert.ok(judge(text), text);
    for (const text of no) assert.ok(!judge(text), text);
  });

for (const [text, expected] of [
  ["2. Rounding", "Rounding"],
  ["Problem 2: Rounding", "Rounding"],
  ["Comment 3 (high): `total()` is null", "`total()` is null"],
  ["2026 has other rates", "2026 has other rates"],
  ["Case 2 of the tax law", "Case 2 of the tax law"],
])
  test(`without its number: ${text}`, () => assert.equal(unlabelled(text!), expected));

test("a command line is one whatever its options hold, and what only begins like one comes back", () => {
  assert.ok(isFragment("node --import=tsx --env-file=a=b src/run.ts"));
  assert.ok(!isFragment(`node --define${"=a".repeat(500)} is what \`run\` needs`));
});
