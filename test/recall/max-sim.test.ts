import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { maxSim } from "../../src/recall/coverage.ts";

/** Meets by columns of shares, one row a place of the passage. */
const meeting = (rows: readonly (readonly number[])[], columns: number) => (start: number, end: number) =>
  Array.from({ length: columns }, (_, column) => Math.max(0, ...rows.slice(start, end).map((row) => row[column]!)));

const share = fc.integer({ min: 0, max: 255 });
const input = fc.integer({ min: 1, max: 4 }).chain((columns) =>
  fc.record({
    weights: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: columns, maxLength: columns }),
    rows: fc.array(fc.array(share, { minLength: columns, maxLength: columns }), { maxLength: 40 }),
    stretch: fc.integer({ min: 1, max: 12 }),
  }),
);

const near = (left: number, right: number) => assert.ok(Math.abs(left - right) < 1e-9, `${left} ${right}`);

test("each piece counts by its nearest one, weighed", () => {
  fc.assert(
    fc.property(input, ({ weights, rows }) => {
      const best = meeting(rows, weights.length)(0, rows.length);
      const expected = weights.reduce((sum, weight, column) => sum + (weight * best[column]!) / 255, 0);
      near(maxSim(weights, meeting(rows, weights.length), rows.length), expected);
    }),
  );
});

test("with stretches the best one counts: never more than the whole, and no less than any run that fits in one", () => {
  fc.assert(
    fc.property(input, ({ weights, rows, stretch }) => {
      const meet = meeting(rows, weights.length);
      const score = maxSim(weights, meet, rows.length, stretch);
      assert.ok(score <= maxSim(weights, meet, rows.length) + 1e-9);
      for (let start = 0; start < rows.length; start += stretch) {
        const run = rows.slice(start, start + stretch);
        assert.ok(score >= maxSim(weights, meeting(run, weights.length), run.length) - 1e-9);
      }
    }),
  );
});

test("what stands together beats what is scattered", () => {
  const row = (...shares: number[]) => shares;
  const nothing = Array.from({ length: 50 }, () => row(0, 0));
  const together = [...nothing, row(255, 0), row(0, 255), ...nothing];
  const scattered = [row(255, 0), ...nothing, ...nothing, row(0, 255)];
  const score = (rows: number[][], stretch?: number) => maxSim([1, 1], meeting(rows, 2), rows.length, stretch);
  assert.deepEqual([score(together, 20), score(scattered, 20)], [2, 1]);
  assert.deepEqual([score(together), score(scattered)], [2, 2]);
});
