/** The plain hash equals Node's, for every length around a block and for any text. */
import assert from "node:assert/strict";
import { createHmac, hash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { hmacSha256, sha256 } from "../../src/text/sha256.ts";
import { anyCharacter } from "../any-character.ts";

test("texts of every length up to four blocks", () => {
  for (let length = 0; length <= 256; length++) {
    const text = "a".repeat(length);
    assert.equal(sha256(text), hash("sha256", text), `${length} characters`);
  }
});

test("any text, also a long one", () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => assert.equal(sha256(text), hash("sha256", text))));
  const long = "walrus €😀 ".repeat(2_000);
  assert.equal(sha256(long), hash("sha256", long));
});

test("the keyed hash of any bytes, with keys of up to one block", () => {
  const [keys, bytes] = [fc.uint8Array({ maxLength: 64 }), fc.uint8Array({ maxLength: 300 })];
  fc.assert(
    fc.property(keys, bytes, (key, message) => {
      const expected = createHmac("sha256", key).update(message).digest("hex");
      assert.equal(Buffer.from(hmacSha256(key, message)).toString("hex"), expected);
    }),
  );
  assert.throws(() => hmacSha256(new Uint8Array(65), new Uint8Array(1)), RangeError);
});
