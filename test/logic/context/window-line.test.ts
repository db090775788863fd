import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { windowLine } from "../../../src/logic/context/window-line.ts";
import { MEMORY_END, MEMORY_START } from "../../../src/model/capture/memory-block.ts";
import { anyCharacter } from "../../any-character.ts";

const CASES: [string, number, string][] = [
  ["plain", 10, "plain"],
  ["two\nlines\r\n\tand a tab", 30, "two lines and a tab"],
  ["red\u001b[31m text\u0007", 30, "red [31m text"],
  ["abc\u202egnp.exe", 30, "abc gnp.exe"],
  ["half \ud83d surrogate", 30, "half surrogate"],
  ["a long line", 6, "a lon…"],
  [`${" ".repeat(100)}late`, 5, "…"],
  [`before ${MEMORY_END} after ${MEMORY_START}`, 40, "before after"],
];
for (const [text, limit, line] of CASES)
  test(`${JSON.stringify(text.slice(0, 40))} is shown as ${JSON.stringify(line)}`, () =>
    assert.equal(windowLine(text, limit), line));

test("any text becomes one line within the limit, without controls and marks", () => {
  fc.assert(
    fc.property(
      fc.array(anyCharacter).map((parts) => parts.join("")),
      fc.integer({ min: 2, max: 50 }),
      (text, limit) => {
        const line = windowLine(text, limit);
        assert.ok(line.length <= limit);
        assert.ok(line.isWellFormed());
        assert.doesNotMatch(line, /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u);
      },
    ),
  );
});
