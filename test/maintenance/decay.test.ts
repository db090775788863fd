import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DEFAULTS } from "../../src/app/config-defaults.ts";
import {
  decayedConfidence,
  type Fading,
  fallsBelowAt,
  globalRelevance,
  halfLifeDays,
} from "../../src/maintenance/aging.ts";
import { MEMORY_TYPES } from "../../src/memory/shelves.ts";
import { DAY_MS } from "../../src/time/calendar.ts";

const RULES = DEFAULTS.decay;
const START = Date.UTC(2026, 0, 1);
const memory = (set: Partial<Fading> = {}): Fading => ({
  type: "context",
  confidence: 1,
  updatedAt: START,
  accessCount: 0,
  centrality: 0,
  ...set,
});
const onDay = (day: number, set: Partial<Fading> = {}) => decayedConfidence(memory(set), START + day * DAY_MS, RULES);

const HALF_LIVES: Record<(typeof MEMORY_TYPES)[number], number> = {
  decision: Infinity,
  architecture: Infinity,
  code: Infinity,
  code_description: Infinity,
  pattern: 60,
  convention: 60,
  gotcha: 45,
  bug_fix: 45,
  progress: 7,
  context: 30,
  error: 30,
  fact: 30,
  preference: 30,
  documentation: 30,
  observation: 30,
  summary: 30,
  message: 30,
  thought: 30,
  scratchpad: 30,
};
for (const type of MEMORY_TYPES)
  test(`the half-life of ${type} is ${HALF_LIVES[type]} days`, () =>
    assert.equal(halfLifeDays(memory({ type }), RULES), HALF_LIVES[type]));

test("types that only objects have by nature are ordinary ones", () => {
  for (const type of ["constructor", "toString", "__proto__"]) assert.equal(halfLifeDays(memory({ type }), RULES), 30);
});

const MODIFIERS: [number, number, number, string][] = [
  [10, 0.5, 60, "ten accesses and half of the highest centrality are not enough"],
  [11, 0.5, 120, "more than ten accesses double it"],
  [10, 0.51, 120, "a higher centrality doubles it"],
  [11, 0.6, 240, "both together make it four times as long"],
];
for (const [accessCount, centrality, expected, why] of MODIFIERS)
  test(`${accessCount} accesses, centrality ${centrality}: ${why}`, () =>
    assert.equal(halfLifeDays(memory({ type: "pattern", accessCount, centrality }), RULES), expected));

const BELOW: [string, number][] = [
  ["progress", 12.2],
  ["context", 52.1],
  ["gotcha", 78.2],
  ["pattern", 104.2],
];
for (const [type, day] of BELOW)
  test(`full confidence in ${type} falls below 0.3 on day ${day}`, () => {
    const days = (fallsBelowAt(memory({ type }), RULES) - START) / DAY_MS;
    assert.equal(days.toFixed(1), day.toFixed(1));
    assert.ok(onDay(days - 0.001, { type }) > 0.3 && onDay(days + 0.001, { type }) < 0.3);
  });

test("a pattern read eleven times in the middle of things is worth exactly half on day 240", () => {
  assert.equal(onDay(240, { type: "pattern", accessCount: 11, centrality: 0.6 }), 0.5);
});

test("what lasts keeps its confidence, and one that was low from the start is low at once", () => {
  for (const type of ["architecture", "code", "code_description", "decision"]) {
    assert.equal(onDay(36_500, { type, confidence: 0.8 }), 0.8);
    assert.equal(fallsBelowAt(memory({ type, confidence: 0.3 }), RULES), Infinity);
    assert.equal(fallsBelowAt(memory({ type, confidence: 0.2 }), RULES), START);
  }
  assert.equal(fallsBelowAt(memory({ confidence: 0.3 }), RULES), START);
  assert.equal(fallsBelowAt(memory({ confidence: 0 }), { ...RULES, archiveBelow: 0 }), Infinity);
});

const RELEVANCES: [number, number][] = [
  [0, 1],
  [7, 0.6582],
  [14, 0.4395],
  [28, 0.2051],
  [29, 0.1947],
];
for (const [day, expected] of RELEVANCES)
  test(`a global memory that nobody read is relevant by ${expected} on day ${day}`, () => {
    const found = globalRelevance({ createdAt: START, accessedAt: START, accessCount: 0 }, START + day * DAY_MS, RULES);
    assert.equal(found.toFixed(4), expected.toFixed(4));
  });

const BOOSTS: [number, number][] = [
  [0, 0],
  [1, 0.1],
  [4, 0.4],
  [5, 0.5],
  [500, 0.5],
];
for (const [accessCount, boost] of BOOSTS)
  test(`${accessCount} accesses raise it by ${boost}`, () => {
    const forgotten = START + 100_000 * DAY_MS;
    const found = globalRelevance({ createdAt: START, accessedAt: START, accessCount }, forgotten, RULES);
    assert.ok(Math.abs(found - boost) < 1e-12);
  });

const anyMemory = fc.record({
  type: fc.constantFrom(...MEMORY_TYPES),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  updatedAt: fc.integer({ min: START - 1_000 * DAY_MS, max: START + 1_000 * DAY_MS }),
  accessCount: fc.nat(30),
  centrality: fc.double({ min: 0, max: 1, noNaN: true }),
});
const moment = fc.integer({ min: START - 2_000 * DAY_MS, max: START + 5_000 * DAY_MS });

test("confidence only falls with time, never below 0 or above what was stored", () => {
  fc.assert(
    fc.property(anyMemory, moment, moment, (one, a, b) => {
      const [early, late] = [Math.min(a, b), Math.max(a, b)].map((now) => decayedConfidence(one, now, RULES));
      assert.ok(0 <= late! && late! <= early! && early! <= one.confidence);
    }),
  );
});

test("the solved day agrees with the formula at every moment", () => {
  fc.assert(
    fc.property(anyMemory, moment, (one, now) => {
      const below = fallsBelowAt(one, RULES);
      const confidence = decayedConfidence(one, now, RULES);
      if (now >= one.updatedAt && now > below + 1) assert.ok(confidence < RULES.archiveBelow + 1e-9);
      if (now >= one.updatedAt && now < below - 1) assert.ok(confidence > RULES.archiveBelow - 1e-9);
    }),
  );
});

test("relevance only falls with time, and reading never lowers it", () => {
  const access = fc.record({ createdAt: moment, accessedAt: moment, accessCount: fc.nat(20) });
  fc.assert(
    fc.property(access, moment, moment, (one, a, b) => {
      const at = (now: number, accessCount = one.accessCount) => globalRelevance({ ...one, accessCount }, now, RULES);
      assert.ok(at(Math.max(a, b)) <= at(Math.min(a, b)));
      assert.ok(at(a, one.accessCount + 1) >= at(a));
    }),
  );
});
