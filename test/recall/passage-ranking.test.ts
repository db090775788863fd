import assert from "node:assert/strict";
import { test } from "node:test";
import { type Match, rankPassages } from "../../src/recall/coverage.ts";

const STEMS = ["token", "cooki", "zebra"];
const NOTHING = { total: 0, frequency: new Map<string, number>() };
const match = (id: string, has: number[], ordinal = 0, characters = 100): Match => ({ id, ordinal, characters, has });
const rank = (matches: Match[], known = NOTHING) =>
  rankPassages(STEMS, { passages: 100, characters: 10_000, matches }, known);

test("a word that few passages have counts more than one that many have", () => {
  const usual = ["b", "c", "d", "e"].map((id) => match(id, [0]));
  const [first, second] = rank([...usual, match("a", [1])]);
  assert.deepEqual([first?.id, second!.covered < first!.covered], ["a", true]);
});

test("what the index knows of a word counts too", () => {
  const matches = [match("a", [0]), match("b", [1])];
  const known = { total: 1_000, frequency: new Map([["token", 900]]) };
  assert.deepEqual(
    rank(matches, known).map(({ id }) => id),
    ["b", "a"],
  );
});

test("an item stands once, by its best passage; of equals the shorter, then the later", () => {
  const ranked = rank([
    match("a", [0], 0),
    match("a", [0, 1], 1),
    match("b", [0], 0, 900),
    match("c", [0]),
    match("d", [0]),
  ]);
  assert.deepEqual(
    ranked.map(({ id, ordinal }) => [id, ordinal]),
    [
      ["a", 1],
      ["d", 0],
      ["c", 0],
      ["b", 0],
    ],
  );
});

test("coverage is the share of the question: all of it is 1, a word that nobody has is missing", () => {
  assert.equal(rank([match("a", [0, 1, 2])])[0]?.covered, 1);
  assert.ok(rank([match("a", [0, 1])])[0]!.covered < 1);
  assert.deepEqual(rank([]), []);
});
