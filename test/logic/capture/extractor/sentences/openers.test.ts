import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutOpener } from "../../../../../src/logic/capture/extractor/sentences/openers.ts";

const first: [string, string][] = [
  ["No, that's wrong: totals are kept in cents.", "Totals are kept in cents."],
  ["Actually, `total` holds cents.", "`total` holds cents."],
  ["You're right. But the importer rounds twice.", "The importer rounds twice."],
  ["Good catch — fixed in 4be1d07c. `total()` rounds.", "`total()` rounds."],
  ["I've added `roundLine()` to the importer.", "Added `roundLine()` to the importer."],
  ["Looking at the importer, each row is read twice.", "Each row is read twice."],
  ["To answer your question: totals are kept in cents.", "Totals are kept in cents."],
  ["In your case, the basket had no lines.", "The basket had no lines."],
  ["So the importer rounds twice.", "The importer rounds twice."],
  ["Notes are kept for a year.", "Notes are kept for a year."],
  ["Goods without a rate are free of tax.", "Goods without a rate are free of tax."],
  ["No basket is ever empty.", "No basket is ever empty."],
  ["I read the importer twice.", "I read the importer twice."],
  ["Done — the importer rounds each line.", "The importer rounds each line."],
  ["All set: `total` holds cents.", "`total` holds cents."],
  ["The change is clean — added `roundLine()` to the importer.", "Added `roundLine()` to the importer."],
  ["The code is right-aligned, so columns match.", "The code is right-aligned, so columns match."],
];
for (const [text, expected] of first) test(text, () => assert.equal(withoutOpener(text, true), expected));

test("words that tie it to the sentence before stay beside that one", () => {
  assert.equal(withoutOpener("But the importer rounds twice.", false), "But the importer rounds twice.");
  assert.equal(withoutOpener("Exactly: the importer rounds twice.", false), "The importer rounds twice.");
});
