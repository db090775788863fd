/**
 * The speed of the vector kernel against plain loops: `npm run bench:kernel`.
 *
 * Random unit vectors are the hardest case for recall: their cosines are closer together
 * than those of real text ever are. The larger sizes contain the smaller ones.
 */
import { dot, quantise } from "../../src/embed/quantise.ts";
import { createBestRows, createVectorScan, type VectorScan } from "../../src/store/vectors/vector-scan.ts";
import { called } from "../command-line.ts";
import { seeded } from "./corpus.ts";
import { median } from "./measure.ts";

const DIMENSIONS = 384;
const LIMIT = 10;
const SIZES = [
  { rows: 10_000, runs: 50 },
  { rows: 100_000, runs: 12 },
  { rows: 1_000_000, runs: 4 },
];
const BATCH_ROWS = 10_000;

interface Data {
  floats: Float32Array;
  values: Int8Array;
  scales: Float32Array;
}

function fillUnitVector(vector: Float32Array, random: () => number): void {
  for (let index = 0; index < vector.length; index++) vector[index] = random() * 2 - 1;
  const length = Math.sqrt(dot(vector, vector));
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] as number) / length;
}

function extend(data: Data, scan: VectorScan, rows: number, random: () => number): void {
  for (let row = scan.rows; row < rows; row++) {
    const vector = data.floats.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS);
    fillUnitVector(vector, random);
    const { values, scale } = quantise(vector);
    data.values.set(values, row * DIMENSIONS);
    data.scales[row] = scale;
    if ((row + 1) % BATCH_ROWS === 0) {
      const first = row + 1 - BATCH_ROWS;
      const bytes = data.values.subarray(first * DIMENSIONS, (row + 1) * DIMENSIONS);
      scan.write(first, bytes, data.scales.subarray(first, row + 1));
    }
  }
}

function nearestFloat(query: Float32Array, { floats }: Data, rows: number): number[] {
  const scores = new Float32Array(rows);
  for (let row = 0, base = 0; row < rows; row++, base += DIMENSIONS) {
    let sum = 0;
    for (let index = 0; index < DIMENSIONS; index++) sum += (query[index] as number) * (floats[base + index] as number);
    scores[row] = sum;
  }
  return best(scores);
}

function nearestInt8(query: Float32Array, { values, scales }: Data, rows: number): number[] {
  const { values: narrowed } = quantise(query);
  const scores = new Float32Array(rows);
  for (let row = 0, base = 0; row < rows; row++, base += DIMENSIONS) {
    let sum = 0;
    for (let index = 0; index < DIMENSIONS; index++) {
      sum = (sum + (narrowed[index] as number) * (values[base + index] as number)) | 0;
    }
    scores[row] = sum * (scales[row] as number);
  }
  return best(scores);
}

function best(scores: Float32Array): number[] {
  const rows = createBestRows(LIMIT);
  rows.offer(0, scores);
  return rows.take().map(({ row }) => row);
}

function timed<T>(timesMs: number[], run: () => T): T {
  const start = performance.now();
  const result = run();
  timesMs.push(performance.now() - start);
  return result;
}

function measure(data: Data, scan: VectorScan, { rows, runs }: { rows: number; runs: number }): void {
  const random = seeded(rows);
  const query = new Float32Array(DIMENSIONS);
  const simd: number[] = [];
  const float: number[] = [];
  const int8: number[] = [];
  let found = 0;
  for (let run = 0; run < runs; run++) {
    fillUnitVector(query, random);
    const truth = new Set(timed(float, () => nearestFloat(query, data, rows)));
    timed(int8, () => nearestInt8(query, data, rows));
    // The loops above evicted the rows from the cache; a busy server would have them in it.
    scan.nearest(query, { limit: LIMIT });
    found += timed(simd, () => scan.nearest(query, { limit: LIMIT })).filter(({ row }) => truth.has(row)).length;
  }
  const [simdMs, floatMs, int8Ms] = [median(simd), median(float), median(int8)];
  console.log(
    `${String(rows).padStart(8)} rows  simd ${simdMs.toFixed(2)} ms  ` +
      `float loop ${floatMs.toFixed(1)} ms (${(floatMs / simdMs).toFixed(1)}x)  ` +
      `int8 loop ${int8Ms.toFixed(1)} ms (${(int8Ms / simdMs).toFixed(1)}x)  ` +
      `recall@${LIMIT} ${(found / (runs * LIMIT)).toFixed(3)}`,
  );
}

called({
  script: "bench:kernel",
  what: "Measures the vector kernel against plain loops.",
  options: {},
});

const largest = Math.max(...SIZES.map(({ rows }) => rows));
const data: Data = {
  floats: new Float32Array(largest * DIMENSIONS),
  values: new Int8Array(largest * DIMENSIONS),
  scales: new Float32Array(largest),
};
const scan = createVectorScan(DIMENSIONS);
const random = seeded(1);
for (const size of SIZES) {
  extend(data, scan, size.rows, random);
  measure(data, scan, size);
}
