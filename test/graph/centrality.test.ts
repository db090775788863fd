/** How central a memory is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { centralityOf, isHub, standingCentrality } from "../../src/graph/edges.ts";

const cases: [inDegree: number, most: number, centrality: number, isHub: boolean, standing: number][] = [
  [0, 0, 0, false, 0],
  [0, 8, 0, false, 0],
  [1, 1, 1, false, 0],
  [2, 4, 0.5, false, 0],
  [3, 3, 1, true, 0.3],
  [3, 12, 0.25, true, 0.25],
  [12, 12, 1, true, 1],
];
for (const [inDegree, most, centrality, hub, standing] of cases)
  test(`${inDegree} of at most ${most} edges: ${centrality}, ${hub ? "a hub" : "no hub"}`, () => {
    assert.equal(centralityOf(inDegree, most), centrality);
    assert.equal(isHub(inDegree), hub);
    assert.equal(standingCentrality(inDegree, most), standing);
  });

test("centrality is a share: between 0 and 1, and more for more edges", () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.nat(1_000), fc.nat(1_000), (one, two, rest) => {
      const most = Math.max(one, two) + rest;
      const [a, b] = [centralityOf(one, most), centralityOf(two, most)];
      assert.ok(a >= 0 && a <= 1);
      assert.ok(one < two ? a <= b : a >= b);
    }),
  );
});
