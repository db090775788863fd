import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { askedName, LEAST_EXACT, LEAST_LIKENESS, rankSymbols, symbolRelevance } from "../../src/files/search-code.ts";

const SYMBOLS = [
  { name: "countPups", container: "SealColony", path: "src/colony.ts" },
  { name: "countPups", container: "Zoo.Door", path: "src/zoo.ts" },
  { name: "quote", container: null, path: "lib/urllib/parse.py" },
  { name: "quote", container: null, path: "lib/shell.py" },
  { name: "apply", container: "Applier", path: "src/store/applier.ts" },
  { name: "apply", container: "Store", path: "src/ports/store.ts" },
  { name: "apply", container: null, path: "src/store/apply.ts" },
  { name: "insert", container: null, path: "src/list.h", startLine: 7, endLine: 7 },
  { name: "insert", container: null, path: "src/list.c" },
].map((symbol) => ({ startLine: 1, endLine: 9, ...symbol }));
const ranked = (query: string) =>
  rankSymbols(query, SYMBOLS).map(({ index, score }) => [index, score >= LEAST_EXACT] as const);

const cases: [query: string, found: (readonly [number, boolean])[], why: string][] = [
  ["countPups", [[0, true], [1, true]], "a name alone is the very name wherever it stands"], // prettier-ignore
  ["Door.countPups", [[1, true], [0, false]], "in this class, and elsewhere only alike"], // prettier-ignore
  ["Zoo::Door::countPups", [[1, true], [0, false]], "by all that is around it"], // prettier-ignore
  ["Colony#countPups", [[0, false], [1, false]], "the place that is more alike comes first"], // prettier-ignore
  ["this.countPups", [[0, true], [1, true]], "what every member is called by says nothing"], // prettier-ignore
  ["urllib.parse.quote", [[2, true], [3, false]], "by folders and files"], // prettier-ignore
  ["shell.quote", [[3, true], [2, false]], "by the file alone"], // prettier-ignore
  ["apply", [[6, true], [4, true], [5, true]], "what stands by itself goes before members"], // prettier-ignore
  ["store.apply", [[6, true], [5, true], [4, false]], "by the class in another case, not by a folder around another class"], // prettier-ignore
  ["insert", [[8, true], [7, true]], "what has a body goes before what announces it"], // prettier-ignore
  ["Window.cuontPusp", [], "two slips elsewhere are nothing"],
];
for (const [query, found, why] of cases) test(`${query}: ${why}`, () => assert.deepEqual(ranked(query), found));

test("the name is what stands behind the last dot, if anything does", () => {
  assert.deepEqual(askedName(" a.b::c#d "), { name: "d", places: ["a", "b", "c"] });
  assert.deepEqual(askedName(".hidden"), { name: "hidden", places: [] });
  assert.deepEqual(askedName("a."), { name: "a.", places: [] });
});

test("whatever is asked, scores are in order and bounded", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "B", ".", "#", ":", "_", "é", "🦭"), maxLength: 8 });
  const line = fc.nat({ max: 3 });
  const place = { name: text, container: fc.option(text), path: fc.option(text) };
  const symbol = fc.record({ ...place, startLine: line, endLine: line });
  fc.assert(
    fc.property(text, fc.array(symbol, { maxLength: 8 }), (query, symbols) => {
      const scores = rankSymbols(query, symbols).map(({ score }) => score);
      assert.ok(scores.every((score) => score >= LEAST_LIKENESS && score <= 1));
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      );
    }),
  );
});

const relevances: [likeness: number, relevance: number, why: string][] = [
  [1, 1, "the name itself"],
  [0.88, 0.88, "a misspelling"],
  [0.79, 0.312, "a name that is merely similar"],
  [0.5, 0.125, "a name that shares some letters"],
];
for (const [likeness, relevance, why] of relevances)
  test(`a likeness of ${likeness} is a relevance of ${relevance}: ${why}`, () =>
    assert.ok(Math.abs(symbolRelevance(likeness) - relevance) < 0.001));
