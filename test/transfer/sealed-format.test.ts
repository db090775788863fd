/** The layout of an encrypted export: chunks, nonces, the header. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  chunker,
  type ExportSeal,
  LONGEST_HEADER_BYTES,
  nonceOf,
  readSealedHeader,
  SEALED_START,
} from "../../src/transfer/sealed-format.ts";
import { writeSealedHeader } from "../encryption/sealed-export-writer.ts";

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => Buffer.from(value).toString("hex"));
const seal: fc.Arbitrary<ExportSeal> = fc.oneof(
  fc.tuple(hex(10), hex(12), hex(48)).map(([id, nonce, sealed]) => ({ by: "key" as const, id, nonce, sealed })),
  fc
    .tuple(hex(16), hex(12), hex(48))
    .map(([salt, nonce, sealed]) => ({ by: "passphrase" as const, salt, nonce, sealed })),
);

test("however the bytes come, the chunks are the same: full ones, then the rest, which is empty only if all is", () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 });
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 16 }), (given, size) => {
      const { push, end } = chunker(size);
      const full = given.flatMap((piece) => push(piece));
      const last = end();
      const all = Buffer.concat(given);
      assert.ok(full.every(({ length }) => length === size));
      assert.deepEqual(Buffer.concat([...full, last]), all);
      assert.ok(last.length <= size && (last.length > 0 || all.length === 0));
    }),
  );
});

test("no two chunks of a file have the same nonce", () => {
  const index = fc.nat({ max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(index, index, fc.boolean(), fc.boolean(), (one, two, isLast, isOtherLast) => {
      const isSame = Buffer.from(nonceOf(one, isLast)).equals(nonceOf(two, isOtherLast));
      assert.equal(isSame, one === two && isLast === isOtherLast);
      assert.equal(nonceOf(one, isLast).length, 12);
    }),
  );
});

test("a header is one short line that begins like all of them and says what was written", () => {
  fc.assert(
    fc.property(seal, (given) => {
      const line = writeSealedHeader(given);
      assert.ok(line.startsWith(SEALED_START) && line.length <= LONGEST_HEADER_BYTES);
      assert.equal(line.indexOf("\n"), line.length - 1);
      assert.deepEqual(readSealedHeader(line), given);
    }),
  );
});

test("a header that is cut anywhere or has anything missing is damaged, and a later format says its number", () => {
  const line = writeSealedHeader({ by: "key", id: "ab".repeat(10), nonce: "cd".repeat(12), sealed: "ef".repeat(48) });
  for (let length = 0; length < line.length - 1; length += 1)
    assert.deepEqual(readSealedHeader(line.slice(0, length)), { fault: "has a damaged header" });
  for (const [from, to] of [
    ["abab", "../x"],
    ["ab", ""],
    ["cd", ""],
    ["ef", ""],
    ['"key"', '"nobody"'],
  ] as const)
    assert.deepEqual(readSealedHeader(line.replace(from, to)), { fault: "has a damaged header" }, to);
  assert.match(JSON.stringify(readSealedHeader(line.replace('"format":1', '"format":2'))), /has format 2, but/);
});
