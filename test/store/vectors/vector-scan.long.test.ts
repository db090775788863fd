import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dot, quantise } from "../../../src/embed/quantise.ts";
import { Failure, type FailureCode } from "../../../src/errors.ts";
import { createVectorScan, type ScoredRow, type VectorScan } from "../../../src/store/vectors/vector-scan.ts";

interface Stored {
  values: Int8Array;
  scales: Float32Array;
}

function createRandom(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  };
}

function unitVector(dimensions: number, random: () => number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (let index = 0; index < dimensions; index += 1) vector[index] = random();
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((component) => component / length);
}

function store(vectors: readonly Float32Array[], dimensions: number): Stored {
  const values = new Int8Array(vectors.length * dimensions);
  const scales = new Float32Array(vectors.length);
  for (const [row, vector] of vectors.entries()) {
    const quantised = quantise(vector);
    values.set(quantised.values, row * dimensions);
    scales[row] = quantised.scale;
  }
  return { values, scales };
}

/** Every stored row against the float query, sorted in full. */
function bruteForce(query: Float32Array, { values, scales }: Stored): ScoredRow[] {
  const scored = Array.from(scales, (scale, row) => {
    let sum = 0;
    for (let index = 0; index < query.length; index += 1)
      sum += query[index]! * (values[row * query.length + index] ?? NaN);
    return { row, score: sum * scale };
  });
  return scored
    .filter(({ row }) => scales[row] !== 0)
    .sort((left, right) => right.score - left.score || left.row - right.row);
}

/** Sums in another order differ in the last of their digits. */
function assertSame(found: readonly ScoredRow[], expected: readonly ScoredRow[]): void {
  assert.deepEqual(
    found.map(({ row }) => row),
    expected.map(({ row }) => row),
  );
  for (const [place, { score }] of found.entries()) assert.ok(Math.abs(score - expected[place]!.score) < 1e-12);
}

function filled(vectors: readonly Float32Array[], dimensions: number): VectorScan {
  const scan = createVectorScan(dimensions);
  const { values, scales } = store(vectors, dimensions);
  scan.write(0, values, scales);
  return scan;
}

function fails(run: () => unknown, code: FailureCode): void {
  assert.throws(run, (thrown) => thrown instanceof Failure && thrown.code === code && thrown.hint !== "");
}

interface Setting {
  dimensions: number;
  count: number;
  distinct: number;
  emptyEvery: number;
  limit: number;
  seed: number;
}

const setting: fc.Arbitrary<Setting> = fc.record({
  dimensions: fc.constantFrom(1, 15, 16, 384, 768),
  count: fc.nat({ max: 60 }),
  // A handful of distinct vectors makes ties common.
  distinct: fc.constantFrom(3, 1000),
  emptyEvery: fc.constantFrom(2, 7, 1000),
  limit: fc.nat({ max: 80 }),
  seed: fc.integer(),
});

function build({ dimensions, count, distinct, emptyEvery, seed }: Omit<Setting, "limit">) {
  const random = createRandom(seed);
  const pool = Array.from({ length: Math.min(distinct, count) }, () => unitVector(dimensions, random));
  const vectors = Array.from({ length: count }, (_, row) =>
    row % emptyEvery === emptyEvery - 1 ? new Float32Array(dimensions) : (pool[row % pool.length] as Float32Array),
  );
  return { vectors, query: unitVector(dimensions, random) };
}

test("nearest is brute force over the stored rows, score for score", () => {
  fc.assert(
    fc.property(setting, ({ limit, ...rest }) => {
      const { vectors, query } = build(rest);
      const expected = bruteForce(query, store(vectors, rest.dimensions)).slice(0, limit);
      assertSame(filled(vectors, rest.dimensions).nearest(query, { limit }), expected);
    }),
  );
});

test("a score is the cosine of the float vectors, up to the rounding of a row", () => {
  fc.assert(
    fc.property(setting, ({ limit, ...rest }) => {
      const { vectors, query } = build(rest);
      const taxicab = query.reduce((sum, component) => sum + Math.abs(component), 0);
      for (const { row, score } of filled(vectors, rest.dimensions).nearest(query, { limit })) {
        const vector = vectors[row] as Float32Array;
        assert.ok(Math.abs(score - dot(query, vector)) <= 0.51 * quantise(vector).scale * taxicab + 1e-6);
      }
    }),
  );
});

test("a bitmap is filtering afterwards", () => {
  fc.assert(
    fc.property(setting, fc.uint8Array({ maxLength: 10 }), ({ limit, ...rest }, allowed) => {
      const { vectors, query } = build(rest);
      const scan = filled(vectors, rest.dimensions);
      const kept = scan
        .nearest(query, { limit: vectors.length })
        .filter(({ row }) => ((allowed[row >> 3] ?? 0) >> (row & 7)) & 1);
      assert.deepEqual(scan.nearest(query, { limit, allowed }), kept.slice(0, limit));
    }),
  );
});

test("rows written in any order, piece by piece and over each other, are the rows written last", () => {
  const pieces = fc.array(
    fc.record({ firstRow: fc.nat({ max: 2100 }), count: fc.nat({ max: 5 }), seed: fc.integer() }),
  );
  fc.assert(
    fc.property(fc.constantFrom(1, 15, 16), pieces, (dimensions, writes) => {
      const scan = createVectorScan(dimensions);
      const last: Float32Array[] = [];
      for (const { firstRow, count, seed } of writes) {
        const random = createRandom(seed);
        const vectors = Array.from({ length: count }, () => unitVector(dimensions, random));
        const { values, scales } = store(vectors, dimensions);
        scan.write(firstRow, values, scales);
        for (const [index, vector] of vectors.entries()) last[firstRow + index] = vector;
      }
      assert.equal(scan.rows, last.length);
      const rows = Array.from(last, (vector) => vector ?? new Float32Array(dimensions));
      const query = unitVector(dimensions, createRandom(7));
      assertSame(scan.nearest(query, { limit: 100 }), bruteForce(query, store(rows, dimensions)).slice(0, 100));
    }),
  );
});

for (const dimensions of [1, 15, 16, 384, 768])
  test(`${dimensions} dimensions: the first few of thousands are the right ones`, () => {
    const random = createRandom(dimensions);
    const vectors = Array.from({ length: 2500 }, () => unitVector(dimensions, random));
    const scan = filled(vectors, dimensions);
    const stored = store(vectors, dimensions);
    for (let round = 0; round < 5; round++) {
      const query = unitVector(dimensions, random);
      assertSame(scan.nearest(query, { limit: 10 }), bruteForce(query, stored).slice(0, 10));
    }
  });

test("a query's length moves no row, however small or large", () => {
  const random = createRandom(5);
  const scan = filled(
    Array.from({ length: 300 }, () => unitVector(16, random)),
    16,
  );
  const query = unitVector(16, random);
  const order = scan.nearest(query, { limit: 5 }).map(({ row }) => row);
  for (const factor of [2 ** -100, 2 ** 100]) {
    const scaled = query.map((component) => component * factor);
    assert.deepEqual(
      scan.nearest(scaled, { limit: 5 }).map(({ row }) => row),
      order,
    );
  }
});

test("nothing written, nothing found", () => {
  const scan = createVectorScan(3);
  assert.equal(scan.rows, 0);
  scan.write(9, new Int8Array(0), new Float32Array(0));
  assert.equal(scan.rows, 0);
  assert.deepEqual(scan.nearest(Float32Array.of(1, 0, 0), { limit: 5 }), []);
});

test("a zero query is equally far from everything", () => {
  const scan = filled([Float32Array.of(1, 0), Float32Array.of(0, 1)], 2);
  assert.deepEqual(scan.nearest(new Float32Array(2), { limit: 5 }), [
    { row: 0, score: 0 },
    { row: 1, score: 0 },
  ]);
});

test("an empty row past the end counts as written and is never found", () => {
  const scan = filled([Float32Array.of(1)], 1);
  scan.write(4, Int8Array.of(0), Float32Array.of(0));
  assert.equal(scan.rows, 5);
  assert.deepEqual(
    scan.nearest(Float32Array.of(1), { limit: 5 }).map(({ row }) => row),
    [0],
  );
});

test("score answers in the order asked, with -Infinity for what is not there", () => {
  const scan = filled([Float32Array.of(1, 0), new Float32Array(2), Float32Array.of(0, 1)], 2);
  const scored = scan.score(Float32Array.of(0, 1), [2, 0, 1, 3, 5000, -1, 0.5]);
  assert.deepEqual(
    scored.map(({ row, score }) => [row, Math.round(score * 1e6) / 1e6]),
    [
      [2, 1],
      [0, 0],
      [1, -Infinity],
      [3, -Infinity],
      [5000, -Infinity],
      [-1, -Infinity],
      [0.5, -Infinity],
    ],
  );
});

test("clear forgets the rows, and the scan goes on", () => {
  const scan = filled([Float32Array.of(1), Float32Array.of(-1)], 1);
  for (let round = 0; round < 200; round++) {
    scan.clear();
    assert.equal(scan.rows, 0);
    assert.deepEqual(scan.nearest(Float32Array.of(1), { limit: 5 }), []);
    scan.write(1, Int8Array.of(127), Float32Array.of(1 / 127));
    assert.deepEqual(
      scan.nearest(Float32Array.of(1), { limit: 5 }).map(({ row }) => row),
      [1],
    );
  }
});

test("rows are found up to the end of 4 GB, and refused beyond", () => {
  const dimensions = 4096;
  const scan = createVectorScan(dimensions);
  const { values, scales } = store([unitVector(dimensions, createRandom(3))], dimensions);
  for (const row of [5, 600_000, 1_000_000]) scan.write(row, values, scales);
  const query = unitVector(dimensions, createRandom(3));
  assert.deepEqual(
    scan.nearest(query, { limit: 5 }).map(({ row }) => row),
    [5, 600_000, 1_000_000],
  );
  fails(() => scan.write(1_100_000, values, scales), "unavailable");
  fails(() => scan.write(Number.MAX_SAFE_INTEGER, values, scales), "unavailable");
  assert.equal(scan.rows, 1_000_001);
});

const one = (): VectorScan => filled([Float32Array.of(1, 0)], 2);
const mistakes: [string, () => unknown][] = [
  ["no dimensions", () => createVectorScan(0)],
  ["half a dimension", () => createVectorScan(1.5)],
  ["too many dimensions", () => createVectorScan(4097)],
  ["a query with NaN", () => one().nearest(Float32Array.of(NaN, 0), { limit: 1 })],
  ["a query with Infinity", () => one().nearest(Float32Array.of(0, -Infinity), { limit: 1 })],
  ["a scored query with NaN", () => one().score(Float32Array.of(NaN, 0), [0])],
  ["a query of another model", () => one().nearest(new Float32Array(3), { limit: 1 })],
  ["a negative limit", () => one().nearest(new Float32Array(2), { limit: -1 })],
  ["a limit that is no number", () => one().nearest(new Float32Array(2), { limit: NaN })],
  ["a negative row", () => one().write(-1, new Int8Array(2), new Float32Array(1))],
  ["a row between rows", () => one().write(0.5, new Int8Array(2), new Float32Array(1))],
  ["fewer values than scales", () => one().write(0, new Int8Array(2), new Float32Array(2))],
  ["a negative scale", () => one().write(0, new Int8Array(2), Float32Array.of(-1))],
  ["a scale that is not finite", () => one().write(0, new Int8Array(2), Float32Array.of(NaN))],
];
for (const [mistake, run] of mistakes) test(`${mistake} is the caller's mistake`, () => fails(run, "invalid_input"));
