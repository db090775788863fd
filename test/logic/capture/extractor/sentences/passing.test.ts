import assert from "node:assert/strict";
import { test } from "node:test";
import {
  PASSING,
  isChatter,
  isQuestion,
  passingClass,
} from "../../../../../src/logic/capture/extractor/sentences/passing.ts";

for (const [name, { rows }] of Object.entries(PASSING))
  test(`examples of ${name} are of no other class`, () => {
    for (const text of Object.values(rows).flatMap(({ like }) => like)) assert.equal(passingClass(text), name, text);
  });

for (const text of [
  "The basket rounds each line because the tax office does.",
  "Totals are kept in cents, so a float never reaches the database.",
  "All tests pass now because the clock of the fixture was frozen.",
  "Two baskets of one customer share a lock, which `mergeBaskets()` must take first.",
  "Rounding was fixed in `4be1d07c`: each line is rounded before the sum.",
  "`rateOf()` returned null when the customer lives abroad: fixed in `4be1d07c`.",
  "Null customer in `rateOf()`: fixed in `4be1d07c` by asking the office first.",
  "3 rates are read from `rates.csv` before the first basket opens.",
  "The basket has 2 locks because the importer and the shop write at once.",
  "The branch of the bank in each country sends its rates.",
  "Removed the `rate` parameter of `total`, which no basket sets.",
  "Commit `4be1d07c` introduced a second read of `rates.csv`.",
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
  "Done — `total()` rounds each line of the basket.",
  "All set: the importer reads `rates.csv` at night.",
  "The rate is `number | null` until the office answers.",
])
  test(`worth keeping: ${text}`, () => assert.equal(passingClass(text), null));

for (const text of [
  "The simplest fix is to round each line, because the office does.",
  "I'd suggest a lock instead, since two importers write.",
])
  test(`of no use even with a reason: ${text}`, () => assert.equal(passingClass(text), "proposal"));

test("how things stand is no chatter: it may show what the work was about", () => {
  assert.ok(!isChatter("All 12 tests pass."));
  assert.ok(!isChatter("Only two places use the `total` column."));
  assert.ok(isChatter("Let me read the parser next."));
});

test("a question", () => {
  for (const text of ["Shall the basket expire?", "(Is it ever null?)"]) assert.ok(isQuestion(text), text);
  assert.ok(!isQuestion("`a ? b : c` picks the rate."));
});
