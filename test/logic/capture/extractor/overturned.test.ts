import assert from "node:assert/strict";
import { test } from "node:test";
import { overturns, statementOf, undoneUnits } from "../../../../src/logic/capture/extractor/overturned.ts";
import type { Passage, Place } from "../../../../src/logic/capture/extractor/passage.ts";
import { unitsOf } from "../../../../src/logic/capture/extractor/sentences/units.ts";

const cases: [string, string, string, boolean][] = [
  [
    "a removal that turned out wrong",
    "The totals were off, so `roundLine()` was restored.",
    "Simplified the basket by removing `roundLine()`. All sums are made in cents.",
    true,
  ],
  [
    "a design that was given up",
    "Reverted `rate_cache`: the bank changes its rates every minute.",
    "Added `rate_cache`, which keeps the rates of the bank for an hour.",
    true,
  ],
  [
    "a name that was given up",
    "Renamed `rate_cache` to `bank_rates`.",
    "Introduced `rate_cache` for the rates of the bank.",
    true,
  ],
  [
    "a cause that was none",
    "I was wrong that the importer keeps the lock of the orders table.",
    "The nightly importer keeps the lock of the orders table. It runs for an hour.",
    true,
  ],
  [
    "what merely goes on",
    "Added a test for `roundLine()`, which the invoice uses too.",
    "Added `roundLine()` to the basket.",
    false,
  ],
  [
    "an alternative under a condition",
    "When the bank is closed, `total()` uses the last rate instead of `rate_cache`.",
    "Added `rate_cache`, which keeps the rates of the bank for an hour.",
    false,
  ],
];
for (const [what, later, earlier, expected] of cases)
  test(`overturned, ${what}: ${expected}`, () =>
    assert.equal(overturns(statementOf(later), statementOf(earlier)), expected));

const passage = ([place, text]: [Place, string], line: number): Passage => ({
  ...{ place, line, turn: 1, error: null, fixed: null, promise: 1 },
  units: unitsOf(text),
});
const REMOVED = "Simplified the basket: removed `roundLine()`.";
const RESTORED = "Restored `roundLine()`, because the tax office rounds each line.";
const within: [string, [Place, string][], string[], string[]][] = [
  ["what the stretch restored", [["middle", REMOVED], ["final", RESTORED]], [], [REMOVED]],
  ["in a summary, in any order", [["compaction", `- ${RESTORED}\n- ${REMOVED}`]], [], [REMOVED]],
  ["in a summary, restored before", [["compaction", REMOVED]], [RESTORED], [REMOVED]],
  ["what was there, without its name", [["final", "Removed (not in use):\n- `roundLine()` - never called"], ["middle", "Restore the original helpers and keep the rest."]], [], ["`roundLine()` - never called"]],
  ["not what an older message removed", [["final", "Removed `taxOf()`."], ["final", REMOVED], ["middle", "Restored the previous helpers."]], [], [REMOVED]],
  ["not what a message says anew", [["final", REMOVED]], [RESTORED], []],
  ["not what a plan would keep", [["final", REMOVED], ["plan", RESTORED]], [], []],
  ["not the cause of a failure", [["middle", `The issue is that we removed \`roundLine()\`.`], ["final", RESTORED]], [], []],
  ["not what a person said", [["prompt", REMOVED], ["final", RESTORED]], [], []],
]; // prettier-ignore
for (const [what, said, told, expected] of within)
  test(`undone within a stretch, ${what}`, () =>
    assert.deepEqual(
      [
        ...undoneUnits(
          said.map(passage),
          told.map((text) => statementOf(text)),
        ),
      ].map(({ text }) => text),
      expected,
    ));

test("a sentence that never says what is restored comes back", () => {
  const said = passage(["middle", `Restore ${"all the ".repeat(500)}helpers.`], 0);
  assert.equal(undoneUnits([said], []).size, 0);
});
