import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { blendFactor, weightOf } from "../../../src/logic/recall/blend.ts";

const weights: [number, number][] = [
  [1, 1],
  [2, 1.5],
  [3, 2],
  [4, 2.5],
  [5, 3],
  [6, 3 + 1 / 3],
  [7, 3 + 2 / 3],
  [8, 4],
  [9, 4.5],
  [10, 5],
  [0, 1],
  [11, 5],
];
for (const [priority, weight] of weights)
  test(`priority ${priority} weighs ${weight}`, () => assert.equal(weightOf(priority), weight));

const factors: [number, number, number, number, string][] = [
  [5, 1, 1, 1, "a neutral item in the centre keeps its score"],
  [5, 1, 0, 0.8, "at the edge of the graph a fifth is missing"],
  [5, 0, 1, 0.7, "no confidence costs three tenths"],
  [10, 1, 1, 5 / 3, "the highest priority"],
  [1, 0, 0, (1 / 3) * 0.7 * 0.8, "the lowest of everything"],
  [8, 0.5, 0.5, (4 / 3) * 0.85 * 0.9, "all three multiply"],
];
for (const [priority, confidence, centrality, expected, why] of factors)
  test(`priority ${priority}, confidence ${confidence}, centrality ${centrality}: ${why}`, () => {
    assert.ok(Math.abs(blendFactor({ priority, confidence, centrality }) - expected) < 1e-12);
  });

test("more priority, confidence or centrality never costs anything", () => {
  const standing = fc.record({
    priority: fc.integer({ min: 1, max: 10 }),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    centrality: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(standing, standing, (left, right) => {
      const lower = {
        priority: Math.min(left.priority, right.priority),
        confidence: Math.min(left.confidence, right.confidence),
        centrality: Math.min(left.centrality, right.centrality),
      };
      assert.ok(blendFactor(lower) > 0);
      assert.ok(blendFactor(lower) <= Math.min(blendFactor(left), blendFactor(right)));
    }),
  );
});
