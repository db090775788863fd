/** Segments: all lines, in order, cut only where nothing is torn. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { segmentsOf } from "../../src/text/markdown.ts";

const long = (lines: number, line = "word ".repeat(20)) => Array.from({ length: lines }, () => line);
const starts = (lines: readonly string[]) => segmentsOf(lines).map(({ startLine }) => startLine);

test("a short text is one segment, and nothing is none", () => {
  assert.deepEqual(segmentsOf(["# a", "", "b"]), [{ startLine: 1, lines: ["# a", "", "b"], isPlain: false }]);
  assert.deepEqual(segmentsOf([]), []);
});

const cuts: [string, string[], number[]][] = [
  ["at a heading", [...long(30), "# a", "b"], [1, 31]],
  ["at an item", [...long(30), "- a", "  - b"], [1, 31]],
  ["at a paragraph", [...long(30), "", "b"], [1, 32]],
  ["not within a paragraph", [...long(30), "b", "c"], [1]],
  ["not before an indented line", [...long(30), "", "  b"], [1]],
  ["not above an underline", [...long(30), "a", "---"], [1]],
  ["at a line where there is nothing else", long(100, "b".repeat(99)), [1, 81]],
  ["before every fence at the margin", ["a", "```", "# b", "```", "c"], [1, 2]],
  ["not within a fence, however long", ["```", ...long(100, "# a"), ...long(100), "", "b", "```"], [1]],
  ["not at what only looks like the end of a fence", ["````", ...long(30), "```", "", "a", "~~~~", "", "b"], [1]],
  ["not within text that is not to be touched", ["<pre>", ...long(30), "", "# a", "</pre>", "", "b"], [1, 36]],
  ["not within a comment", ["<!--", ...long(30), "", "# a", "-->", "", "b"], [1, 36]],
];
for (const [why, lines, expected] of cuts) test(`cut ${why}`, () => assert.deepEqual(starts(lines), expected));

test("what is nested too deeply or has too long a line is plain, by itself", () => {
  const lines = [...long(30), "", "> ".repeat(10) + "a", ...long(30), "", "b"];
  assert.deepEqual(segmentsOf(lines).map(({ isPlain }) => isPlain), [false, true, false]); // prettier-ignore
  assert.deepEqual(segmentsOf(["a", "b".repeat(8_001)]).map(({ isPlain }) => isPlain), [true]); // prettier-ignore
  assert.deepEqual(segmentsOf(["-".repeat(50), "> > a"]).map(({ isPlain }) => isPlain), [false]); // prettier-ignore
});

test("every line is in one segment, at its place, and none but fences and comments grow without end", () => {
  const line = fc.constantFrom(
    "",
    "a",
    "# a",
    "- a",
    "  - b",
    "> c",
    "```",
    "  ~~~",
    "<!--",
    "-->",
    "   <!-- x",
    "e".repeat(700),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const segments = segmentsOf(lines, 5);
      assert.deepEqual(segments.flatMap((segment) => segment.lines), lines); // prettier-ignore
      let at = 5;
      for (const segment of segments) {
        assert.equal(segment.startLine, at);
        at += segment.lines.length;
        const isEnclosed = /^(?:```|<!--)/.test(segment.lines[0] ?? "");
        assert.ok(isEnclosed || segment.lines.join("\n").length <= 8_800);
      }
    }),
  );
});
