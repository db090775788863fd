import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { shortText, Text, TEXT_LIMIT_BYTES, textFault } from "../../src/text/text.ts";

const refused: [string, string, RegExp][] = [
  ["nothing", "", /empty/],
  ["only white space", " \n\t\u3000", /empty/],
  ["only characters that nobody sees", "\u200b\u200d\u2060\ufeff \u00ad\u3164\u2800\u{e0020}", /empty/],
  ["a byte too many", "a".repeat(TEXT_LIMIT_BYTES + 1), /1,048,576 bytes/],
  ["fewer characters, but too many bytes", "é".repeat(TEXT_LIMIT_BYTES / 2 + 1), /1,048,576 bytes/],
  ["a NUL", "before\0after", /NUL/],
  ["a lone high surrogate", "broken \ud83d emoji", /surrogate/],
  ["a lone low surrogate", "broken \ude00 emoji", /surrogate/],
  ["a decoded picture", "\u0089PNG\r\n\u001a\n\u0001\u0002IHDR\u0003\u0004", /binary/],
  ["undecodable bytes", "\ufffd\ufffd\ufffd\ufffd ELF", /binary/],
];
for (const [name, text, fault] of refused)
  test(`refused: ${name}`, () => {
    assert.match(textFault(text) ?? "", fault);
    assert.equal(Text.safeParse(text).success, false);
  });

const fine: [string, string][] = [
  ["one letter", "a"],
  ["exactly as much as may be", "a".repeat(TEXT_LIMIT_BYTES)],
  ["emoji", "👩‍👩‍👧 family 🚀"],
  ["any script", "Привет, 世界, مرحبا, हिन्दी"],
  ["tabs, line ends and form feeds", "a\tb\r\nc\fd\n"],
  ["a little colour of a terminal", "\u001b[31merror\u001b[0m: the build failed in step 3"],
  ["one replacement character", "the file was read as caf\ufffd by the old tool"],
  ["code", 'const x = `${a}\\0`; // "quoted" <tag> & more'],
];
for (const [name, text] of fine)
  test(`accepted, unchanged: ${name}`, () => {
    assert.equal(textFault(text), null);
    assert.equal(Text.parse(text), text);
  });

test("the reason reaches the caller", () => {
  const result = Text.safeParse("a\0b");
  assert.deepEqual(
    result.error?.issues.map(({ message }) => message),
    ["contains a NUL byte, so it is not text"],
  );
});

test("a short text has a longest length, and the same faults", () => {
  const title = shortText(5);
  assert.equal(title.parse("12345"), "12345");
  for (const text of ["123456", "", "  ", "a\0"]) assert.equal(title.safeParse(text).success, false, text);
});

test("whatever is accepted is well-formed, not empty and without NUL", () => {
  const text = fc.string({ unit: fc.oneof(fc.constantFrom("\0", "\ud800", " ", "\u0001", "a"), fc.string()) });
  fc.assert(
    fc.property(text, (candidate) => {
      const isSound = candidate.isWellFormed() && candidate.trim() !== "" && !candidate.includes("\0");
      if (textFault(candidate) === null) assert.ok(isSound);
      // Control characters up to a tenth are tolerated; without any, soundness is enough.
      else assert.ok(!isSound || candidate.includes("\u0001"));
    }),
  );
});
