/** Windows of lines: their sizes, what they share, and that none is lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cutPassages, textPassages, windowsOf } from "../../src/text/passages.ts";

const linesOf = (count: number, length = 3) => Array.from({ length: count }, () => "x".repeat(length));

const cases: [lines: number, overlap: number, total: number, expected: string[], why: string][] = [
  [150, 10, 400, ["1-150", "141-290", "281-400"], "as by default"],
  [20, 5, 50, ["1-20", "16-35", "31-50"], "smaller ones"],
  [20, 0, 50, ["1-20", "21-40", "41-50"], "nothing shared"],
  [10, 900, 20, ["1-10", "6-15", "11-20"], "half is shared at most"],
  [10, 2, 0, ["1-1"], "no lines at all"],
  [10, 2, 10, ["1-10"], "one window"],
];
for (const [lines, overlap, total, expected, why] of cases)
  test(`${total} lines in windows of ${lines}, ${overlap} shared: ${why}`, () => {
    const windows = windowsOf(linesOf(total), { lines, overlap }, 8_000);
    assert.deepEqual(
      windows.map(({ from, to }) => `${from}-${to}`),
      expected,
    );
  });

test("long lines make a window shorter, and what it shares as well", () => {
  const windows = windowsOf(linesOf(40, 99), { lines: 20, overlap: 4 }, 1_000);
  assert.deepEqual(windows[0], { from: 1, to: 10 });
  assert.deepEqual(windows[1], { from: 9, to: 18 });
});

test("text is cut at its pauses, and into windows only where it has more lines than one", () => {
  const verse = Array.from({ length: 60 }, (_, index) => `verse ${index + 1}`).join("\n");
  assert.deepEqual(textPassages(verse), cutPassages(verse));
  const short = textPassages(`\n\n${verse}`, { lines: 20, overlap: 5 });
  assert.deepEqual(
    short.map(({ startLine, endLine }) => `${startLine}-${endLine}`),
    ["3-22", "18-37", "33-52", "48-62"],
  );
  assert.equal(short[1]!.text.split("\n")[0], "verse 16");
});

test("no line is lost, windows go on, and a passage is what its lines say", () => {
  const text = fc.array(fc.constantFrom("", "  ", "walrus", "a seal on the ice", "x".repeat(300)), { maxLength: 80 });
  const chunk = fc.record({ lines: fc.integer({ min: 1, max: 30 }), overlap: fc.integer({ min: 0, max: 40 }) });
  fc.assert(
    fc.property(text, chunk, (lines, size) => {
      const windows = windowsOf(lines, size, 1_000);
      for (const [index, { from, to }] of windows.slice(1).entries()) {
        assert.ok(from > windows[index]!.from && from <= windows[index]!.to + 1 && to >= windows[index]!.to);
      }
      assert.equal(windows.at(-1)!.to, Math.max(1, lines.length));
      const covered = new Set<number>();
      for (const { text: said, startLine, endLine } of textPassages(lines.join("\n"), size)) {
        assert.ok(endLine - startLine < size.lines);
        const own = lines.slice(startLine - 1, endLine).join("\n");
        assert.ok(own.includes(said));
        for (let line = startLine; line <= endLine; line += 1) covered.add(line);
      }
      for (const [index, line] of lines.entries()) assert.ok(line.trim() === "" || covered.has(index + 1));
    }),
  );
});
