/** The bytes of an encrypted export: opened as they were, or not at all, whatever was done to them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { openByKey, openedBytes } from "../../src/encryption/sealed-export.ts";
import { storeKeyOf } from "../../src/encryption/store-key.ts";
import { CHUNK_BYTES, type ExportSeal, SEALED_START, TAG_BYTES } from "../../src/transfer/sealed-format.ts";
import { sealedBytes, sealToKey } from "./sealed-export-writer.ts";

const [key, other] = [7, 8].map((byte) => storeKeyOf(Buffer.alloc(32, byte))) as [Key, Key];
type Key = ReturnType<typeof storeKeyOf>;
const FILE_KEY = Buffer.alloc(32, 9);
const SEALED_BYTES = CHUNK_BYTES + TAG_BYTES;

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

const sealed = (content: Uint8Array, pieceBytes = CHUNK_BYTES, fileKey = FILE_KEY) =>
  all(sealedBytes(inPieces(content, pieceBytes), fileKey, sealToKey(fileKey, key)));

const opening = {
  path: "x.stele",
  mayBePlain: true,
  fileKeyOf: async (seal: ExportSeal) => (seal.by === "key" ? openByKey(seal, key) : null),
};
const opened = (bytes: Uint8Array, pieceBytes = 262_144, how: Partial<typeof opening> = {}) =>
  all(openedBytes(inPieces(bytes, pieceBytes), { ...opening, ...how }));

const PATTERN = Buffer.from(Array.from({ length: 251 }, (_, index) => index));
const contentOf = (bytes: number) => Buffer.alloc(bytes, PATTERN);

test("it opens as it was, at every size around a chunk's and in whatever pieces", async () => {
  const size = fc.oneof(
    fc.nat({ max: 300 }),
    fc.constantFrom(1, 2, 3).chain((count) => fc.integer({ min: -2, max: 2 }).map((by) => count * CHUNK_BYTES + by)),
  );
  const piece = fc.constantFrom(1_000, 4_096, CHUNK_BYTES, 262_144);
  await fc.assert(
    fc.asyncProperty(size, piece, piece, async (bytes, written, read) => {
      const content = contentOf(bytes);
      const file = await sealed(content, written);
      const chunks = Math.max(1, Math.ceil(bytes / CHUNK_BYTES));
      assert.equal(file.length - file.indexOf("\n") - 1, bytes + chunks * TAG_BYTES);
      assert.ok((await opened(file, read)).equals(content));
    }),
  );
});

test("an altered byte anywhere is noticed, before anything of its chunk is handed on", async () => {
  const file = await sealed(contentOf(2 * CHUNK_BYTES + 50));
  const head = file.indexOf("\n") + 1;
  const places = fc.oneof(fc.nat({ max: head - 1 }), fc.integer({ min: head, max: file.length - 1 }));
  await fc.assert(
    fc.asyncProperty(places, fc.integer({ min: 1, max: 255 }), async (at, by) => {
      const altered = Buffer.from(file);
      altered[at]! ^= by;
      // A file that does not begin like one is not taken for one, and the reader of exports refuses it.
      if (at < SEALED_START.length) return assert.ok((await opened(altered)).equals(altered));
      await assert.rejects(opened(altered), { code: /invalid_input/ });
    }),
  );
});

const CHUNKS = 4;
type Rearranged = [what: string, (head: Buffer, chunks: Buffer[], others: Buffer[]) => Buffer[]];
const REARRANGED: Rearranged[] = [
  ["without its last chunk", (head, chunks) => [head, ...chunks.slice(0, -1)]],
  ["without its first chunk", (head, chunks) => [head, ...chunks.slice(1)]],
  ["without any chunk", (head) => [head]],
  ["cut in its header", (head) => [head.subarray(0, -10)]],
  ["cut in a chunk", (head, [first, second]) => [head, first!, second!.subarray(0, 500)]],
  ["with two chunks exchanged", (head, [first, second, ...rest]) => [head, second!, first!, ...rest]],
  ["with a chunk repeated", (head, [first, ...rest]) => [head, first!, first!, ...rest]],
  ["with its last chunk repeated", (head, chunks) => [head, ...chunks, chunks.at(-1)!]],
  ["with a byte more", (head, chunks) => [head, ...chunks, Buffer.from("x")]],
  ["followed by itself", (head, chunks) => [head, ...chunks, head, ...chunks]],
  ["with a chunk of another file", (head, [, ...rest], [first]) => [head, first!, ...rest]],
  ["with the chunks of another file", (head, _, others) => [head, ...others]],
];

for (const [what, arrange] of REARRANGED)
  test(`a file ${what} is refused`, async () => {
    const content = contentOf(CHUNKS * CHUNK_BYTES - 100);
    const apart = (file: Buffer) => {
      const head = file.indexOf("\n") + 1;
      const chunks = Array.from({ length: CHUNKS }, (_, index) =>
        file.subarray(head + index * SEALED_BYTES, head + (index + 1) * SEALED_BYTES),
      );
      return { head: file.subarray(0, head), chunks };
    };
    const { head, chunks } = apart(await sealed(content));
    const { chunks: others } = apart(await sealed(content, CHUNK_BYTES, Buffer.alloc(32, 10)));
    assert.ok((await opened(Buffer.concat([head, ...chunks]))).equals(content));
    await assert.rejects(opened(Buffer.concat(arrange(head, chunks, others))), {
      code: "invalid_input",
      message: "x.stele was cut off or altered.",
    });
  });

test("what is not encrypted passes as it is, even if it is shorter than the beginning of a header", async () => {
  for (const text of ["", "{", '{"stele":"export","format":1}\n', SEALED_START.slice(0, -1)])
    assert.equal((await opened(Buffer.from(text), 3)).toString(), text);
});

test("where only an encrypted one will do, nothing of a plain one is handed on", async () => {
  const isHandedOn = async (text: string) => (await opened(Buffer.from(text), 3, { mayBePlain: false })).length > 0;
  for (const text of ["{", '{"stele":"export","format":1}\n', SEALED_START.slice(0, -1)])
    await assert.rejects(isHandedOn(text), { code: "invalid_input", message: /^x\.stele is not encrypted/ });
  assert.ok((await opened(await sealed(contentOf(10)), 3, { mayBePlain: false })).equals(contentOf(10)));
});

test("another key opens no header, and the same content is never encrypted alike", async () => {
  const seal = sealToKey(FILE_KEY, key);
  assert.ok(seal.by === "key" && openByKey(seal, key)!.equals(FILE_KEY));
  assert.equal(openByKey(seal, other), null);
  assert.ok(!(await sealed(contentOf(10))).equals(await sealed(contentOf(10))));
});

test("neither way holds more than a few chunks at once", async () => {
  let [given, taken, most] = [0, 0, 0];
  async function* many() {
    for (let index = 0; index < 40; index += 1) {
      given += CHUNK_BYTES;
      most = Math.max(most, given - taken);
      yield contentOf(CHUNK_BYTES);
    }
  }
  const file = sealedBytes(many(), FILE_KEY, sealToKey(FILE_KEY, key));
  for await (const chunk of openedBytes(file, { ...opening, fileKeyOf: async () => FILE_KEY })) taken += chunk.length;
  assert.equal(taken, 40 * CHUNK_BYTES);
  assert.ok(most <= 3 * CHUNK_BYTES, `${most} bytes`);
});
