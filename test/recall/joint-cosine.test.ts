import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { jointCosines } from "../../src/recall/gather.ts";

const near = (one: number, two: number) => Math.abs(one - two) < 1e-9;

test("another model's cosines are read on the local scale, whatever theirs is", () => {
  const local = [0.1, 0.2, 0.6];
  const joint = jointCosines(local.map((cosine) => ({ local: cosine, remote: 0.7 + cosine / 4 })));
  assert.ok(joint.every((cosine, index) => near(cosine, local[index]!)));
});

test("the other model changes the order", () => {
  const [one, two] = jointCosines([
    { local: 0.3, remote: 0.7 },
    { local: 0.31, remote: 0.6 },
    { local: 0.1, remote: 0.5 },
  ]);
  assert.ok(one! > two!);
});

for (const [why, pairs] of [
  [
    "too few",
    [
      { local: 0.4, remote: 0.9 },
      { local: 0.2, remote: 0.8 },
    ],
  ],
  ["all alike", [0.1, 0.2, 0.3].map((local) => ({ local, remote: 0.8 }))],
  ["not sent", [0.1, 0.2, 0.3].map((local) => ({ local, remote: null }))],
] as const)
  test(`what is ${why} keeps its local cosines`, () =>
    assert.deepEqual(
      jointCosines(pairs),
      pairs.map(({ local }) => local),
    ));

test("cosines stay cosines, and their mean stays", () => {
  const cosine = fc.double({ min: -0.5, max: 0.5, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.record({ local: cosine, remote: cosine }), { maxLength: 20 }), (pairs) => {
      const joint = jointCosines(pairs);
      const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
      const isCut = joint.some((value) => Math.abs(value) === 1);
      return (
        joint.every((value) => value >= -1 && value <= 1) &&
        (isCut || Math.abs(mean(joint) - mean(pairs.map(({ local }) => local))) < 1e-6)
      );
    }),
  );
});
