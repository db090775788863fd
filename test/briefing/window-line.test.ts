import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { titledLine, windowLine } from "../../src/briefing/lines.ts";
import { anyCharacter } from "../any-character.ts";

const CASES: [string, number, string][] = [
  ["plain", 10, "plain"],
  ["two\nlines\r\n\tand a tab", 30, "two lines and a tab"],
  ["red\u001b[31m text\u0007", 30, "red[31m text"],
  ["a long line", 8, "a long…"],
  [`${" ".repeat(100)}late`, 5, "…"],
  [`one${" ".repeat(100)}late`, 10, "one …"],
];
for (const [text, limit, line] of CASES)
  test(`${JSON.stringify(text.slice(0, 40))} is shown as ${JSON.stringify(line)}`, () =>
    assert.equal(windowLine(text, limit), line));

test("a title stands before the text, unless the text begins with it", () => {
  assert.equal(titledLine({ title: "auth", content: "tokens" }, 50), "auth: tokens");
  assert.equal(titledLine({ title: "auth", content: "auth by tokens" }, 50), "auth by tokens");
  assert.equal(titledLine({ title: null, content: "tokens" }, 50), "tokens");
});

test("any text becomes one line within the limit, without controls", () => {
  const any = fc.array(anyCharacter, { maxLength: 300 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(any, fc.integer({ min: 2, max: 50 }), (text, limit) => {
      const line = windowLine(text, limit);
      assert.ok(line.length <= limit, `${line.length}`);
      assert.ok(line.isWellFormed());
      assert.doesNotMatch(line, /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u);
    }),
  );
});
