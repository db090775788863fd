/** Passages: nothing is lost, nothing is too long, and every line number points where it says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cutPassages, PASSAGE_LIMIT_CHARACTERS } from "../../src/text/passages.ts";

const texts = (text: string, limit?: number) => cutPassages(text, limit).map((piece) => piece.text);

const cuts: [string, number, string[], string][] = [
  ["short", 20, ["short"], "a short text is one piece"],
  ["", 20, [], "nothing is no piece"],
  [" \n\t \n", 20, [], "white space is no piece"],
  ["  padded \n", 20, ["padded"], "the ends are trimmed"],
  [
    "one two.\nthree\n\nfour five",
    22,
    ["one two.\nthree", "four five"],
    "at a blank line, though a later space is nearer",
  ],
  ["one two.\r\nthree\r\n\r\nfour five", 24, ["one two.\r\nthree", "four five"], "also with carriage returns"],
  ["one two three\nfour. five six", 22, ["one two three", "four. five six"], "at a line end before a sentence"],
  ["one two three. four five six", 22, ["one two three.", "four five six"], "at a sentence before a space"],
  ['one two "three." four five', 22, ['one two "three."', "four five"], "behind the quote that ends a sentence"],
  ["あいうえおか。きくけこさし", 10, ["あいうえおか。", "きくけこさし"], "at a sentence without a space"],
  ["one two three four", 10, ["one two", "three four"], "at a space"],
  ["abc\n\nefghij klm", 12, ["abc\n\nefghij", "klm"], "a pause in the first half is too early"],
  ["abcdefghijkl", 5, ["abcde", "fghij", "kl"], "anywhere, when there is no pause"],
  ["abcd😀fgh", 5, ["abcd", "😀fgh"], "but not inside a character"],
];
for (const [text, limit, expected, why] of cuts)
  test(`${JSON.stringify(text)} at ${limit}: ${why}`, () => assert.deepEqual(texts(text, limit), expected));

test("lines are counted from one, and blank lines around a piece belong to none", () => {
  assert.deepEqual(cutPassages("\n\none\ntwo\n\n\nthree\nfour\n", 12), [
    { text: "one\ntwo", startLine: 3, endLine: 4 },
    { text: "three\nfour", startLine: 7, endLine: 8 },
  ]);
});

test("a line cut in two has its number in both pieces", () => {
  assert.deepEqual(cutPassages("first\nabcdefghij klmnop", 18), [
    { text: "first\nabcdefghij", startLine: 1, endLine: 2 },
    { text: "klmnop", startLine: 2, endLine: 2 },
  ]);
});

test("the usual limit is 900 characters", () => {
  assert.equal(PASSAGE_LIMIT_CHARACTERS, 900);
  assert.deepEqual(texts("a".repeat(900)).length, 1);
  assert.deepEqual(
    texts("a".repeat(901)).map((text) => text.length),
    [900, 1],
  );
});

const word = fc.oneof(
  fc.constantFrom("\n", "\n\n", "\r\n", " ", ". ", "。", "😀", "𠮷野", "word", "    indented"),
  fc.string({ unit: "grapheme", maxLength: 8 }),
);
const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(""));
const limit = fc.integer({ min: 2, max: 40 });

test("nothing is lost and nothing is repeated", () => {
  const bare = (string: string) => string.replace(/\s+/g, "");
  fc.assert(fc.property(text, limit, (whole, most) => assert.equal(bare(texts(whole, most).join("")), bare(whole))));
});

test("every piece is within the limit, trimmed, not empty, and whole Unicode", () => {
  fc.assert(
    fc.property(text, limit, (whole, most) => {
      for (const piece of texts(whole, most)) {
        assert.ok(piece.length > 0 && piece.length <= most);
        assert.equal(piece, piece.trim());
        assert.ok(piece.isWellFormed());
      }
    }),
  );
});

test("a piece stands in the lines that it names, and lines never go back", () => {
  fc.assert(
    fc.property(text, limit, (whole, most) => {
      const lines = whole.split("\n");
      let last = 1;
      for (const piece of cutPassages(whole, most)) {
        assert.ok(
          lines
            .slice(piece.startLine - 1, piece.endLine)
            .join("\n")
            .includes(piece.text),
        );
        assert.equal(piece.endLine - piece.startLine, piece.text.split("\n").length - 1);
        assert.ok(piece.startLine >= last);
        last = piece.endLine;
      }
    }),
  );
});
