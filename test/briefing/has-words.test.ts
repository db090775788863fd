/** Which texts say something. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hasWords } from "../../src/briefing/lines.ts";

const CASES: [text: string, expected: boolean, why: string][] = [
  ["Use pnpm", true, "words"],
  ["端口被占用", true, "words without spaces"],
  ["ประตู".repeat(20), true, "a long run of them"],
  ["getUserById", true, "a name"],
  [`${"x".repeat(300)} is not ok`, true, "words after a blob"],
  ["", false, "nothing"],
  ["x".repeat(300_000), false, "one letter"],
  ["x ".repeat(100), false, "letters"],
  ["ab".repeat(150), false, "a blob"],
  ["3f9a".repeat(60), false, "a hash"],
  ["==== 12 / 34 ====", false, "numbers and lines"],
  ["🚀".repeat(50), false, "pictures"],
];
for (const [text, expected, why] of CASES)
  test(`${why}: ${expected ? "says something" : "says nothing"}`, () => assert.equal(hasWords(text), expected));
