import assert from "node:assert/strict";
import { test } from "node:test";
import { contentHash } from "../../src/logic/content-hash.ts";

test("the hash is the SHA-256 of the text", () => {
  assert.equal(contentHash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

const equal: [string, string, string][] = [
  ["text", " \n text\t\r\n", "white space at the ends"],
  ["café", "cafe\u0301", "composed or not"],
  ["한글", "한글".normalize("NFD"), "hangul composed or not"],
];
for (const [left, right, why] of equal)
  test(`does not count: ${why}`, () => assert.equal(contentHash(left), contentHash(right)));

const different: [string, string, string][] = [
  ["text", "Text", "case"],
  ["a b", "a  b", "white space inside"],
  ["cafe", "café", "diacritics"],
  ["ﬁle", "file", "compatibility forms"],
];
for (const [left, right, why] of different)
  test(`counts: ${why}`, () => assert.notEqual(contentHash(left), contentHash(right)));
