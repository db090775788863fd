/** The measures of the quality bench: hand-computed, because every claim about recall rests on them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mean, measure } from "../../bench/quality/metrics.ts";

const NONE = { hit1: 0, recall5: 0, recall10: 0, hit5: 0, ndcg10: 0, mrr: 0 };
const ALL = { hit1: 1, recall5: 1, recall10: 1, hit5: 1, ndcg10: 1, mrr: 1 };
const far = (place: number) => [...Array.from({ length: place - 1 }, (_, index) => `other ${index}`), "a"];

const cases: [why: string, ranking: string[], gold: string[], expected: Partial<typeof NONE>][] = [
  ["nothing found", [], ["a"], NONE],
  ["found first", ["a", "b"], ["a"], ALL],
  ["two of two, in front", ["b", "a", "c"], ["a", "b"], ALL],
  ["found third", far(3), ["a"], { hit1: 0, recall5: 1, hit5: 1, ndcg10: 1 / Math.log2(4), mrr: 1 / 3 }],
  ["found sixth", far(6), ["a"], { recall5: 0, recall10: 1, hit5: 0, ndcg10: 1 / Math.log2(7), mrr: 1 / 6 }],
  ["found eleventh", far(11), ["a"], { recall10: 0, ndcg10: 0, mrr: 1 / 11 }],
  [
    "one of two, second",
    ["x", "a"],
    ["a", "b"],
    { recall5: 0.5, hit5: 1, ndcg10: 1 / Math.log2(3) / (1 + 1 / Math.log2(3)), mrr: 0.5 },
  ],
];
for (const [why, ranking, gold, expected] of cases)
  test(`measures: ${why}`, () => {
    const actual = measure(ranking, new Set(gold));
    for (const [name, value] of Object.entries(expected))
      assert.ok(Math.abs(actual[name as keyof typeof NONE] - value) < 1e-12, `${name} is ${actual[name as "mrr"]}`);
  });

test("more right answers than places: ten in front are as good as it gets", () => {
  const gold = Array.from({ length: 20 }, (_, index) => `${index}`);
  assert.equal(measure(gold, new Set(gold)).ndcg10, 1);
  assert.equal(measure(gold, new Set(gold)).recall10, 0.5);
});

test("the mean of questions, and of none", () => {
  assert.deepEqual(mean([ALL, NONE]), { hit1: 0.5, recall5: 0.5, recall10: 0.5, hit5: 0.5, ndcg10: 0.5, mrr: 0.5 });
  assert.deepEqual(mean([]), NONE);
});
