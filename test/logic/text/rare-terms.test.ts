/** The words by which similar texts are found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { rarestTerms, termStems } from "../../../src/logic/text/rare-terms.ts";

test("significant words with their stems, identifiers whole, Chinese by bigrams", () => {
  assert.deepEqual(
    [...termStems("The caching of getUserById is cached in 内存泄漏 and Çache")],
    [
      ["caching", "cach"],
      ["getuserbyid", "getuserbyid"],
      ["cached", "cach"],
      ["内存", "内存"],
      ["存泄", "存泄"],
      ["泄漏", "泄漏"],
      ["cache", "cach"],
    ],
  );
});

test("the rarest first, each stem once, and none that nothing else contains", () => {
  const terms = termStems("common caching cached rare unique");
  const frequency = new Map([
    ["common", 90],
    ["cach", 5],
    ["rare", 2],
    ["uniqu", 1],
  ]);
  assert.deepEqual(rarestTerms(terms, frequency, 8), ["rare", "caching", "common"]);
  assert.deepEqual(rarestTerms(terms, frequency, 2), ["rare", "caching"]);
  assert.deepEqual(rarestTerms(terms, new Map(), 8), []);
});

test("never more than asked for, and only words of the text", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(10), fc.func(fc.nat(5)), (text, count, countOf) => {
      const terms = termStems(text);
      const frequency = new Map([...terms.values()].map((stem) => [stem, countOf(stem)]));
      const rarest = rarestTerms(terms, frequency, count);
      assert.ok(rarest.length <= count);
      assert.ok(rarest.every((term) => terms.has(term)));
    }),
  );
});
