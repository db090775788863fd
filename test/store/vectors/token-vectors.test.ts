import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import {
  type FewVectors,
  createTokenVectors,
  readVectors,
  tokenVectors,
} from "../../../src/store/vectors/token-vectors.ts";
import { runs } from "../../lane.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const { path } = temporaryFolder("token-vectors");

interface Table {
  pieces: number;
  dimensions: number;
  scales: Float32Array;
  values: Int8Array;
}

function fileOf({ pieces, dimensions, scales, values }: Table): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(pieces, 0);
  head.writeUInt32LE(dimensions, 4);
  return Buffer.concat([head, Buffer.from(scales.buffer), Buffer.from(values.buffer)]);
}

/** The nearest whole number, the even one of two, as the kernel rounds. */
function rounded(value: number): number {
  const below = Math.floor(value);
  const isHalf = value - below === 0.5;
  return isHalf ? below + (below % 2) : Math.round(value);
}

function nearness({ dimensions, pieces, scales, values }: Table, left: number, right: number): number {
  if (left >= pieces || right >= pieces) return 0;
  let sum = 0;
  for (let index = 0; index < dimensions; index++) {
    sum += values[left * dimensions + index]! * values[right * dimensions + index]!;
  }
  const cosine = Math.fround(Math.fround(Math.fround(sum) * scales[right]!) * scales[left]!);
  if (cosine <= 0) return 0;
  return Math.min(255, rounded(Math.fround(Math.fround(cosine * cosine) * 255)));
}

const table: fc.Arbitrary<Table> = fc
  .record({ pieces: fc.integer({ min: 1, max: 40 }), dimensions: fc.constantFrom(16, 32, 256), seed: fc.integer() })
  .map(({ pieces, dimensions, seed }) => {
    let state = seed | 1;
    const next = () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state;
    };
    const values = Int8Array.from({ length: pieces * dimensions }, () => next() >> 24);
    // About unit length, some longer, some empty.
    const scales = Float32Array.from(
      { length: pieces },
      () => ((next() >>> 30) / 1.5) * (0.0137 / Math.sqrt(dimensions)),
    );
    return { pieces, dimensions, scales, values };
  });

const piece = fc.nat({ max: 45 });
const passages = fc.array(fc.uint16Array({ max: 45, maxLength: 30 }), { maxLength: 6 });

test("a process reads a few single rows, and loads the whole table when it goes on comparing", async () => {
  // Other tests of this process may have loaded it.
  const fresh = new URL("../../../src/store/vectors/token-vectors.ts?fresh", import.meta.url);
  const { FEW_ROWS, vectorsOf } = (await import(
    fresh.href
  )) as typeof import("../../../src/store/vectors/token-vectors.ts");
  assert.equal(vectorsOf([[1010, 2003], [1010]]).vectors.pieces, 2);
  const many = Array.from({ length: FEW_ROWS - 2 }, (_piece, index) => index);
  assert.equal(vectorsOf([many]).vectors.pieces, many.length);
  for (let times = 0; times < 2; times += 1) {
    const { vectors, numberOf, isWhole } = vectorsOf([[1010, 2003]]);
    assert.deepEqual([vectors.pieces, numberOf(2003), isWhole], [tokenVectors().pieces, 2003, true]);
  }
});

test("a few rows of the table compare as the whole table does", () => {
  const [wanted, passage] = [
    [1010, 2003, 7592, 65_000],
    [2154, 30_000, 2003, 65_001, 5],
  ];
  const shares = ({ vectors, numberOf }: FewVectors) => {
    const meet = vectors.compare(wanted.map(numberOf), [Uint16Array.from(passage.map(numberOf))]);
    return [...meet(0, 0, passage.length)];
  };
  const few = readVectors([...wanted, ...passage, ...wanted]);
  assert.equal(few.vectors.pieces, 8);
  assert.deepEqual(shares(few), shares({ vectors: tokenVectors(), numberOf: (piece) => piece }));
  assert.equal(shares(few)[1], 255);
});

test("rows of a table that is cut are not taken for zeros", () => {
  const file = path();
  const table = Buffer.alloc(8 + 4 * (4 + 16), 1);
  table.writeUInt32LE(4, 0);
  table.writeUInt32LE(16, 4);
  writeFileSync(file, table);
  assert.equal(readVectors([0, 3], file).vectors.pieces, 2);
  for (const length of [4, 8, 20, table.length - 1]) {
    writeFileSync(file, table.subarray(0, length));
    assert.throws(() => readVectors([0, 3], file), { code: "unavailable", message: /missing or damaged/ });
  }
});

test("what the kernel compares is what a plain loop compares, pieces nobody knows included", () => {
  fc.assert(
    fc.property(table, fc.array(piece, { maxLength: 40 }), passages, fc.nat(), (known, wanted, texts, cut) => {
      const vectors = createTokenVectors(fileOf(known));
      // Twice, so that nothing is left over from the time before.
      vectors.compare([...wanted, 0, 1, 2], [Uint16Array.of(2, 1, 0, 45), ...texts]);
      const meet = vectors.compare(wanted, texts);
      for (const [index, text] of texts.entries()) {
        const start = cut % (text.length + 1);
        for (const [from, to] of [[0, text.length] as const, [start, text.length] as const, [0, start] as const]) {
          const expected = wanted.map((one) =>
            Math.max(0, ...Array.from(text.subarray(from, to), (other) => nearness(known, one, other))),
          );
          assert.deepEqual([...meet(index, from, to)], expected);
        }
      }
    }),
    { numRuns: runs(60) },
  );
});

test("the packaged table grows with what is asked, and stays as it is", () => {
  const vectors = tokenVectors();
  const pieces = Uint16Array.from({ length: vectors.pieces }, (_, index) => index);
  const self = (one: number) => vectors.compare([one], [Uint16Array.of(one)])(0, 0, 1)[0]!;
  const before = [2_000, 5_000, 30_000].map(self);
  const meet = vectors.compare(
    Array.from({ length: 64 }, (_, index) => 1_000 + index),
    Array.from({ length: 40 }, () => pieces),
  );
  assert.ok(
    meet(39, 0, pieces.length).every((share) => share >= 250),
    "each is nearest to itself",
  );
  assert.deepEqual([2_000, 5_000, 30_000].map(self), before);
});

test("a table that is cut, empty or not one is told as such", () => {
  const whole = Buffer.alloc(8 + 2 * (4 + 16));
  whole.writeUInt32LE(2, 0);
  whole.writeUInt32LE(16, 4);
  assert.equal(createTokenVectors(whole).pieces, 2);
  const spoilt = [Buffer.alloc(0), whole.subarray(0, 7), whole.subarray(0, -1), Buffer.concat([whole, whole])];
  for (const file of [...spoilt, Buffer.alloc(100, 0xff)])
    assert.throws(() => createTokenVectors(file), { code: "unavailable", message: /missing or damaged/ });
});
