import assert from "node:assert/strict";
import { test } from "node:test";
import { type Deed, deedsIn, isUndone } from "../../../../../src/logic/capture/extractor/sentences/deeds.ts";

const read: [string, [Deed, string][]][] = [
  ["Removed `roundLine()` from the basket.", [["drops", "roundLine"]]],
  ["The `total` column is no longer needed.", [["drops", "total"]]],
  ["Use `cents` instead of `total` in the basket.", [["drops", "total"], ["adds", "cents"]]],
  ["Replaced `parseRow()` with a scanner.", [["drops", "parseRow"]]],
  ["Renamed `lastSeen` to `last_seen_at`.", [["drops", "lastSeen"]]],
  ["Remove: `taxOf()` (line 12); the `rate` cache", [["drops", "taxOf,rate"]]],
  ["Reverted the removal of `roundLine()`.", [["restores", "roundLine"]]],
  ["We went back to `parseRow()` for imports.", [["restores", "parseRow"]]],
  ["`roundLine()` is still needed for foreign invoices.", [["restores", "roundLine"]]],
  ["The rounding lives in `roundLine()` (which I wrongly removed before).", [["restores", "roundLine"]]],
  ["The original `taxOf()` lookup was correct.", [["restores", "taxOf"]]],
  ["`roundLine()` was removed and then brought back.", [["restores", "roundLine"], ["drops", "roundLine"]]],
  ["Dropped `rate_cache`, then restored it.", [["restores", "rate_cache"], ["drops", "rate_cache"]]],
  ["Added `mergeBaskets()` to the basket.", [["adds", "mergeBaskets"]]],
  ["`total()` uses `roundLine()`.", []],
  ["We did not remove `roundLine()`.", []],
  ["Nothing of it was touched.", []],
]; // prettier-ignore
for (const [text, expected] of read)
  test(`deeds: ${text}`, () =>
    assert.deepEqual(
      deedsIn(text).map(({ deed, names }) => [deed, [...names].join()]),
      expected,
    ));

test("a condition, a wish and a question are no deeds yet", () => {
  for (const text of [
    "If the cache is stale, remove `rate_cache`.",
    "We could remove `rate_cache`.",
    "Should we remove `rate_cache`?",
    "When the basket is empty, `total()` uses `zero` instead of `rate_cache`.",
  ])
    assert.ok(
      deedsIn(text).every(({ isConditional }) => isConditional),
      text,
    );
});

const undone: [string, string, string, boolean][] = [
  ["what was removed is back", "Restored `roundLine()`.", "Removed `roundLine()`.", true],
  ["a plan to remove it too", "Restored `roundLine()`.", "We should remove `roundLine()` and `taxOf()`.", true],
  ["what was added is out", "Removed `rate_cache` again.", "Added `rate_cache` to the basket.", true],
  ["what was used is replaced", "Use `cents` instead of `total`.", "Switched to `total` for sums.", true],
  ["a phrase is a thing too", "We put the nightly import back.", "We removed the nightly import entirely.", false],
  ["a phrase of the same words", "Restored the nightly import.", "We removed the nightly import entirely.", true],
  ["another thing", "Restored `taxOf()`.", "Removed `roundLine()`.", false],
  ["the same again", "Removed `roundLine()`.", "Removed `roundLine()`.", false],
  ["under a condition", "If it fails, restore `roundLine()`.", "Removed `roundLine()`.", false],
  ["told with its end", "Restored `roundLine()`.", "Removed `roundLine()`, but then restored it.", false],
  [
    "mentioned beside other things",
    "Use `cents` instead of `total`.",
    "On some systems the temporary folder is a link, so paths differ by their first part. Tests must resolve it first, as the importer does for each of its files. Sums use `total`.",
    false,
  ],
];
for (const [what, later, earlier, expected] of undone)
  test(`undone, ${what}: ${expected}`, () => assert.equal(isUndone(deedsIn(later), deedsIn(earlier)), expected));
