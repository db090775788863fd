import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { barChart } from "../../src/maintenance/show-inspected.ts";

test("names and counts are aligned, the largest count has the longest bar, and few are still seen", () => {
  const chart = barChart([
    { name: "fact", count: 1_000 },
    { name: "pattern", count: 500 },
    { name: "gotcha", count: 1 },
    { name: "error", count: 0 },
  ]);
  assert.deepEqual(chart, [
    `fact     1000  ${"#".repeat(30)}`,
    `pattern   500  ${"#".repeat(15)}`,
    `gotcha      1  #`,
    `error       0`,
  ]);
});

test("of nothing there is no chart", () => {
  assert.deepEqual(barChart([]), []);
  assert.deepEqual(barChart([{ name: "fact", count: 0 }]), []);
});

test("more never has a shorter bar", () => {
  const bars = fc.array(fc.record({ name: fc.constant("x"), count: fc.nat() }), { minLength: 2 });
  const lengthOf = (line: string | undefined) => line?.match(/#+$/)?.[0].length ?? 0;
  fc.assert(
    fc.property(bars, (given) => {
      const sorted = given.toSorted((a, b) => a.count - b.count);
      const lengths = barChart(sorted).map(lengthOf);
      for (const [index, length] of lengths.entries()) assert.ok(length >= (lengths[index - 1] ?? 0) && length <= 30);
    }),
  );
});
