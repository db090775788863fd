/**
 * Distils one vector per wordpiece from the packaged model into `token-vectors.bin`.
 *
 * The model reads each wordpiece alone, between its two markers; the vectors are centred, projected onto their 256 main
 * axes and rounded to int8. The result is committed, because building it takes a minute and the native runtime. On one
 * type of processor it is reproducible to the byte. `--check` rebuilds it, writes nothing, and reports the difference.
 */
import { readFile, writeFile } from "node:fs/promises";
import { buildGraph, INPUT_NAME, OUTPUT_NAME } from "../src/embed/minilm/graph.ts";
import { DIMENSIONS } from "../src/embed/minilm/identity.ts";
import { importRuntime, openSession } from "../src/embed/minilm/runtime.ts";
import { readSafetensors, readWeights } from "../src/embed/minilm/weights.ts";
import { quantise } from "../src/embed/quantise.ts";
import { readTokenizer } from "./build-vocabulary.ts";

const TARGET = new URL("../src/store/vectors/token-vectors.bin", import.meta.url);
const KEPT_DIMENSIONS = 256;
const SWEEPS = 12;

type Read = (id: number) => Promise<Float32Array>;

async function openReader(): Promise<{ pieces: number; read: Read }> {
  const runtime = await importRuntime("onnxruntime-node");
  const session = await openSession(runtime, buildGraph(readSafetensors(await readWeights())), 2);
  const vocabulary = await readTokenizer();
  const [start, end] = [vocabulary.get("[CLS]")!, vocabulary.get("[SEP]")!];
  const read: Read = async (id) => {
    const ids = Int32Array.of(start, id, end);
    const outputs = await session.run({ [INPUT_NAME]: new runtime.Tensor("int32", ids, [1, ids.length]) });
    return Float32Array.from(outputs[OUTPUT_NAME]!.data as Float32Array);
  };
  return { pieces: vocabulary.size, read };
}

function centre(rows: readonly Float32Array[]): void {
  const mean = new Float64Array(DIMENSIONS);
  for (const row of rows) for (let axis = 0; axis < DIMENSIONS; axis++) mean[axis]! += row[axis]! / rows.length;
  for (const row of rows) for (let axis = 0; axis < DIMENSIONS; axis++) row[axis]! -= mean[axis]!;
}

function covariance(rows: readonly Float32Array[]): Float64Array[] {
  const matrix = Array.from({ length: DIMENSIONS }, () => new Float64Array(DIMENSIONS));
  for (const row of rows) {
    for (let a = 0; a < DIMENSIONS; a++) {
      const [into, value] = [matrix[a]!, row[a]!];
      for (let b = a; b < DIMENSIONS; b++) into[b]! += value * row[b]!;
    }
  }
  for (let a = 0; a < DIMENSIONS; a++) for (let b = 0; b < a; b++) matrix[a]![b] = matrix[b]![a]!;
  return matrix;
}

/** The main axes of a symmetric matrix, longest first (cyclic Jacobi rotations). */
function mainAxes(matrix: Float64Array[]): Float64Array[] {
  const size = matrix.length;
  // Row i becomes axis i.
  const axes = Array.from({ length: size }, (_, i) =>
    Float64Array.from({ length: size }, (__, j) => (i === j ? 1 : 0)),
  );
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let p = 0; p < size - 1; p++) for (let q = p + 1; q < size; q++) rotate(matrix, axes, p, q);
  }
  const order = [...matrix.keys()].sort((a, b) => matrix[b]![b]! - matrix[a]![a]!);
  return order.map((index) => signed(axes[index]!));
}

function rotate(matrix: Float64Array[], axes: Float64Array[], p: number, q: number): void {
  const off = matrix[p]![q]!;
  if (Math.abs(off) < 1e-14) return;
  const theta = (matrix[q]![q]! - matrix[p]![p]!) / (2 * off);
  const tangent = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  for (const row of matrix) [row[p], row[q]] = [cosine * row[p]! - sine * row[q]!, sine * row[p]! + cosine * row[q]!];
  for (const rows of [matrix, axes]) {
    const [first, second] = [rows[p]!, rows[q]!];
    for (let k = 0; k < first.length; k++) {
      [first[k], second[k]] = [cosine * first[k]! - sine * second[k]!, sine * first[k]! + cosine * second[k]!];
    }
  }
}

/** An axis has no direction of its own; its largest component is made positive, so that rebuilds agree. */
function signed(axis: Float64Array): Float64Array {
  let largest = 0;
  for (let k = 1; k < axis.length; k++) if (Math.abs(axis[k]!) > Math.abs(axis[largest]!)) largest = k;
  return axis[largest]! < 0 ? axis.map((value) => -value) : axis;
}

function project(row: Float32Array, axes: readonly Float64Array[]): Float32Array {
  const projected = Float32Array.from({ length: KEPT_DIMENSIONS }, (_, axis) => {
    let sum = 0;
    for (let k = 0; k < DIMENSIONS; k++) sum += row[k]! * axes[axis]![k]!;
    return sum;
  });
  const length = Math.hypot(...projected) || 1;
  return projected.map((value) => value / length);
}

/** Rows and dimensions as u32, then a float32 scale per row, then the int8 rows; little-endian. */
function encode(rows: readonly Float32Array[]): Buffer {
  const quantised = rows.map(quantise);
  const head = Buffer.from(Uint32Array.of(rows.length, KEPT_DIMENSIONS).buffer);
  const scales = Buffer.from(Float32Array.from(quantised, ({ scale }) => scale).buffer);
  return Buffer.concat([head, scales, ...quantised.map(({ values }) => Buffer.from(values.buffer))]);
}

async function distil(): Promise<Buffer> {
  const { pieces, read } = await openReader();
  const rows: Float32Array[] = [];
  for (let id = 0; id < pieces; id++) {
    rows.push(await read(id));
    if (id % 3_000 === 0) console.error(`${id} of ${pieces}`);
  }
  centre(rows);
  const axes = mainAxes(covariance(rows));
  return encode(rows.map((row) => project(row, axes)));
}

async function main(): Promise<void> {
  const made = await distil();
  if (!process.argv.includes("--check")) return writeFile(TARGET, made);
  const committed = await readFile(TARGET);
  let moved = 0;
  for (let index = 0; index < made.length; index++) moved += made[index] === committed[index] ? 0 : 1;
  console.log(`${moved} of ${made.length} bytes differ`);
  // The runtime rounds differently on other processors; a wrong table differs almost everywhere.
  if (made.length !== committed.length || moved > made.length / 10) process.exitCode = 1;
}

await main();
