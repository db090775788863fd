import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { summaryOf } from "../../src/text/short-text.ts";

const long = (count: number) => "word ".repeat(count).trim();

const cases: [string, string, string][] = [
  ["Short.", "Short.", "a short text is its own summary"],
  ["  First line.\nSecond line.", "First line.", "the first line"],
  ["A   title\twith  gaps", "A title with gaps", "white space is one space"],
  ["One. Two. Three.", "One. Two. Three.", "a line that fits is not cut at a sentence"],
  [
    `The first sentence is here. ${long(60)}`,
    "The first sentence is here.",
    "a long line is cut at its first sentence",
  ],
  [`Hm. The first sentence is here. ${long(60)}`, "Hm. The first sentence is here.", "but not at a tiny one"],
  [`Version 1.2.3 of the tool is fine. ${long(60)}`, "Version 1.2.3 of the tool is fine.", "nor inside a number"],
  [
    "这是第一句话，它说明了这个项目为什么使用缓存。" + "内".repeat(300),
    "这是第一句话，它说明了这个项目为什么使用缓存。",
    "without a space",
  ],
  [long(60), `${long(39)}…`, "without a sentence, at a word"],
  ["x".repeat(300), `${"x".repeat(199)}…`, "without a word, anywhere"],
  [`ab ${"x".repeat(300)}`, `ab ${"x".repeat(196)}…`, "not at a word that comes too early"],
  ["😀".repeat(200), "😀".repeat(200), "200 characters fit, however wide"],
  ["😀".repeat(201), `${"😀".repeat(199)}…`, "one more does not"],
  ["", "", "nothing"],
];
for (const [content, expected, why] of cases)
  test(`${JSON.stringify(content.slice(0, 40))}: ${why}`, () => assert.equal(summaryOf(content), expected));

test("never more than 200 characters, never more than one line, never empty for a text", () => {
  const piece = fc.oneof(
    fc.constantFrom(". ", "! ", "。", "\n", " ", "😀", "\u2028", "e\u0301"),
    fc.string({ maxLength: 80 }),
    fc.lorem({ maxCount: 20 }),
  );
  const content = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(content, (text) => {
      const summary = summaryOf(text);
      assert.ok([...summary].length <= 200);
      assert.ok(!/[\n\r\t\u2028]/.test(summary));
      assert.equal(summary === "", text.trim() === "");
    }),
  );
});
