/** What was marked as private is never left, whatever a terminal was told in between. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { withoutUnsaid } from "../../src/sessions/clean-text.ts";

const whole = fc.constantFrom(
  ...["\u001b[31m", "\u001b[0m", "\u001b[?25h", "\u001b[<1u", "\u001b(B", "\u001b=", "\u009b1m"],
  ...["\u001b]0;title > of\u0007", "\u001b]8;;https://example.com\u001b\\", "\u001bP1$r0m\u001b\\", "\u001b^a\u0007"],
);
/** Cut off, so that they reach as far as they can. */
const open = fc.constantFrom(
  ...["\u001b", "\u001b[", "\u001b[1;", "\u001b[?", "\u001b(", "\u009b1", "\\e[", "[1"],
  ...["\u001b]", "\u001b]0;make test ", "\u001bP", "\u001bX a", "\u001b^", "\u001b_b", "\u001b]8;;https://example.com"],
);
const marks = fc.constantFrom(
  ["<private>", "</private>"],
  ["<PRIVATE why='x'>", "</Private >"],
  ["<private>SECRET <private>", "</private> SECRET</private>"],
  ["<!-- STELE_MEMORY_START -->", "<!-- STELE_MEMORY_END -->"],
  ["STELE_MEMORY_START", "STELE_MEMORY_END"],
);

/** Puts each into the text, at that part of its length, and none within another. */
function withInserted(text: string, inserted: readonly (readonly [string, number])[]): string {
  const fromTheEnd = inserted.toSorted(([, one], [, other]) => other - one);
  return fromTheEnd.reduce((left, [sequence, part]) => {
    const at = Math.floor(part * text.length);
    return left.slice(0, at) + sequence + left.slice(at);
  }, text);
}
const part = fc.double({ min: 0, max: 1, noNaN: true });

test("whole sequences, even within a mark", () => {
  fc.assert(
    fc.property(marks, fc.array(fc.tuple(whole, part), { maxLength: 6 }), ([start, end], inserted) => {
      const text = withInserted(`before ${start} SECRET ${end} after`, inserted);
      assert.doesNotMatch(withoutUnsaid(text), /SECRET/);
    }),
  );
});

test("sequences that were cut off, around the marks and within", () => {
  const some = fc.array(open, { maxLength: 3 }).map((all) => all.join(""));
  fc.assert(
    fc.property(marks, fc.tuple(some, some, some, some), ([start, end], [one, two, three, four]) => {
      const text = `before ${one}${start}${two} SECRET\nSECRET ${three}${end}${four} after`;
      assert.doesNotMatch(withoutUnsaid(text), /SECRET/);
    }),
  );
});
