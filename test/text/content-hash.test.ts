import assert from "node:assert/strict";
import { test } from "node:test";
import { contentHash, hashAt, isHashOf } from "../../src/text/content-hash.ts";

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

const hashes: [what: string, hash: string, path: string | null, isIts: boolean][] = [
  ["its own", contentHash("text"), null, true],
  ["its own, with a path", contentHash("text"), "a.md", true],
  ["at its path", hashAt("a.md", "text"), "a.md", true],
  ["at another path", hashAt("b.md", "text"), "a.md", false],
  ["at a path, without one", hashAt("a.md", "text"), null, false],
  ["at no path that is named null", hashAt("null", "text"), null, false],
  ["at its id", hashAt("7fd436b5", "text"), null, true],
  ["of another text", contentHash("other"), null, false],
  ["of another text, with a path", contentHash("other"), "a.md", false],
  ["of another text at its path", hashAt("a.md", "other"), "a.md", false],
  ["at its time", hashAt("1700", "text"), null, true],
  ["at another time", hashAt("1701", "text"), null, false],
];
for (const [what, hash, path, isIts] of hashes)
  test(`a hash ${what} is ${isIts ? "" : "not "}its hash`, () =>
    assert.equal(isHashOf({ id: "7fd436b5", hash, content: "text", path, createdAt: 1700 }), isIts));
