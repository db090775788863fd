/** The words by which similar texts are found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { rarestTerms, stemsOf, telling, termsByRarity } from "../../src/text/rare-terms.ts";

test("more words of a stored text count than of a question, but not all of a long one", () => {
  const text = Array.from({ length: 500 }, (_, number) => `word${String.fromCodePoint(0x4e00 + number)}`).join(" ");
  assert.equal(telling(text).length, 200);
  assert.deepEqual(telling("The caching of it is cached"), ["caching", "cached"]);
  assert.deepEqual(stemsOf(["caching", "cached"]), ["cach"]);
});

test("the rarest first, each stem once, and none that only this text contains", () => {
  const terms = ["common", "caching", "cached", "rare", "unique", "unknown"];
  const frequency = new Map([
    ["common", 90],
    ["cach", 5],
    ["rare", 2],
    ["uniqu", 1],
  ]);
  assert.deepEqual(
    termsByRarity(terms, frequency).map(({ term }) => term),
    ["unique", "rare", "caching", "cached", "common"],
  );
  assert.deepEqual(rarestTerms(terms, frequency, 8), ["rare", "caching", "common"]);
  assert.deepEqual(rarestTerms(terms, frequency, 2), ["rare", "caching"]);
  assert.deepEqual(rarestTerms(terms, new Map(), 8), []);
});

test("never more than asked for, and only words of the text", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(10), fc.func(fc.nat(5)), (text, count, countOf) => {
      const terms = telling(text);
      const frequency = new Map(stemsOf(terms).map((stem) => [stem, countOf(stem)]));
      const rarest = rarestTerms(terms, frequency, count);
      assert.ok(rarest.length <= count);
      assert.ok(rarest.every((term) => terms.includes(term)));
    }),
  );
});
