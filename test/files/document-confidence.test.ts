/** Confidence of documents: the table it is defined by, and its edges. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fadedConfidence, INITIAL_CONFIDENCE } from "../../src/files/document-rules.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = 1_700_000_000_000;

/** As published, in thousandths of which the last is not always rounded: hours, multiplier, confidence from 0.8. */
const table: [number, number, number][] = [
  [1, 0.995, 0.796],
  [24, 0.887, 0.71],
  [168, 0.43, 0.344],
  [720, 0.027, 0.1],
];
for (const [hours, multiplier, confidence] of table)
  test(`after ${hours} hours`, () => {
    const faded = fadedConfidence(INITIAL_CONFIDENCE, START, START + hours * HOUR_MS);
    assert.ok(Math.abs(0.995 ** hours - multiplier) < 0.001);
    assert.ok(Math.abs(faded - confidence) < 0.001);
    assert.equal(faded, Math.max(0.1, 0.8 * 0.995 ** hours));
  });

test("a clock that was set back does not make it grow", () => {
  assert.equal(fadedConfidence(INITIAL_CONFIDENCE, START, START - DAY_MS), 0.8);
});
