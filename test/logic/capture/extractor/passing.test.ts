import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isDangling,
  isFragment,
  isGuess,
  isIdleHead,
  isQuestion,
  isUnderWay,
  passingClass,
  type PassingClass,
} from "../../../../src/logic/capture/extractor/passing.ts";

const passing: Record<PassingClass, string[]> = {
  announcement: [
    "Let me read the parser next.",
    "Now add the missing index to the orders table.",
    "First, a test for the empty basket.",
    "The queue drops jobs, let me look at its worker.",
  ],
  courtesy: [
    "Perfect, the invoice module has what is needed.",
    "The report is there whenever you want to see it.",
    "Good - `parseRow()` exists.",
    "But you're right, the index is heavy for a table that small.",
  ],
  status: [
    "All 12 tests pass.",
    "You have three staged files in `orders/`.",
    "Both review threads are resolved and the bot has been told.",
    "Pushed to the feature branch with the new index.",
    "The current branch is `basket-totals`.",
    "✓ Step 3 complete: `total()` rounds.",
    "Step 4: round the totals in `basket.ts`.",
    "Already up to date with the release branch.",
  ],
  count: [
    "Only two places use the `total` column.",
    "There are 14 errors in the basket package.",
    "One remaining reference in the comment of a test.",
  ],
  instance: [
    "The commit `4be1d07c` has the total in its message.",
    "Session 0b7c2f91-33aa-4cde-9b1e-0f2a4c5d6e7f stored two baskets.",
    "Only `a91f3c2` is on the release branch.",
  ],
  conflict: [
    "basket.ts: HEAD rounds each line, incoming rounds the total.",
    "Theirs has the old column and ours the new one.",
  ],
  aboutSession: [
    "The user asked for a plan before any code.",
    "I can only check it partly in this session.",
    "The summary covers the earlier part of the conversation.",
    'As I said earlier, the "total" column is text.',
  ],
  aboutAgent: [
    "I don't have evidence that `total()` is ever called with null.",
    "My research covered only the public documentation of the bank.",
    "Since the schema is there, I'll write the importer.",
    "I should skip the check when the basket is empty.",
  ],
  aboutTools: [
    "That edit didn't take because the file had changed.",
    "The last search found nothing in the basket package.",
    "I dispatch one agent per package.",
  ],
};
for (const [expected, sentences] of Object.entries(passing))
  for (const text of sentences) test(`${expected}: ${text}`, () => assert.equal(passingClass(text), expected));

for (const text of [
  "The basket rounds each line because the tax office does.",
  "Totals are kept in cents, so a float never reaches the database.",
  "All tests pass now because the clock of the fixture was frozen.",
  "Two baskets of one customer share a lock, which `mergeBaskets()` must take first.",
  "Rounding was fixed in `4be1d07c`: each line is rounded before the sum.",
  "The column `added` is a deadbeef-free boolean.",
  "Users of the basket may have several sessions.",
  "You can run `make seed` to fill the local database.",
  "Added `roundLine()` to `basket.ts`, which the invoice uses too.",
  "`taxOf()` returns null for customers abroad.",
])
  test(`worth keeping: ${text}`, () => assert.equal(passingClass(text), null));

const judged: [string, (text: string) => boolean, string[], string[]][] = [
  ["a question", isQuestion, ["Shall the basket expire?", "(Is it ever null?)"], ["`a ? b : c` picks the rate."]],
  [
    "a guess",
    isGuess,
    [
      "The lock is probably held by the importer.",
      "My guess: the cache is stale.",
      "It might be the clock.",
      "That would explain the delay.",
    ],
    ["The lock is held by the importer."],
  ],
  [
    "a sentence that lacks its subject",
    isDangling,
    ["It rounds each line.", "This is the cause.", "They share a lock.", "That pushed the queue over its limit."],
    ["This function rounds each line.", "The basket rounds.", "Italy has another rate.", "These totals are wrong."],
  ],
  [
    "a fragment",
    isFragment,
    ['or stash them first", and stopped.', "see `basket.ts for more."],
    ['It says "stash them first".', "See `basket.ts`.", "It's `a` or `b`."],
  ],
  [
    "the head of a list that was weighed, planned or cited",
    isIdleHead,
    ["A few options", "This could be", "What we need to do", "Sources", "Files examined", "The plan"],
    ["Root cause", "Rules of the basket", "Planet types"],
  ],
  [
    "on the way, in a summary",
    (text) => isUnderWay(text, ""),
    ["I read the importer and its tests.", "Currently resolving the second conflict."],
    ["The importer reads each row twice.", "Importers may run at night."],
  ],
];
for (const [what, judge, yes, no] of judged)
  test(what, () => {
    for (const text of yes) assert.ok(judge(text), text);
    for (const text of no) assert.ok(!judge(text), text);
  });

test("what a summary leaves for the next hour is on the way too", () => {
  assert.ok(isUnderWay("The importer must skip empty rows.", "Pending Tasks"));
  assert.ok(!isUnderWay("The importer must skip empty rows.", "Rules"));
});
