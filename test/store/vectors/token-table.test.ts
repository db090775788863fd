/** The committed table of wordpiece vectors: that it belongs to the vocabulary, is whole, and knows what is near. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { readTokenizer } from "../../../scripts/build-vocabulary.ts";
import { cosine, dequantise, type Quantised } from "../../../src/embed/quantise.ts";

const PIECES = 30_522;
const DIMENSIONS = 256;
const HEAD_BYTES = 8;

const file = readFileSync(new URL("../../../src/store/vectors/token-vectors.bin", import.meta.url));
const scales = new Float32Array(new Uint8Array(file.subarray(HEAD_BYTES, HEAD_BYTES + 4 * PIECES)).buffer);
const rows = new Int8Array(new Uint8Array(file.subarray(HEAD_BYTES + 4 * PIECES)).buffer);

const row = (id: number): Quantised => ({
  values: rows.subarray(id * DIMENSIONS, (id + 1) * DIMENSIONS),
  scale: scales[id]!,
});

let vocabulary: ReadonlyMap<string, number>;
before(async () => void (vocabulary = await readTokenizer()));

test("it has a row for each piece of the vocabulary, and nothing else", () => {
  assert.deepEqual([file.readUInt32LE(0), file.readUInt32LE(4)], [PIECES, DIMENSIONS]);
  assert.equal(file.length, HEAD_BYTES + PIECES * (4 + DIMENSIONS));
  assert.deepEqual([vocabulary.size, Math.max(...vocabulary.values())], [PIECES, PIECES - 1]);
});

test("every row is a unit vector, as far as one byte a component can tell", () => {
  for (let id = 0; id < PIECES; id++) {
    const { values, scale } = row(id);
    let [squares, largest] = [0, 0];
    for (const value of values) {
      squares += value * value;
      largest = Math.max(largest, Math.abs(value));
    }
    const length = Math.sqrt(squares) * scale;
    // Each component is at most half a step away from what it was.
    assert.ok(Math.abs(length - 1) <= 0.5 * scale * Math.sqrt(DIMENSIONS), `piece ${id} has length ${length}`);
    assert.equal(largest, 127, `piece ${id} uses the whole range`);
  }
});

const nearness = (one: string, other: string): number => {
  const [left, right] = [one, other].map((word) => dequantise(row(vocabulary.get(word) ?? assert.fail(word))));
  return cosine(left!, right!);
};

const pairs: [word: string, near: string, far: string][] = [
  ["car", "automobile", "banana"],
  ["doctor", "physician", "carpet"],
  ["dog", "puppy", "silver"],
  ["remove", "removed", "yellow"],
  ["error", "errors", "garden"],
  ["database", "databases", "violin"],
  ["buy", "purchase", "cloud"],
  ["begin", "start", "cheese"],
];
for (const [word, near, far] of pairs)
  test(`${word} is nearer to ${near} than to ${far}`, () => {
    const [close, distant] = [nearness(word, near), nearness(word, far)];
    assert.ok(close > 0.4 && close > distant + 0.2, `${close} and ${distant}`);
  });

test("a table of another vocabulary would show: words are where the vocabulary says", () => {
  // Shifted by one row, neighbours in meaning would be strangers.
  const shifted = pairs.filter(([word, near, far]) => {
    const [a, b, c] = [word, near, far].map((one) => dequantise(row((vocabulary.get(one)! + 1) % PIECES)));
    return cosine(a!, b!) > 0.4 && cosine(a!, b!) > cosine(a!, c!) + 0.2;
  });
  assert.ok(shifted.length < pairs.length / 2, `${shifted}`);
});
