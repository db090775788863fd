import assert from "node:assert/strict";
import { test } from "node:test";
import { isIntention } from "../../../../src/logic/memory/statements/intention-words.ts";

const cases: [string, boolean][] = [
  ["It would be nice to have a dark theme", true],
  ["We plan to drop Redis", true],
  ["TODO: raise the limit to 9", true],
  ["Consider Vitest for the tests", true],
  ["The limit might be 9", true],
  ["Jobs should run on Kafka at some point", true],
  ["Is the limit 9?", true],
  ["Wir planen einen Umzug", true],
  ["Il serait bien de migrer", true],
  ["Quizás usamos Kafka", true],
  ["计划迁移到 Kafka", true],
  ["Commits should be small", false],
  ["The user wants short answers", false],
  ["The user would prefer tabs", false],
  ["The launch is planned for March", false],
  ["Tokens expire after one day", false],
];

for (const [text, expected] of cases) {
  test(`${text} → ${expected}`, () => assert.equal(isIntention(text), expected));
}
