/** Scaling: hand-computed scales, and what makes kinds of things compare. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { fuse, type FusedKind, scaleKinds, scaleOf, scaleToBest, scaleWithin } from "../../src/recall/fuse.ts";
import { OTHER_RECIPES, OWN_RECIPES, type Ranker, type Recipe } from "../../src/recall/ranking.ts";
import type { Candidate } from "../../src/recall/search.ts";
import { candidate, type TestPlace } from "./candidates.ts";

const { memory, prose } = OWN_RECIPES;
const { rrf, weighted } = OTHER_RECIPES;
const near = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 1e-12, `${actual}`);

const scales: [string, Ranker, number[], Recipe, number[]][] = [
  ["from the least to the largest", "keyword", [10, 6, 2], memory, [1, 0.5, 0]],
  ["equal scores are all 1", "keyword", [3, 3], memory, [1, 1]],
  ["cosines that hardly differ are not stretched", "vector", [0.52, 0.5, 0.47], prose, [1, 0.8, 0.5]],
  ["a lone cosine is taken as it is", "vector", [0.3], prose, [0.3]],
  ["of memories, every cosine is", "vector", [0.6, 0.3], memory, [0.6, 0.3]],
  ["some shares are squared, within 0 and 1", "soft", [0.5, 0.1, 1.5], memory, [0.25, 0.01, 1]],
  ["so are shares, within 0 and 1", "entity", [0.5, 1.5, -1], memory, [0.5, 1, 0]],
  ["the recipe says what is a share", "vector", [0.9, 0.2], weighted, [0.9, 0.2]],
  ["ranked: equal scores share a position", "keyword", [5, 9, 5, 1], rrf, [1 / 62, 1 / 61, 1 / 62, 1 / 64]],
];
for (const [name, ranker, scores, recipe, expected] of scales)
  test(`${ranker}: ${name}`, () => {
    const scaled = scores.map(scaleOf(ranker, scores, recipe));
    for (const [index, share] of scaled.entries()) near(share, expected[index]!);
  });

test("within a range, scores keep their order and reach from 0 to 1", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2 }), (scores) => {
      const scale = scaleWithin(scores);
      const [low, high] = [Math.min(...scores), Math.max(...scores)];
      assert.deepEqual([scale(low), scale(high)], [low === high ? 1 : 0, 1]);
      for (const one of scores) for (const two of scores) if (one < two) assert.ok(scale(one) < scale(two));
    }),
  );
});

describe("kinds", () => {
  type Scored = [id: string, scores: Partial<Record<Ranker, number>>, cosine?: number | null];
  const kind = (recipe: Recipe, ...scored: Scored[]): FusedKind<TestPlace> => {
    const found = scored.map(([id, scores, cosine = scores.vector ?? null]) => candidate(id, { scores, cosine }));
    return { recipe, found, fused: fuse(found, recipe) };
  };
  const scoresOf = (...kinds: FusedKind<TestPlace>[]) =>
    Object.fromEntries(
      scaleKinds(kinds)
        .flat()
        .map(({ id, score }) => [id, score]),
    );

  test("a match is a share of the highest possible score, and the best of a kind scores 1", () => {
    const scored: [string, Candidate["scores"]][] = [
      ["a", { keyword: 9, vector: 0.9 }],
      ["b", { keyword: 2, vector: 0.1 }],
    ];
    const matches = (recipe: Recipe) => scaleKinds([kind(recipe, ...scored)])[0]!.map(({ match }) => match);
    for (const [index, share] of [1, 0].entries()) near(matches(prose)[index]!, share);
    for (const [index, share] of [(0.03 + 0.9) / 1.03, 0.1 / 1.03].entries()) near(matches(memory)[index]!, share);
    for (const recipe of [memory, prose]) near(scoresOf(kind(recipe, ...scored))["a"]!, 1);
  });
  test("a candidate without a vector is measured by its words alone", () => {
    const scores = scoresOf(kind(memory, ["a", { keyword: 9 }], ["b", { keyword: 2, vector: 0.9 }]));
    near(scores["a"]!, 1);
  });
  test("a kind that is half as near stands half as high", () => {
    const scores = scoresOf(kind(memory, ["a", { vector: 0.8 }]), kind(prose, ["b", { keyword: 3, vector: 0.4 }]));
    assert.deepEqual(scores, { a: 1, b: 0.5 });
  });
  test("where one kind has no vectors, all are levelled by words", () => {
    const scores = scoresOf(kind(memory, ["a", { keyword: 8, vector: 0.1 }]), kind(prose, ["b", { keyword: 2 }]));
    assert.deepEqual(scores, { a: 1, b: 0.25 });
  });
  test("a kind in which nothing was found does not count", () => {
    assert.deepEqual(scoresOf(kind(memory, ["a", { keyword: 8, vector: 0.4 }]), kind(prose)), { a: 1 });
  });
  test("nearness counts even where the recipe does not weigh it", () => {
    const wordsOnly = { ...weighted, weights: { keyword: 1 } };
    const scores = scoresOf(
      kind(wordsOnly, ["a", { keyword: 8 }, 0.2], ["unweighed", { vector: 0.8 }]),
      kind(wordsOnly, ["b", { keyword: 8 }, 0.4]),
    );
    assert.deepEqual(scores, { a: 1, b: 0.5 });
  });
});

test("the best is 1, and nothing is made of nothing", () => {
  const scored = (...scores: number[]) => scores.map((score, index) => candidate(`${index}`, { score }));
  const scoresOf = (...scores: number[]) => scaleToBest(scored(...scores)).map(({ score }) => score);
  assert.deepEqual(scoresOf(4, 2, 1), [1, 0.5, 0.25]);
  assert.deepEqual(scoresOf(0, 0), [0, 0]);
  assert.deepEqual(scoresOf(), []);
});
