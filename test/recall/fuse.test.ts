/** Fusing: hand-computed sums, and what must hold for any lists. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { byScore, fuse, sharesOf } from "../../src/recall/fuse.ts";
import {
  candidateCount,
  OTHER_RECIPES,
  OWN_RECIPES,
  RANK_DAMPING,
  type Ranker,
  type Recipe,
} from "../../src/recall/ranking.ts";
import { candidatesOf } from "./candidates.ts";

interface RankedList {
  ranker: Ranker;
  entries: readonly { id: string; score: number }[];
}

/** What one ranker scores: `list("keyword", ["a", 10], ["b", 4])`. */
function list(ranker: Ranker, ...entries: [string, number][]): RankedList {
  return { ranker, entries: entries.map(([id, score]) => ({ id, score })) };
}

const fuseLists = (lists: readonly RankedList[], recipe: Recipe) =>
  fuse(
    candidatesOf(lists.flatMap(({ ranker, entries }) => entries.map(({ id, score }) => [id, ranker, score] as const))),
    recipe,
  );

const RECIPES = { ...OWN_RECIPES, ...OTHER_RECIPES };
/** Two rankers, weights that are easy to reckon with. */
const SCALED: Recipe = { ...RECIPES.prose, weights: { keyword: 0.4, vector: 0.6 } };

const keyword = list("keyword", ["a", 10], ["b", 6], ["c", 2]);
const vector = list("vector", ["b", 0.9], ["c", 0.6], ["d", 0.5]);

const cases: [string, RankedList[], Recipe, [string, number][]][] = [
  [
    // keyword: a 1, b 0.5, c 0; vector: b 1, c 0.25, d 0; times 0.4 and 0.6.
    "scaled: each list to 0–1, times its weight",
    [keyword, vector],
    SCALED,
    [
      ["b", 0.4 * 0.5 + 0.6],
      ["a", 0.4],
      ["c", 0.6 * 0.25],
      ["d", 0],
    ],
  ],
  [
    "scaled: equal scores all get the whole, ties go by id",
    [list("keyword", ["z", 3], ["y", 3])],
    SCALED,
    [
      ["y", 0.4],
      ["z", 0.4],
    ],
  ],
  ["scaled: a lone hit by words gets the whole", [list("keyword", ["a", 0.1])], SCALED, [["a", 0.4]]],
  ["scaled: a lone hit by meaning counts as far as it is near", [list("vector", ["a", 0.1])], SCALED, [["a", 0.06]]],
  [
    "scaled: cosines that hardly differ are not stretched to the whole",
    [list("vector", ["a", 0.52], ["b", 0.5], ["c", 0.47])],
    SCALED,
    [
      ["a", 0.6],
      ["b", 0.6 * 0.8],
      ["c", 0.6 * 0.5],
    ],
  ],
  [
    "ranked: reciprocal ranks with damping 60",
    [keyword, vector],
    RECIPES.rrf,
    [
      ["b", 1 / 62 + 1 / 61],
      ["c", 1 / 63 + 1 / 62],
      ["a", 1 / 61],
      ["d", 1 / 63],
    ],
  ],
  [
    "ranked: equal scores share a place, in whichever order they come",
    [list("entity", ["c", 0.5], ["a", 1], ["b", 1])],
    { ...RECIPES.rrf, weights: { entity: 2 } },
    [
      ["a", 2 / 61],
      ["b", 2 / 61],
      ["c", 2 / 63],
    ],
  ],
  [
    "weighted: cosines as they are, keywords scaled",
    [keyword, vector],
    RECIPES.weighted,
    [
      ["b", 0.3 * 0.5 + 0.7 * 0.9],
      ["c", 0.7 * 0.6],
      ["d", 0.7 * 0.5],
      ["a", 0.3],
    ],
  ],
  [
    "weighted: cosines outside 0–1 are clamped",
    [list("vector", ["a", 1.2], ["b", 0.5], ["c", -0.3])],
    RECIPES.weighted,
    [
      ["a", 0.7],
      ["b", 0.35],
      ["c", 0],
    ],
  ],
  [
    "a ranker without weight has no say",
    [list("soft", ["a", 1]), list("vector", ["b", 1])],
    RECIPES.rrf,
    [["b", 1 / 61]],
  ],
  ["no lists", [], SCALED, []],
  ["empty lists", [list("keyword"), list("vector")], SCALED, []],
];
for (const [name, lists, recipe, expected] of cases)
  test(name, () => {
    const actual = fuseLists(lists, recipe);
    assert.deepEqual(
      actual.map(({ id }) => id),
      expected.map(([id]) => id),
    );
    for (const [index, [id, score]] of expected.entries())
      assert.ok(Math.abs(actual[index]!.score - score) < 1e-12, `${id}: ${actual[index]!.score}, not ${score}`);
  });

test("every ranker's part is told", () => {
  assert.equal(RANK_DAMPING, 60);
  const { id, score, why } = fuseLists([keyword, vector], RECIPES.rrf)[0]!;
  const expected = { id: "b", score: 1 / 62 + 1 / 61, why: { keyword: 1 / 62, vector: 1 / 61 } };
  assert.deepEqual({ id, score, why }, expected);
});

const recipe = fc.constantFrom<Recipe>(SCALED, RECIPES.rrf, RECIPES.weighted);
const BEST = "0";
const id = fc.constantFrom(..."abcdefgh");
// Whole numbers keep the arithmetic exact enough for strict comparisons.
const entries = fc
  .uniqueArray(fc.tuple(id, fc.integer({ min: 0, max: 20 })), { selector: ([name]) => name, maxLength: 8 })
  .map((pairs) => pairs.sort(([, left], [, right]) => right - left));
const lists = fc
  .tuple(entries, entries)
  .map(([byWords, byMeaning]) => [list("keyword", ...byWords), list("vector", ...byMeaning)]);

test("whoever leads every list leads the result", () => {
  fc.assert(
    fc.property(lists, recipe, (some, way) => {
      const led = some.map(({ ranker, entries: rest }) => ({ ranker, entries: [{ id: BEST, score: 20 }, ...rest] }));
      assert.equal(fuseLists(led, way)[0]?.id, BEST);
    }),
  );
});

test("an item that rises in one list never falls in the result", () => {
  fc.assert(
    fc.property(lists, recipe, fc.nat(7), fc.integer({ min: 0, max: 10 }), (some, way, choice, rise) => {
      const [first, second] = some as [RankedList, RankedList];
      const chosen = first.entries[choice % Math.max(1, first.entries.length)]?.id;
      if (chosen === undefined) return;
      const raised = first.entries
        .map((entry) => (entry.id === chosen ? { id: chosen, score: entry.score + rise } : entry))
        // The stable sort lets the risen item pass only those it has truly passed.
        .sort((left, right) => right.score - left.score);
      const place = (ranked: RankedList[]) => fuseLists(ranked, way).findIndex((entry) => entry.id === chosen);
      assert.ok(place([{ ...first, entries: raised }, second]) <= place([first, second]));
    }),
  );
});

test("the order of the lists does not matter", () => {
  fc.assert(
    fc.property(lists, recipe, (some, way) => {
      const plain = ({ id: name, score }: { id: string; score: number }) => [name, score];
      assert.deepEqual(fuseLists(some.toReversed(), way).map(plain), fuseLists(some, way).map(plain));
    }),
  );
});

test("why sums to the score, scores go down, ties by id, and each item stands once", () => {
  fc.assert(
    fc.property(lists, recipe, (some, way) => {
      const fused = fuseLists(some, way);
      for (const { score, why } of fused) {
        const sum = Object.values(why).reduce((total, part) => total + part, 0);
        assert.ok(Math.abs(sum - score) < 1e-12);
      }
      for (const [index, entry] of fused.slice(1).entries()) {
        const before = fused[index]!;
        assert.ok(before.score > entry.score || (before.score === entry.score && before.id < entry.id));
      }
      const expected = new Set(some.flatMap(({ entries: all }) => all.map((entry) => entry.id)));
      assert.deepEqual(new Set(fused.map((entry) => entry.id)), expected);
    }),
  );
});

test("byScore puts the higher score first, then the lower key", () => {
  const shuffled = ["b1", "c2", "a1"].map((name) => ({ key: name[0]!, score: Number(name[1]) }));
  assert.deepEqual(
    shuffled.sort(byScore).map((entry) => entry.key),
    ["c", "a", "b"],
  );
  assert.equal(byScore({ key: "a", score: 1 }, { key: "a", score: 1 }), 0);
});

const explanations: [Parameters<typeof sharesOf>[0], Record<string, number>, string][] = [
  [{ keyword: 0.3, vector: 0.2 }, { keyword: 0.6, vector: 0.4 }, "shares of the whole"],
  [{ keyword: 1, vector: 2 }, { keyword: 0.333, vector: 0.667 }, "rounded to three places"],
  [{ keyword: 0, vector: 2 }, { vector: 1 }, "without those who gave nothing"],
  [{ keyword: 0, vector: 0 }, { keyword: 0.5, vector: 0.5 }, "when all gave nothing, those that listed it"],
  [{}, {}, "nobody"],
];
for (const [why, expected, name] of explanations)
  test(`shares of ${JSON.stringify(why)}: ${name}`, () => assert.deepEqual(sharesOf(why), expected));

const counts: [keyof typeof RECIPES, number, number][] = [
  ["memory", 10, 50],
  ["memory", 25, 50],
  ["memory", 50, 100],
  ["rrf", 40, 80],
  ["weighted", 10, 30],
];
for (const [name, limit, expected] of counts)
  test(`${name} looks at ${expected} candidates of each ranker for ${limit} hits`, () => {
    assert.equal(candidateCount(RECIPES[name], limit), expected);
  });
