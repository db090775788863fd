import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isGuess,
  isIdleHead,
  isQuestion,
  isUnderWay,
  passingClass,
  type PassingClass,
} from "../../../../../src/logic/capture/extractor/sentences/passing.ts";

const passing: Record<PassingClass, string[]> = {
  announcement: [
    "Let me read the parser next.",
    "Now try again: the basket has all its lines.",
    "But wait, the orders table has no lock.",
    "Now add the missing index to the orders table.",
    "First, a test for the empty basket.",
    "Now implement `roundLine()` in the basket.",
    "The queue drops jobs, let me look at its worker.",
  ],
  courtesy: [
    "Perfect, the invoice module has what is needed.",
    "The report is there whenever you want to see it.",
    "Good - `parseRow()` exists.",
    "Good, the importer of the shop has all that it needs for this.",
    "But you're right, the index is heavy for a table that small.",
    "The reviewer raised a valid point.",
    "That was absolutely the right thing to do.",
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
    "Line 77 reads `total = 0`.",
    "I've found the root cause.",
    "We are currently on the release branch.",
    "Fixed in `4be1d07c`.",
    "The import ran and stored all rows correctly.",
    "`basket.ts` (MODIFIED — rounding)",
    "⏳ Import of the second file",
    "I've verified all totals of the basket.",
    "All green — unit tests, lint and the nightly build.",
    "Found 15 baskets, including the imported one.",
    "The import tool found all 4 baskets of the test.",
    "The changed rows were imported successfully (they show a prefix).",
    "The import works for all test cases.",
    "The docs have been updated with the new rates.",
    "`jq` is installed and authenticated.",
  ],
  report: [
    "There is one review thread needing a response about the rounding.",
    "Once #12 merges, the totals are right.",
    "Created a draft PR for the new importer.",
    "The total was only merged today.",
    "Acknowledged as older than the new basket.",
    "764 baskets were found on this machine.",
    "Draft PR #12: renames `sum` to `total`.",
    "Review comments of the bot were replied to.",
    "There was 1 unaddressed thread about `total`.",
    "The errors of the linter are unrelated to our change.",
    "The branch is rebased on the release branch and pushed.",
  ],
  proposal: [
    "The simplest fix is to round each line, because the office does.",
    "I'd suggest a lock around `mergeBaskets()`.",
    "If we meet other rates, we can add them then.",
    "A simpler test would be to call `total()` directly.",
    "Keep the check — actually, `total()` should accept null.",
    "The rounding is the only rule worth testing.",
    "Run the basket tests to see that they fail.",
    "We could keep the totals in cents.",
    "The fix should round each line before the sum.",
    "Consider a lock around `mergeBaskets()`.",
  ],
  praise: [
    "The fix is surgical: only `roundLine()` changes.",
    "The importer is well-structured and fast.",
    "The two notes on rounding are fair points, and both rates were checked with the office.",
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
    "The others are `6b86b2` (staging) and `e3b0c4` (live).",
  ],
  conflict: [
    "basket.ts: HEAD rounds each line, incoming rounds the total.",
    "Theirs has the old column and ours the new one.",
    "Merge conflicts resolved in the basket.",
    "Both conflicts are straightforward: the rates moved.",
    "`basket.ts` took the branch version.",
    "In every case, HEAD (totals) has the right column.",
  ],
  listing: [
    "`src/basket.ts` — The basket and its lines",
    "basket.test.ts: tests of the basket",
    "Basket not found (line 940)",
  ],
  measured: ["Feb 5: 12 imports in 8 minutes", "Each import adds a file, and there are still 4717 of them."],
  tests: [
    "Updated all 8 tests that named the old column.",
    "Renamed `TestTotal` to `TestTotalInCents`.",
    "Added `test_total_in_cents`",
    "`TestTotal_Rounds` — checks the total of two lines",
    "Updated expected totals of the basket.",
  ],
  aboutSession: [
    "The user asked for a plan before any code.",
    "Note: the user later modified the rates.",
    'Agent responded: "Ready to import"',
    "I can only check it partly in this session.",
    "The summary covers the earlier part of the conversation.",
    'As I said earlier, the "total" column is text.',
    "The change you mentioned was in another module.",
    "The user later modified this file.",
    "You want to keep the rounding of the importer.",
    "So you want the total rounded in the importer.",
    "Next time you import, look at the log.",
  ],
  aboutAgent: [
    "I don't have evidence that `total()` is ever called with null.",
    "Read to verify that the importer was not the cause.",
    "I'd call it done with the index as a later task.",
    "My research covered only the public documentation of the bank.",
    "Since the schema is there, I'll write the importer.",
    "I should skip the check when the basket is empty.",
    "I'd lean toward the second option.",
    "The linter complains about my new test file.",
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
  "A fair point of sale terminal prints the tax; `receiptOf()` does so too.",
  "Lines 12 to 20 of `basket.ts` round each price.",
  "Since the field was only merged today, no basket has the old name.",
  "Created a PR that renames `sum` to `total` in every basket.",
  "The best price is the lowest of the last thirty days.",
  "Good - `parseRow()` takes the rate of the country from the first row of each file.",
  "`src/basket.ts`: Rounding moved to `roundLine()`",
  "Added a test helper that seeds `basket.db`, because each test needs its own rates.",
  "In February the bank changes its rates.",
  "If we add a rate, `total()` rounds it.",
  "`total` currently holds cents, never euros.",
  'The fixture uses the basket "4be1d07c" in every test.',
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
      "The total should now be rounded on import.",
      "It looks like the importer holds the lock.",
    ],
    ["The lock is held by the importer."],
  ],
  [
    "the head of a list that was weighed, planned or cited",
    isIdleHead,
    [
      "A few options",
      "This could be",
      "What we need to do",
      "Sources",
      "Files examined",
      "The plan",
      "So the approach is",
      "Files to modify",
      "Strengths",
      "The name appears in",
    ],
    ["Root cause", "Rules of the basket", "Planet types"],
  ],
  [
    "on the way, in a summary",
    (text) => isUnderWay(text, ""),
    [
      "I read the importer and its tests.",
      "Currently resolving the second conflict.",
      "Design: Discussed two ways to round.",
      "Created three sub-issues for the importer.",
      "We initially suspected the cache.",
    ],
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
  assert.ok(isUnderWay("The importer skipped empty rows.", "Let me chronologically go through the work"));
  assert.ok(!isUnderWay("The importer must skip empty rows.", "Rules"));
});
