import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { editDistance, rankNames } from "../../src/text/fuzzy-name.ts";

const NAMES = [
  "parseFile",
  "parseFiles",
  "parse_file_name",
  "reparseFile",
  "createFileParser",
  "openConnection",
  "HTTPServer",
  "userById",
  "x",
];
const best = (query: string, count = 1): string[] =>
  rankNames(query, NAMES, count).map(({ index }) => NAMES[index] ?? "");

const cases: [query: string, first: string, why: string][] = [
  ["parseFile", "parseFile", "the very name comes first"],
  ["PARSEFILE", "parseFile", "in another case"],
  ["parse-file", "parseFile", "with other separators"],
  ["pasreFile", "parseFile", "with two letters swapped"],
  ["prseFile", "parseFile", "with a letter left out"],
  ["parsse_file_nane", "parse_file_name", "with two slips"],
  ["conection", "openConnection", "by one word that is misspelt"],
  ["creat_parsr", "createFileParser", "word by word"],
  ["http_server", "HTTPServer", "by its parts"],
  ["htsrv", "HTTPServer", "by letters in their order"],
];
for (const [query, first, why] of cases)
  test(`${query} finds ${first}: ${why}`, () => assert.deepEqual(best(query), [first]));

test("prefixes come before what only contains the name", () => {
  assert.deepEqual(best("parseFi", 4), ["parseFile", "parseFiles", "parse_file_name", "reparseFile"]);
});

test("a name in its own case comes before the same in another", () => {
  const names = ["parseFile", "ParseFile", "PARSE_FILE"];
  for (const [index, name] of names.entries()) assert.equal(rankNames(name, names, 1)[0]?.index, index);
});

test("nothing that is far off is found", () => {
  for (const query of ["zebra", "", "   ", "!!", "q"]) assert.deepEqual(best(query, 3), [], query);
});

test("whatever is asked of whatever names, scores are in order, bounded, and the name itself leads", () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string(), { maxLength: 20 }), (query, names) => {
      const ranked = rankNames(query, names, 50);
      for (const { score } of ranked) assert.ok(score > 0 && score <= 1);
      const scores = ranked.map(({ score }) => score);
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      );
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z_]{2,20}$/), fc.array(fc.stringMatching(/^\w{1,20}$/)), (name, others) => {
      const [first] = rankNames(name, [...others, name], 1);
      assert.equal(/[a-z]/.test(name) ? first?.score : 1, 1);
    }),
  );
});

test("a distance is symmetric, and known exactly up to its bound", () => {
  assert.equal(editDistance("abcd", "acbd", 3), 1);
  assert.equal(editDistance("abc", "xyz", 1), 2);
  const word = fc.stringMatching(/^[abc]{0,8}$/);
  fc.assert(fc.property(word, word, (a, b) => assert.equal(editDistance(a, b, 9), editDistance(b, a, 9))));
});
