import assert from "node:assert/strict";
import { test } from "node:test";
import { relevantMemories } from "../../src/briefing/context.ts";
import { PRIORITY_OF_WEIGHT } from "../../src/memory/item.ts";

const memory = (id: string, weight: keyof typeof PRIORITY_OF_WEIGHT = 3) => ({
  id,
  priority: PRIORITY_OF_WEIGHT[weight],
});
const shown = (found: { entry: { id: string }; relevance: number }[]) =>
  found.map(({ entry, relevance }) => [entry.id, Number(relevance.toFixed(3))]);

const MULTIPLIERS = { 5: 1.667, 4: 1.333, 3: 1, 2: 0.667, 1: 0.333 };

for (const [weight, multiplier] of Object.entries(MULTIPLIERS)) {
  test(`weight ${weight} multiplies by ${multiplier}: a recent memory from 0.8, a found one from its match`, () => {
    const one = memory("a", Number(weight) as keyof typeof PRIORITY_OF_WEIGHT);
    const near = (found: number, expected: number) => assert.ok(Math.abs(found - expected) < 0.001, `${found}`);
    near(relevantMemories([one], [], 1)[0]!.relevance, 0.8 * multiplier);
    near(relevantMemories([], [{ entry: one, match: 0.6 }], 1)[0]!.relevance, 0.6 * multiplier);
  });
}

test("recent and found ones stand in one order, each called what it is, and the limit cuts its end", () => {
  const recent = [memory("recent"), memory("minor", 2), memory("critical", 5)];
  const found = [
    { entry: memory("near"), match: 0.9 },
    { entry: memory("far"), match: 0.4 },
  ];
  const all = [
    ["critical", 1.333],
    ["near", 0.9],
    ["recent", 0.8],
    ["minor", 0.533],
    ["far", 0.4],
  ];
  assert.deepEqual(shown(relevantMemories(recent, found, 10)), all);
  assert.deepEqual(shown(relevantMemories(recent, found, 2)), all.slice(0, 2));
  const called = relevantMemories(recent, found, 10).filter(({ isRecent }) => isRecent);
  assert.deepEqual(called.map(({ entry }) => entry.id), ["critical", "recent", "minor"]); // prettier-ignore
});
