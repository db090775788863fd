/** Frames and messages: whatever is sent arrives, however it is split, and nothing else is accepted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  createFrameReader,
  type Frame,
  type Kind,
  KINDS,
  MOST_TEXTS,
  readChallenge,
  readHello,
  readProof,
  readRefusal,
  readRequest,
  readVectors,
  toFrame,
  writeChallenge,
  writeHello,
  writeRefusal,
  writeRequest,
  writeVectors,
} from "../../../src/embed/shared-model/messages.ts";

const kinds = Object.keys(KINDS) as Kind[];
const LIMIT = 300;
const anyFrame = fc.record({ kind: fc.constantFrom(...kinds), payload: fc.uint8Array({ maxLength: LIMIT }) });
const plain = ({ kind, payload }: Frame) => ({ kind, payload: [...payload] });

test("frames arrive as they were sent, split at any byte", () => {
  fc.assert(
    fc.property(fc.array(anyFrame), fc.array(fc.nat(LIMIT)), (frames, cuts) => {
      const reader = createFrameReader(() => LIMIT);
      const arrived: Frame[] = [];
      let stream = Buffer.concat(frames.map(({ kind, payload }) => toFrame(kind, payload)));
      for (const cut of [...cuts, Infinity]) {
        arrived.push(...reader.push(stream.subarray(0, cut)));
        stream = stream.subarray(Math.min(cut, stream.length));
      }
      assert.deepEqual(
        arrived.map(plain),
        frames.map(({ kind, payload }) => ({ kind, payload: [...payload] })),
      );
    }),
  );
});

test("a frame beyond the limit is refused by its head", () => {
  const head = toFrame("request", Buffer.alloc(LIMIT + 1)).subarray(0, 5);
  assert.throws(() => [...createFrameReader(() => LIMIT).push(head)], /too long/);
  assert.deepEqual([...createFrameReader(() => LIMIT + 1).push(head)], []);
});

test("a frame may raise the limit for the next one of the same chunk", () => {
  let limit = 1;
  const reader = createFrameReader(() => limit);
  const chunk = Buffer.concat([toFrame("proof", Buffer.alloc(1)), toFrame("request", Buffer.alloc(LIMIT))]);
  const lengths: number[] = [];
  for (const { payload } of reader.push(chunk)) {
    lengths.push(payload.length);
    limit = LIMIT;
  }
  assert.deepEqual(lengths, [1, LIMIT]);
});

test("a reader of garbage throws or waits, and never holds more than one frame", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 1 })), (chunks) => {
      const reader = createFrameReader(() => LIMIT);
      try {
        for (const chunk of chunks) for (const { payload } of reader.push(chunk)) assert.ok(payload.length <= LIMIT);
      } catch (thrown) {
        assert.ok(thrown instanceof RangeError);
      }
    }),
  );
});

const id = fc.nat(2 ** 32 - 1);
const nonce = fc.uint8Array({ minLength: 32, maxLength: 32 });

test("every message is read as it was written", () => {
  // Any units at all, halves of characters among them.
  const text = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));
  const vector = fc.float32Array({ minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(
      id,
      fc.array(text, { maxLength: 9 }),
      fc.array(vector, { maxLength: 5 }),
      nonce,
      (number, texts, vectors, bytes) => {
        assert.deepEqual(readRequest(writeRequest({ id: number, texts })), { id: number, texts });
        const read = readVectors(writeVectors({ id: number, vectors }), 3);
        assert.equal(read.id, number);
        assert.deepEqual(
          read.vectors,
          vectors.map((each) => Float32Array.from(each)),
        );
        const hello = readHello(writeHello({ protocol: 7, nonce: bytes }));
        assert.deepEqual({ ...hello, nonce: [...hello.nonce] }, { protocol: 7, nonce: [...bytes] });
        const said = { protocol: 7, nonce: bytes, proof: bytes, dimensions: 384, identity: "model:ü" };
        const { nonce: own, proof, ...rest } = readChallenge(writeChallenge(said));
        assert.deepEqual(
          [[...own], [...proof], rest],
          [[...bytes], [...bytes], { protocol: 7, dimensions: 384, identity: "model:ü" }],
        );
      },
    ),
  );
});

test("a refusal keeps its words, up to a length", () => {
  const said = { id: 3, message: "größer als erlaubt", hint: "Ask again." };
  assert.deepEqual(readRefusal(writeRefusal(said)), said);
  assert.equal(readRefusal(writeRefusal({ ...said, message: "x".repeat(5_000) })).message.length, 1_000);
});

test("readers refuse whatever has a part missing, or one left over", () => {
  const whole = writeRequest({ id: 1, texts: ["one", "two"] });
  const refused: [string, () => unknown][] = [
    ["a cut request", () => readRequest(whole.subarray(0, -1))],
    ["a longer request", () => readRequest(Buffer.concat([whole, Buffer.of(0)]))],
    ["half a letter", () => readRequest(Buffer.of(1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 65))],
    ["a text longer than all", () => readRequest(Buffer.of(1, 0, 0, 0, 1, 0, 255, 255, 255, 255))],
    ["too many texts", () => readRequest(writeRequest({ id: 1, texts: Array<string>(MOST_TEXTS + 1).fill("") }))],
    ["other dimensions", () => readVectors(writeVectors({ id: 1, vectors: [new Float32Array(3)] }), 4)],
    ["a short hello", () => readHello(Buffer.alloc(33))],
    ["a short challenge", () => readChallenge(Buffer.alloc(67))],
    ["an endless identity", () => readChallenge(Buffer.alloc(5_000))],
    ["a short proof", () => readProof(Buffer.alloc(31))],
    ["a short refusal", () => readRefusal(Buffer.of(1, 0, 0, 0, 9, 0, 65))],
    ["nothing", () => readRefusal(Buffer.alloc(0))],
  ];
  for (const [what, read] of refused) assert.throws(read, RangeError, what);
});

test("readers of garbage throw a range error or return", () => {
  const readers = [
    readHello,
    readChallenge,
    readProof,
    readRequest,
    readRefusal,
    (bytes: Buffer) => readVectors(bytes, 3),
  ];
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...readers), (bytes, read) => {
      try {
        read(Buffer.from(bytes));
      } catch (thrown) {
        assert.ok(thrown instanceof RangeError);
      }
    }),
  );
});
