import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { coverage, coverageStems, inverseFrequency, presentStems } from "../../src/recall/coverage.ts";
import { stems } from "../../src/text/words.ts";

/** 100 passages: "the cache" everywhere, "redis" in ten, "eviction" in one. */
const statistics = {
  total: 100,
  frequency: new Map([
    ["cach", 100],
    ["redi", 10],
    ["evict", 1],
  ]),
};
const everywhere = Math.log(1 + 0.5 / 100.5);
const inTen = Math.log(1 + 90.5 / 10.5);
const inOne = Math.log(1 + 99.5 / 1.5);
const nowhere = Math.log(1 + 100.5 / 0.5);

const worths: [number, number, number][] = [
  [100, 100, everywhere],
  [10, 100, inTen],
  [1, 100, inOne],
  [0, 100, nowhere],
  [0, 0, Math.log(2)],
  [7, 5, Math.log(1 + 0.5 / 7.5)],
];
for (const [frequency, total, expected] of worths)
  test(`a word in ${frequency} of ${total} is worth ${expected.toFixed(3)}`, () => {
    assert.ok(Math.abs(inverseFrequency(frequency, total) - expected) < 1e-12);
  });

const cases: [string[], string, number, string][] = [
  [["redi", "evict"], "Redis evicts keys", 1, "all words"],
  [["redi", "evict"], "Redis stores keys", inTen / (inTen + inOne), "the common word only"],
  [["redi", "evict"], "Keys were evicted", inOne / (inTen + inOne), "the rare word only"],
  [["redi", "zanzibar"], "Redis stores keys", inTen / (inTen + nowhere), "an unknown word counts most against it"],
  [["cach", "evict"], "the cache", everywhere / (everywhere + inOne), "a word of every text says nearly nothing"],
  [["redi"], "nothing of the kind", 0, "no word"],
  [["user"], "getUserById", 1, "a part of an identifier"],
  [["内存"], "修复内存泄漏", 1, "a bigram"],
  [[], "anything", 0, "nothing was asked"],
];
for (const [wanted, text, expected, why] of cases)
  test(`${JSON.stringify(wanted)} in ${JSON.stringify(text)}: ${why}`, () => {
    assert.ok(Math.abs(coverage(wanted, text, statistics) - expected) < 1e-12);
  });

test("the words wanted are stems, each once", () => {
  assert.deepEqual(coverageStems("running runs tests 1990s"), ["run", "test", "1990"]);
});

test("coverage is between 0 and 1 and does not fall when the text grows", () => {
  const word = fc.constantFrom("cach", "redi", "evict", "zanzibar", "kiwi");
  const some = fc.uniqueArray(word);
  fc.assert(
    fc.property(some, some, some, (wanted, present, more) => {
      const less = coverage(wanted, present.join(" "), statistics);
      const all = coverage(wanted, [...present, ...more].join(" "), statistics);
      assert.ok(less >= 0 && less <= all && all <= 1);
    }),
  );
});

test("a word is worth less, the more texts have it, but never nothing", () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.nat(1_000), (frequency, rest) => {
      const total = frequency + rest + 1;
      assert.ok(inverseFrequency(frequency, total) > inverseFrequency(frequency + 1, total));
      assert.ok(inverseFrequency(total, total) > 0);
    }),
  );
});

test("an identifier is covered by its plain words, and plain words by the identifier", () => {
  const statistics = {
    total: 100,
    frequency: new Map([
      ["get", 5],
      ["user", 9],
      ["id", 7],
    ]),
  };
  assert.equal(coverage(coverageStems("getUserById"), "get a user by its id", statistics), 1);
  assert.equal(coverage(coverageStems("user id"), "calls getUserById", statistics), 1);
});

test("stems are found at a glance as they are found word by word, in any script and any form of a word", () => {
  const endings = [
    "",
    "s",
    "es",
    "ed",
    "ing",
    "ational",
    "ization",
    "ability",
    "ibly",
    "y",
    "ies",
    "er",
    "ment",
    "ful",
  ];
  const beginnings = ["rot", "hop", "crï", "cap", "Oper", "fil", "getUser", "内存泄", "Ünd"];
  const word = fc.tuple(fc.constantFrom(...beginnings), fc.constantFrom(...endings)).map((parts) => parts.join(""));
  const text = fc.array(fc.oneof(word, fc.string({ unit: "grapheme" })), { maxLength: 12 });
  fc.assert(
    fc.property(text, text, (question, answer) => {
      const wanted = coverageStems(question.join(" "));
      const all = stems(answer.join(" "));
      assert.deepEqual(
        presentStems(wanted, answer.join(" ")).map((position) => wanted[position]),
        wanted.filter((one) => all.has(one)),
      );
    }),
  );
});
