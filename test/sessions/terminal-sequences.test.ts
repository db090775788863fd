/** What a terminal printed, without what only a terminal understands; and what only looks like that, as it is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { withoutTerminalSequences } from "../../src/sessions/clean-text.ts";

const removed: [printed: string, left: string, why: string][] = [
  ["\u001b[31mred\u001b[0m", "red", "colours"],
  ["\u001b[38;2;255;100;0mred\u001b[m", "red", "colours of many numbers, and none"],
  ["\u001b[38:5:208mred\u001b[39m", "red", "colours divided by colons"],
  ["10 %\r\u001b[2K\u001b[1G20 %", "10 %\r20 %", "erased lines and columns"],
  ["\u001b[?25lspinner\u001b[?25h\u001b[?2004h", "spinner", "a hidden cursor"],
  ["\u001b]0;title\u0007text", "text", "a title"],
  ["\u001b]8;;https://example.com\u001b\\link\u001b]8;;\u001b\\.", "link.", "a link"],
  ["\u001b]0;a > b\u0007text", "text", "a title with a sign"],
  ["\u001b]7;file:///private/tmp\u0007text", "text", "a path with the word of a mark"],
  ["\u001b]0;a title that never ends\nnext", "\nnext", "a title without an end"],
  ["\u001bP1$r0m\u001b\\text \u001b_x\u0007y", "text y", "other strings"],
  ["\u001b(Btext\u001b=\u001b>\u001b7\u001b8\u001bc", "text", "sequences of one character"],
  ["\u009b31mred\u009b0m", "red", "in one character instead of two"],
  ["cut off \u001b[3", "cut off ", "cut off"],
  ["cut off \u001b", "cut off ", "cut off at once"],
  ["\\u001b[31mred\\u001b[0m \\x1B[1mbold\\x1b[22m \\033[0;31mx\\033[0m \\e[Ky", "red bold x y", "written out"],
  ['{"stdout":"\\u001b[31mred\\u001b[39m: \\u001b[1m\\u001b[2Kx"}', '{"stdout":"red: x"}', "written out by JSON"],
  ["\\e[1mb\\e[0m, not `\\e[0m`", "b, not `\\e[0m`", "written out, but for what is code"],
  ["a\u001b[<1ub\u001b[<uc", "abc", "a mode of the keyboard"],
  ["^[[31mred^[[0m \u241b[1mbold\u241b[0m", "red bold", "as they are shown"],
  ["[31mred[0m", "red", "without their escapes"],
  ["[[32minfo[39m] started", "[info] started", "without their escapes, in brackets"],
  ["[1m[33mwarn[39m[22m: old", "warn: old", "without their escapes, nested"],
  ["[01;31m[Kerror:[m[K no", "error: no", "without their escapes, as compilers print them"],
  ["[2K[1Gadded 12 packages", "added 12 packages", "erased lines without their escapes"],
  ["[?25lbuilding[?25h", "building", "a hidden cursor without its escapes"],
];
for (const [printed, left, why] of removed)
  test(`removed: ${why}`, () => assert.equal(withoutTerminalSequences(printed), left));

const kept: string[] = [
  "End every coloured line with `\\e[0m`, or PS1='\\033[31m' leaks into the next one.",
  "Wrap it in `\\x1b[31m` and `\\x1b[0m`, or in \\e[31m and \\e[0m.",
  "const RED = '\\u001b[31m', END = \"\\u001b[0m\";",
  "PS1='\\033[31m\\u@\\h\\033[0m' is a red prompt.",
  "Colours as `\\e[1mbold\\e[0m` need a terminal.",
  "rate(http_requests_total[5m]) over [30m:1m], [1h] or [10m]",
  "The build took [2m 14s], the tests [22m ago]",
  "It took [39m] and then [0m]",
  "[K] and [m] are keys, [Kubernetes] is not, nor is [2K tokens] or [2K]",
  "a[0] = b[1]; c[12m] = [1;2;3]",
  String.raw`const COLOUR = /\x1b\[[0-9;]*m/g, START = /^[[a-z]/;`,
  "a\tb\r\nc \u0007",
  "He said \u00e2\u20ac\u0153yes\u00e2\u20ac\u009d, decoded wrongly, and \u009b no",
  "日本語 [1] https://example.com/[2]",
];
for (const text of kept) test(`kept: ${text}`, () => assert.equal(withoutTerminalSequences(text), text));

test("words between sequences stay, whatever they are, and no escape is left", () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  const sequence = fc.constantFrom(
    "\u001b[31m",
    "\u001b[0m",
    "\u001b[2K",
    "\u001b]0;t\u0007",
    "\u001b(B",
    "\u009b1m",
    "\\u001b[1m\\u001b[31m",
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(sequence, word)), (parts) => {
      const text = parts.flat().join(" ");
      const left = withoutTerminalSequences(text);
      assert.deepEqual(
        left.split(" ").filter(Boolean),
        parts.map(([, said]) => said),
      );
      assert.equal(withoutTerminalSequences(left), left);
    }),
  );
});
