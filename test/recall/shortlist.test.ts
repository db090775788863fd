import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { inverseFrequency } from "../../src/recall/coverage.ts";
import { shortlist } from "../../src/recall/shortlist.ts";
import { runs } from "../lane.ts";

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

test("groups are chosen by how telling their words are, whole, each passage once", () => {
  const total = 4_000;
  // Every so many passages hold a word, so that some hold several.
  const words = fc.array(fc.integer({ min: 2, max: 60 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(words, (steps) => {
      const lists = steps.map((step) => range(0, total).filter((passage) => passage % step === 0));
      const { passages, isWhole } = shortlist(lists, total, 50);
      const sums = new Map<number, number>();
      for (const list of lists) {
        const worth = inverseFrequency(list.length, total);
        for (const passage of list) sums.set(passage, (sums.get(passage) ?? 0) + worth);
      }
      const chosen = new Set(passages);
      assert.equal(chosen.size, passages.length, "each once");
      const worthOf = (passage: number) => sums.get(passage) ?? assert.fail("holds none of the words");
      const least = Math.min(...passages.map(worthOf));
      const left = [...sums].filter(([passage]) => !chosen.has(passage));
      assert.ok(left.every(([, sum]) => sum < least));
      assert.equal(isWhole, left.length === 0);
      assert.ok(isWhole || passages.length >= 100);
    }),
    { numRuns: runs(60) },
  );
});

const cases: [string, number[][], number, boolean][] = [
  ["nothing", [], 0, true],
  ["one word, however common, is all there is", [range(0, 9_000)], 9_000, true],
  ["few have the rare word, so the common one counts", [range(0, 99), range(50, 9_000)], 9_050, true],
  ["enough have the rare word", [range(0, 500), range(400, 1_000)], 500, false],
  ["some have the rare word, and too many the other", [range(0, 200), range(150, 5_000)], 200, false],
  [
    "words of equal frequency stand or fall together",
    [range(0, 600), range(600, 600), range(1_200, 700)],
    1_200,
    false,
  ],
];
for (const [what, lists, count, isWhole] of cases) {
  test(what, () => {
    const found = shortlist(lists, 20_000, 50);
    assert.deepEqual([found.passages.length, found.isWhole], [count, isWhole]);
  });
}

test("who wants many gets more to look at", () => {
  const lists = [range(0, 500), range(400, 1_000), range(1_400, 3_000)];
  const counts = [50, 300, 700].map((wanted) => shortlist(lists, 20_000, wanted).passages.length);
  assert.deepEqual(counts, [500, 1_400, 1_400]);
});
