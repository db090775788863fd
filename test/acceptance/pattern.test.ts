/** Facts of one pattern about several things: nearness never hides one of them, and each is found by its own name. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { ask, keep, testWorld } from "../test-world.ts";
import { operations } from "../whole-catalog.ts";

const NAMES = ["billing", "search", "upload", "mail", "audit", "login"];
const PATTERNS: ((name: string, index: number) => string)[] = [
  (name, index) => `The ${name} service listens on port ${4101 + index * 7}`,
  (name, index) => `The port of service ${name} is ${index + 1}`,
  (_, index) => `The port of service ${"ABCDEF"[index]} is ${index + 1}`,
  (name, index) => `Logs of the ${name} service are kept for ${index + 3} weeks`,
  (name, index) => `${["Anna", "Tom", "Lena", "Paul", "Mia", "Jan"][index]} owns the ${name} service`,
];
const questionFor = (pattern: number, index: number): string =>
  pattern === 2 ? `port of service ${"ABCDEF"[index]}` : `${NAMES[index]} service`;

for (const [number, pattern] of PATTERNS.entries())
  test(`each is the first hit for its own name, and all are there: ${pattern("…", 0)}`, async () => {
    const world = await testWorld();
    const texts = NAMES.map(pattern);
    for (const text of texts) {
      await keep(world, text, { scope: "project", compare: true, type: "fact" });
      world.clock.time += 3_600_000;
    }
    for (const [index, text] of texts.entries()) {
      const { hits } = await ask(world, questionFor(number, index));
      assert.equal(hits[0]!.content, text);
      assert.deepEqual(new Set(hits.map(({ content }) => content)), new Set(texts));
    }
    const { answer } = await dispatch(operations.surface, {}, world);
    for (const text of texts) assert.ok(answer.text.includes(text), answer.text);
  });
