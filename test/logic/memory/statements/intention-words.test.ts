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
  ["Our plan is to drop Redis", true],
  ["Idea: cache the cart in Redis", true],
  ["It is a good idea to cache the cart", true],
  ["Maybe, the cart is cached in Redis", true],
  ["The cart gets a cache in Redis, eventually", true],
  ["La idea es usar Kafka", true],
  ["Commits should be small", false],
  ["The rate limit is 200 requests per minute, which could be raised", false],
  ["Rate limit of 200 requests per minute, which could be raised", false],
  ["The rate limit is 200 requests per minute but might change", false],
  ["The rate limit is 200 requests per minute. We plan to raise it.", false],
  ["The proxy returns 429 because the database would fail", false],
  ["The team writes Kotlin in IntelliJ IDEA", false],
  ["IntelliJ IDEA is the editor of the team", false],
  ["The Pro plan allows 10 seats", false],
  ["The Team plan on AWS has 10 seats", false],
  ["We sell plans for teams", false],
  ["Users vote on ideas in Canny", false],
  ["Sprint planning is on Monday", false],
  ["The user wants short answers", false],
  ["The user would prefer tabs", false],
  ["The launch is planned for March", false],
  ["Tokens expire after one day", false],
];

for (const [text, expected] of cases) {
  test(`${text} → ${expected}`, () => assert.equal(isIntention(text), expected));
}
