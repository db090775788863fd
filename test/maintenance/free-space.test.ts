import assert from "node:assert/strict";
import { test } from "node:test";
import { isWorthRewriting } from "../../src/maintenance/compact.ts";

const cases: [number, number, boolean, string][] = [
  [4_000_000, 1_000_000, true, "a quarter of a small file"],
  [4_000_001, 1_000_000, false, "less than a quarter"],
  [1_500_000, 999_999, false, "too little to be worth the trouble"],
  [1_000_000_000, 100_000_000, false, "much, but little of a large file"],
  [1_000_000_000, 250_000_000, true, "a quarter of a large file"],
];
for (const [bytes, freeBytes, expected, why] of cases)
  test(`${freeBytes} of ${bytes} bytes free: ${why}`, () =>
    assert.equal(isWorthRewriting({ bytes, freeBytes }), expected));
