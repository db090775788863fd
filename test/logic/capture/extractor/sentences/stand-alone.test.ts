import assert from "node:assert/strict";
import { test } from "node:test";
import { isBare } from "../../../../../src/logic/capture/extractor/sentences/bare-heads.ts";
import { isDangling } from "../../../../../src/logic/capture/extractor/sentences/dangling.ts";
import { unlabelled } from "../../../../../src/logic/capture/extractor/sentences/labels.ts";
import { isFragment, isOfExample } from "../../../../../src/logic/capture/extractor/sentences/stand-alone.ts";

const judged: [string, (text: string) => boolean, string[], string[]][] = [
  [
    "a sentence that lacks its subject",
    isDangling,
    ["They share a lock.", "The function calls `roundLine()`.", "Scoped the loop to open baskets."],
    ["The basket rounds.", "Scoped the loop in `mergeBaskets()` to open ones."],
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
    ["", "Key Findings", "Let me read the basket"],
    ["Root cause", "Conflicts resolved in the basket"],
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
  ["Thread 3 (medium - unsafe deletion of baskets): Fixed in 4be1d07c. Locked.", "Unsafe deletion of baskets: Locked."],
  ["2026 has other rates", "2026 has other rates"],
  ["Case 2 of the tax law", "Case 2 of the tax law"],
])
  test(`without its number: ${text}`, () => assert.equal(unlabelled(text!), expected));

test("a command line is one whatever its options hold, and what only begins like one comes back", () => {
  assert.ok(isFragment("node --import=tsx --env-file=a=b src/run.ts"));
  assert.ok(!isFragment(`node --define${"=a".repeat(500)} is what \`run\` needs`));
});
