/** The time that counts for what is final: noted by one run, confirmed by another at least a day later. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { marksAt } from "../../src/maintenance/aging.ts";
import type { ClockMarks } from "../../src/maintenance/figures.ts";

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const NEVER: ClockMarks = { settledAt: null, pendingAt: null };
const after = (...times: number[]): ClockMarks => times.reduce((marks, now) => marksAt(marks, now), NEVER);

const T = 50 * YEAR_MS;
const cases: [string, number[], ClockMarks][] = [
  ["the first run confirms nothing", [T], { settledAt: null, pendingAt: T }],
  ["nor do others on the same day", [T, T + 1, T + DAY_MS - 1], { settledAt: null, pendingAt: T }],
  ["a day later the first time is confirmed", [T, T + DAY_MS], { settledAt: T, pendingAt: T + DAY_MS }],
  ["after a leap the time before it counts", [T, T + YEAR_MS], { settledAt: T, pendingAt: T + YEAR_MS }],
  ["a leap that was taken back leaves nothing", [T, T + YEAR_MS, T + 5], { settledAt: T, pendingAt: T + 5 }],
  [
    "a clock that was ahead for days counts for nothing once it is right",
    [T, T + YEAR_MS, T + YEAR_MS + DAY_MS, T + 2 * DAY_MS],
    { settledAt: null, pendingAt: T + 2 * DAY_MS },
  ],
];
for (const [why, times, marks] of cases) test(why, () => assert.deepEqual(after(...times), marks));

test("what counts was noted by a run, and another found the clock at least a day later", () => {
  const time = fc.integer({ min: 0, max: 20 }).map((days) => (days * DAY_MS) / 2);
  fc.assert(
    fc.property(fc.array(time, { minLength: 1, maxLength: 12 }), (times) => {
      const { settledAt } = after(...times);
      if (settledAt === null) return;
      const noted = times.indexOf(settledAt);
      assert.ok(noted >= 0 && settledAt <= times.at(-1)!);
      assert.ok(times.slice(noted).some((later) => later >= settledAt + DAY_MS));
    }),
  );
});
