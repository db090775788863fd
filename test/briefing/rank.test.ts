import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RankedBy, surfaceRank } from "../../src/briefing/surface-lines.ts";

const plain: RankedBy = { confidence: 1, priority: 5, centrality: 0, accessCount: 0, isOfBranch: false };

const cases: [what: string, set: Partial<RankedBy>, mostAccesses: number, rank: number][] = [
  ["of the same branch", { isOfBranch: true }, 0, 0.7],
  ["of another branch", {}, 0, 0.6],
  ["of a hub that is read most", { confidence: 0.7, priority: 8, centrality: 1, accessCount: 40 }, 40, 0.81],
  ["read half as often, by logarithm", { accessCount: 9 }, 99, 0.675],
  ["that nobody trusts", { confidence: 0, priority: 1 }, 0, 0.02],
  ["with everything, clamped", { priority: 10, centrality: 1, accessCount: 3, isOfBranch: true }, 3, 1],
];
for (const [what, set, mostAccesses, rank] of cases)
  test(`the rank ${what} is ${rank}`, () =>
    assert.equal(Math.round(surfaceRank({ ...plain, ...set }, mostAccesses) * 1e9) / 1e9, rank));

test("a rank is from 0 to 1 and never falls with anything it is made of", () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const given = fc.record({
    confidence: share,
    centrality: share,
    isOfBranch: fc.boolean(),
    priority: fc.integer({ min: 1, max: 10 }),
    accessCount: fc.nat(1_000),
  });
  fc.assert(
    fc.property(given, (by) => {
      const rank = surfaceRank(by, 1_000);
      assert.ok(rank >= 0 && rank <= 1);
      for (const more of [{ confidence: 1 }, { priority: 10 }, { centrality: 1 }, { accessCount: 1_000 }])
        assert.ok(surfaceRank({ ...by, ...more }, 1_000) >= rank);
    }),
  );
});
