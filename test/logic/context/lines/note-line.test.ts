/** Notes as lines, without what belonged to the message they were taken from. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { noteLine } from "../../../../src/logic/context/lines/note-line.ts";
import { anyCharacter } from "../../../any-character.ts";
import { MEMORY_PREFIX } from "../../../../src/model/capture/memory-block.ts";

const CASES: [text: string, line: string][] = [
  ["The parser drops commas.", "The parser drops commas."],
  ["3. Attribution counts commits", "Attribution counts commits"],
  ["- one\n- two", "one - two"],
  ["Fixed the log. 2. Fixed the clock: all tests pass ✅", "Fixed the log. Fixed the clock: all tests pass"],
  ["## Summary\nThe cache is cold", "Summary The cache is cold"],
  ["Summary: the cache is cold", "the cache is cold"],
  ["Key Technical Concepts: a link. Files and Code Sections: `a.ts` (new)", "a link. `a.ts` (new)"],
  ["1. Errors and fixes: 2. The lock was lost", "The lock was lost"],
  ["The inner function handles this!: It has the solution", "The inner function handles this! It has the solution"],
  ["Version 1.2 needs Node 24. 3 of 4 pass", "Version 1.2 needs Node 24. 3 of 4 pass"],
  ["❌ does not work, ⚠️ careful", "❌ does not work, ⚠️ careful"],
  ["🚀🎉", "🚀🎉"],
  ["🎉 Done ✅. Next ✓; ✅ last", "Done. Next; last"],
  ["Commits start with 🚀 for deploys and 🐛 for fixes", "Commits start with 🚀 for deploys and 🐛 for fixes"],
  ["Notes: ", "Notes:"],
];
for (const [text, line] of CASES) test(JSON.stringify(text), () => assert.equal(noteLine(text), line));

test("never makes a mark of memory out of what stands around an ornament", () => {
  const part = fc.constantFrom(..."STELE _ MEMORY _END ✅ 1. Summary: ! : < -- >".split(" "), " ");
  const hostile = fc.array(fc.oneof(part, fc.string({ unit: anyCharacter, maxLength: 3 }))).map((all) => all.join(""));
  fc.assert(
    fc.property(hostile, (text) => assert.doesNotMatch(noteLine(text), new RegExp(`\\n|${MEMORY_PREFIX}|<[!/]`, "i"))),
  );
});
