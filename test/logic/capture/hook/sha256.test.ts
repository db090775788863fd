/** The plain hash equals Node's, for every length around a block and for any text. */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { sha256 } from "../../../../src/logic/capture/hook/sha256.ts";

test("texts of every length up to four blocks", () => {
  for (let length = 0; length <= 256; length++) {
    const text = "a".repeat(length);
    assert.equal(sha256(text), hash("sha256", text), `${length} characters`);
  }
});

test("any text, also a long one", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => assert.equal(sha256(text), hash("sha256", text))));
  const long = "walrus €😀 ".repeat(2_000);
  assert.equal(sha256(long), hash("sha256", long));
});
