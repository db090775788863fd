/** Passages that repeat each other: which are one group, and which of them stays. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isRepeat, latestOf, repeatGroups, SAME_PASSAGE_COSINE } from "../../src/recall/repeats.ts";

/** A vector at this angle, in degrees. */
const at = (degrees: number) => Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)); // prettier-ignore

const PAIRS: [one: number | string, two: number | string, repeats: boolean, what: string][] = [
  [0, 0, true, "equal vectors"],
  [0, 18, true, "a cosine of .951"],
  [0, 19, false, "a cosine of .946"],
  ["same  text", "same text ", true, "equal words without vectors"],
  ["same text", "other text", false, "other words without vectors"],
  [0, "0", false, "one without a vector, other text"],
];
const passage = (given: number | string) =>
  typeof given === "number" ? { vector: at(given), text: `text at ${given}` } : { vector: null, text: given };
for (const [one, two, repeats, what] of PAIRS)
  test(`${what}: ${repeats ? "a repeat" : "both are shown"}`, () => {
    assert.equal(isRepeat(passage(one), passage(two)), repeats);
    assert.equal(isRepeat(passage(two), passage(one)), repeats);
  });

test("a group is made around its best, so that a chain of small steps is not one group", () => {
  const groups = repeatGroups([0, 15, 30, 45].map(passage));
  assert.deepEqual(groups.map((group) => group.map(({ text }) => text)), [["text at 0", "text at 15"], ["text at 30", "text at 45"]]); // prettier-ignore
});

test("the one changed last stays, in the place of the best; among equals the best", () => {
  const entry = (name: string, score: number, changed: number) => ({ name, score, match: score / 2, changed });
  const chosen = (...entries: [number, number][]) => {
    const [first, ...others] = entries.map(([score, changed], index) => entry(`${index}`, score, changed));
    const { name, score, match } = latestOf([first!, ...others], ({ changed }) => changed);
    return [name, score, match];
  };
  assert.deepEqual(chosen([1, 5], [0.9, 7], [0.8, 6]), ["1", 1, 0.5]);
  assert.deepEqual(chosen([1, 5], [0.9, 5]), ["0", 1, 0.5]);
  assert.deepEqual(chosen([1, 0]), ["0", 1, 0.5]);
});

test("every passage is in exactly one group, whose first it repeats, and firsts do not repeat each other", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 12 }), (angles) => {
      const entries = angles.map(passage);
      const groups = repeatGroups(entries);
      assert.deepEqual(new Set(groups.flat()), new Set(entries));
      assert.equal(groups.flat().length, entries.length);
      for (const [first, ...others] of groups) for (const other of others) assert.ok(isRepeat(first, other));
      const firsts = groups.map(([first]) => first);
      for (const one of firsts) for (const two of firsts) assert.ok(one === two || !isRepeat(one, two));
      assert.ok(SAME_PASSAGE_COSINE === 0.95);
    }),
  );
});
