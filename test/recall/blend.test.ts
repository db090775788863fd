import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DEFAULTS } from "../../src/app/config-defaults.ts";
import { blend, blendFactor, departuresOf, weightOf } from "../../src/recall/blend.ts";
import { fuse } from "../../src/recall/fuse.ts";
import { OWN_RECIPES } from "../../src/recall/ranking.ts";
import type { Candidate } from "../../src/recall/search.ts";
import { candidate, PLACE, type TestPlace } from "./candidates.ts";

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

const recipe = OWN_RECIPES.memory;
const blended = (...kinds: Candidate<TestPlace>[][]) =>
  blend(
    kinds.map((found) => ({ recipe, found, fused: fuse(found, recipe) })),
    DEFAULTS.decay,
  );
const byWords = (keyword: number) => ({ scores: { keyword } });

test("worth multiplies the match, and the best is 1", () => {
  const [first, second] = blended([
    candidate("a", byWords(1)),
    candidate("b", { ...byWords(1), outline: { priority: 10 } }),
  ]);
  assert.deepEqual([first?.id, first?.score, second?.id], ["b", 1, "a"]);
  assert.ok(Math.abs(second!.score - 3 / 5) < 1e-12);
});

test("equal scores: the nearest scope first, then the lower id", () => {
  const found = [
    candidate("a", { ...byWords(1), outline: { scope: "global" } }),
    candidate("d", byWords(1)),
    candidate("c", byWords(1)),
    candidate("b", { ...byWords(1), outline: { scope: "working" } }),
  ];
  assert.deepEqual(
    blended(found).map(({ id }) => id),
    ["b", "c", "d", "a"],
  );
});

test("an item in two stores counts once, where it was found better; its passages there all count", () => {
  const global: TestPlace = { ...PLACE, name: "global" };
  const found = [
    candidate("a", { key: "0/a/1", ...byWords(2) }),
    candidate("a", { key: "1/a/1", ...byWords(9), place: global }),
    candidate("a", { key: "1/a/2", ...byWords(1), place: global }),
  ];
  assert.deepEqual(
    blended(found).map(({ key }) => key),
    ["1/a/1", "1/a/2"],
  );
});

test("a document that nobody looks at fades, and one that others refer to stands higher", () => {
  const { now } = PLACE.filter;
  const year = 365 * 86_400_000;
  const found = [
    candidate("fresh", { ...byWords(1), outline: { rank: 0, fadesSince: now } }),
    candidate("old", { ...byWords(1), outline: { rank: 0, fadesSince: now - year } }),
    candidate("central", { ...byWords(1), outline: { rank: 1, fadesSince: now } }),
  ];
  assert.deepEqual(
    blended(found).map(({ id }) => id),
    ["central", "fresh", "old"],
  );
});

test("an old memory fades by its type, and says so", () => {
  const { now } = PLACE.filter;
  const fadesSince = now - 30 * 86_400_000;
  const faded = (id: string, set: Partial<Candidate["outline"]>) =>
    candidate(id, { ...byWords(1), outline: { fadesSince, ...set } });
  const found = blended([
    faded("progress", { type: "progress" }),
    faded("fact", { type: "fact" }),
    faded("often", { type: "fact", accessCount: 11 }),
    faded("architecture", { type: "architecture" }),
    faded("pinned", { type: "progress", fadesSince: null }),
  ]);
  assert.deepEqual(
    found.map(({ id }) => id),
    ["architecture", "pinned", "often", "fact", "progress"],
  );
  const departures = found.map((one) => departuresOf(one, now, DEFAULTS.decay));
  assert.deepEqual(departures[0], {});
  assert.ok(Math.abs(departures[3]!.confidence! + 0.15) < 1e-12, "half of the confidence costs 15 %");
});

test("a memory of the time that the question names has not faded", () => {
  const outline = { type: "progress", fadesSince: PLACE.filter.now - 90 * 86_400_000 };
  const found = blended([
    candidate("then", { scores: { keyword: 1, temporal: 1 }, outline }),
    candidate("later", { scores: { keyword: 1, temporal: 0 }, outline }),
  ]);
  assert.deepEqual(
    found.map((one) => [one.id, "confidence" in departuresOf(one, PLACE.filter.now, DEFAULTS.decay)]),
    [
      ["then", false],
      ["later", true],
    ],
  );
});

test("kinds are put in one order", () => {
  const found = blended(
    [candidate("far", { scores: { vector: 0.2 }, cosine: 0.2 })],
    [candidate("near", { scores: { vector: 0.8 }, cosine: 0.8 })],
  );
  assert.deepEqual(
    found.map(({ id }) => id),
    ["near", "far"],
  );
  assert.equal(found[0]!.score, 1);
});
