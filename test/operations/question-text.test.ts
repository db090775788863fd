/** Questions to a person: foreign text is wrapped and marked on every row, however long it is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { wrapped } from "../../src/operations/question-text.ts";

const WIDTH = 76;

test("a megabyte without a line break is wrapped, and every row is marked", () => {
  for (const word of ["word ", "A"]) {
    const rows = wrapped([`> ${word.repeat(1_000_000 / word.length)}`]).split("\n");
    assert.ok(rows.length > 13_000);
    assert.ok(rows.every((row) => row.startsWith("> ") && row.length <= WIDTH));
  }
});

test("wrapping loses no word and breaks no row that fits", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,40}$/), { minLength: 1 }), (words) => {
      const text = `> ${words.join(" ")}`;
      const rows = wrapped([text]).split("\n");
      const read = rows.map((row) => row.slice(2)).join(" ").split(/\s+/); // prettier-ignore
      assert.deepEqual(read, words);
      if (text.length <= WIDTH) assert.deepEqual(rows, [text]);
    }),
  );
});
