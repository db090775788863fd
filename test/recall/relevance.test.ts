/** Relevance: a logistic function for each kind of item, made to follow the order of the hits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { KINDS } from "../../src/recall/ranking.ts";
import {
  CALIBRATIONS,
  falling,
  fallingByBlocks,
  relevance,
  type RelevanceSignals,
} from "../../src/recall/relevance.ts";

const share = fc.double({ min: 0, max: 1, noNaN: true });
const kind = fc.constantFrom(...KINDS);
const signals = fc.record<RelevanceSignals>({
  cosine: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
  words: share,
  exactWords: share,
  match: fc.option(share),
});

test("the sum of the weighted signals, as odds", () => {
  const { bias, cosine, words, overlap } = CALIBRATIONS.memory.bySignals.withVector;
  const odds = Math.exp(bias + cosine * 0.4 + words * 0.25 + overlap * 0.4 * 0.3);
  const actual = relevance("memory", { cosine: 0.4, words: 0.5, exactWords: 0.3, match: null });
  assert.ok(Math.abs(actual - odds / (1 + odds)) < 1e-12);
});

test("an item without a vector has coefficients of its own", () => {
  const { bias, words } = CALIBRATIONS.memory.bySignals.withoutVector;
  const odds = Math.exp(bias + words);
  assert.ok(
    Math.abs(relevance("memory", { cosine: null, words: 1, exactWords: 1, match: null }) - odds / (1 + odds)) < 1e-12,
  );
});

test("more of a signal never makes an item less relevant", () => {
  fc.assert(
    fc.property(kind, signals, share, (of, given, more) => {
      const grown = (value: number | null) => (value === null ? null : Math.min(1, value + more));
      const { cosine, words, match } = given;
      const raised = { ...given, cosine: grown(cosine), words: grown(words)!, match: grown(match) };
      const [less, all] = [relevance(of, given), relevance(of, raised)];
      assert.ok(less >= 0 && less <= all && all <= 1, `${less} to ${all}`);
    }),
  );
});

test("the same cosine says less where exact words explain it", () => {
  const other = { cosine: 0.6, words: 0.5, match: null };
  assert.ok(relevance("memory", { ...other, exactWords: 0.5 }) < relevance("memory", { ...other, exactWords: 0 }));
});

test("nothing in common is irrelevant for every kind", () => {
  for (const of of KINDS) {
    assert.ok(relevance(of, { cosine: 0, words: 0, exactWords: 0, match: 0 }) < 0.1, of);
    assert.ok(relevance(of, { cosine: 0, words: 0, exactWords: 0, match: null }) < 0.1, of);
    assert.ok(relevance(of, { cosine: null, words: 0, exactWords: 0, match: null }) < 0.1, of);
  }
});

const orders: [string, number[], number[]][] = [
  ["a falling order stays", [0.9, 0.5, 0.1], [0.9, 0.5, 0.1]],
  ["two that rise share their mean", [0.4, 0.6, 0.1], [0.5, 0.5, 0.1]],
  ["a rise at the end pulls its neighbours only as far as needed", [0.9, 0.2, 0.3, 0.4], [0.9, 0.3, 0.3, 0.3]],
  ["a single value", [0.7], [0.7]],
  ["none", [], []],
];
for (const [why, values, expected] of orders)
  test(`falling: ${why}`, () => {
    const actual = falling(values);
    assert.equal(actual.length, expected.length);
    for (const [index, value] of actual.entries()) assert.ok(Math.abs(value - expected[index]!) < 1e-12, `${actual}`);
  });

test("falling values never rise, and their sum stays", () => {
  fc.assert(
    fc.property(fc.array(share), (values) => {
      const actual = falling(values);
      const sum = (all: readonly number[]) => all.reduce((total, value) => total + value, 0);
      assert.equal(actual.length, values.length);
      assert.ok(Math.abs(sum(actual) - sum(values)) < 1e-9);
      for (const [index, value] of actual.entries()) assert.ok(index === 0 || value <= actual[index - 1]! + 1e-12);
    }),
  );
});

test("a value depends on no later block, and no block rises above an earlier one", () => {
  assert.deepEqual(fallingByBlocks([0.25, 0.75, 0.9, 0.3], 2), [0.5, 0.5, 0.5, 0.3]);
  fc.assert(
    fc.property(fc.array(share), fc.array(share), fc.integer({ min: 1, max: 5 }), (values, more, size) => {
      const whole = values.slice(0, Math.floor(values.length / size) * size);
      const longer = fallingByBlocks([...whole, ...more], size);
      assert.deepEqual(longer.slice(0, whole.length), fallingByBlocks(whole, size));
      for (const [index, value] of longer.entries()) assert.ok(index === 0 || value <= longer[index - 1]! + 1e-12);
    }),
  );
});
