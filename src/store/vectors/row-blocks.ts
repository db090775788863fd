/**
 * Quantised rows in a kernel's memory, and the scan over them.
 *
 * Rows are stored in blocks of 1024, each its scales and then its vectors, so growing appends
 * and never moves a row. New memory is zero, and scale 0 means empty, so gaps cost nothing.
 * Calling the kernel per block also lets V8 switch to optimised code during a scan.
 */
import type { Quantised } from "../../embed/quantise.ts";
import { Failure } from "../../errors.ts";
import { SCAN_WASM_BASE64 } from "./scan-wasm.ts";

/**
 * The assembled vector kernel: compiled once per process, instantiated once per scan.
 *
 * An instance owns its memory, so dropping the instance frees every row it held.
 * It refuses to fall back to JavaScript: a scan ten times slower would look like a hang.
 */
interface KernelMemory {
  readonly buffer: ArrayBuffer;
  /** Detaches existing views of `buffer`. */
  grow(pages: number): number;
}

interface ScanKernel {
  readonly memory: KernelMemory;
  /** Addresses and counts as `scan.wat` describes them. */
  scan(
    vectors: number,
    scales: number,
    query: number,
    allowed: number,
    scores: number,
    rows: number,
    stride: number,
  ): void;
  nearness(
    vectors: number,
    scales: number,
    rows: number,
    count: number,
    queries: number,
    units: number,
    shares: number,
    step: number,
    stride: number,
  ): void;
  best(table: number, rows: number, end: number, width: number, best: number): void;
}

// TypeScript declares WebAssembly only together with the browser's types, which we do not load.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

let compiled: object | undefined;

export function instantiateKernel(): ScanKernel {
  compiled ??= compile();
  try {
    return new WebAssembly.Instance(compiled).exports as ScanKernel;
  } catch (cause) {
    throw new Failure(
      "unavailable",
      "There is no address space left for vector search.",
      "Raise the process's memory limit (`ulimit -v`), or close other searches.",
      { cause },
    );
  }
}

function compile(): object {
  try {
    return new WebAssembly.Module(Buffer.from(SCAN_WASM_BASE64, "base64"));
  } catch (cause) {
    throw new Failure(
      "unavailable",
      "This JavaScript runtime has no WebAssembly SIMD, which vector search needs.",
      "Run Stele on Node 22 or newer, on x64 with SSE4.1 or on arm64, without --jitless.",
      { cause },
    );
  }
}

export interface RowBlocks {
  /** Highest written row + 1. */
  readonly rows: number;
  /** The largest query component that cannot make a dot product overflow. */
  readonly queryBound: number;
  write(firstRow: number, vectors: Int8Array, scales: Float32Array): void;
  /** A view that the next write may invalidate; scale 0 when the row is empty or missing. */
  read(row: number): Quantised;
  /** Passes on the scores of each block in row order. They are overwritten after the visit. */
  scan(query: Int16Array, allowed: Uint8Array | undefined, visit: ScoresVisitor): void;
}

type ScoresVisitor = (firstRow: number, scores: Float32Array) => void;

export const MAX_DIMENSIONS = 4096;

const BLOCK_ROWS = 1024;
const BLOCK_SCALES_BYTES = 4 * BLOCK_ROWS;
const BLOCK_ALLOWED_BYTES = BLOCK_ROWS / 8;
const PAGE_BYTES = 65_536;
const MAX_PAGES = 65_536;
/** Smaller memories double; larger ones grow a quarter beyond the need. */
const LARGE_PAGES = 1024;

// The first page is scratch: the query, then one block's bitmap, then one block's scores.
const QUERY_ADDRESS = 0;
const ALLOWED_ADDRESS = 2 * MAX_DIMENSIONS;
const SCORES_ADDRESS = ALLOWED_ADDRESS + BLOCK_ALLOWED_BYTES;
const EVERY_ROW = 0;

const ABSENT: Quantised = { values: new Int8Array(0), scale: 0 };

export function createRowBlocks(dimensions: number): RowBlocks {
  const kernel = instantiateKernel();
  const layout = layoutFor(dimensions);
  let rows = 0;
  let views = viewsOf(kernel);

  /** Views of the memory, renewed only after it has grown: a new view per row would cost more than reading the row. */
  function currentViews(): Views {
    if (views.values.buffer !== kernel.memory.buffer) views = viewsOf(kernel);
    return views;
  }

  return {
    get rows() {
      return rows;
    },
    queryBound: Math.min(32_767, Math.floor((2 ** 31 - 1) / (128 * layout.stride))),
    write(firstRow, vectors, scales) {
      if (scales.length === 0) return;
      const end = firstRow + scales.length;
      growTo(kernel, layout.scalesAddress(Math.ceil(end / BLOCK_ROWS)));
      for (const { block, from, start, length } of spans(firstRow, scales.length)) {
        const target = layout.viewBlock(kernel, block);
        target.scales.set(scales.subarray(start, start + length), from);
        const source = vectors.subarray(start * dimensions, (start + length) * dimensions);
        copyRows(source, dimensions, target.vectors.subarray(from * layout.stride), layout.stride);
      }
      rows = Math.max(rows, end);
    },
    read(row) {
      if (!Number.isInteger(row) || row < 0 || row >= rows) return ABSENT;
      const { values, scales } = currentViews();
      const block = Math.floor(row / BLOCK_ROWS);
      const within = row % BLOCK_ROWS;
      const start = layout.vectorsAddress(block) + within * layout.stride;
      const scale = scales[layout.scalesAddress(block) / 4 + within] as number;
      return { values: values.subarray(start, start + dimensions), scale };
    },
    scan(query, allowed, visit) {
      const { buffer } = kernel.memory;
      new Int16Array(buffer, QUERY_ADDRESS, dimensions).set(query);
      const blockAllowed = new Uint8Array(buffer, ALLOWED_ADDRESS, BLOCK_ALLOWED_BYTES);
      const scores = new Float32Array(buffer, SCORES_ADDRESS, BLOCK_ROWS);
      for (const { block, start, length } of spans(0, rows)) {
        if (allowed) copyAllowed(allowed, block, blockAllowed);
        scanBlock(kernel, layout, { block, length, filtered: allowed !== undefined });
        visit(start, scores.subarray(0, length));
      }
    },
  };
}

interface Views {
  readonly values: Int8Array;
  readonly scales: Float32Array;
}

function viewsOf({ memory: { buffer } }: ScanKernel): Views {
  return { values: new Int8Array(buffer), scales: new Float32Array(buffer) };
}

interface Layout {
  /** Bytes from one row to the next: the dimensions, padded with zeros to a multiple of 16. */
  readonly stride: number;
  scalesAddress(block: number): number;
  vectorsAddress(block: number): number;
  viewBlock(kernel: ScanKernel, block: number): { scales: Float32Array; vectors: Int8Array };
}

function layoutFor(dimensions: number): Layout {
  const stride = Math.ceil(dimensions / 16) * 16;
  const blockBytes = BLOCK_SCALES_BYTES + BLOCK_ROWS * stride;
  const scalesAddress = (block: number): number => PAGE_BYTES + block * blockBytes;
  const vectorsAddress = (block: number): number => scalesAddress(block) + BLOCK_SCALES_BYTES;
  return {
    stride,
    scalesAddress,
    vectorsAddress,
    viewBlock: ({ memory: { buffer } }, block) => ({
      scales: new Float32Array(buffer, scalesAddress(block), BLOCK_ROWS),
      vectors: new Int8Array(buffer, vectorsAddress(block), BLOCK_ROWS * stride),
    }),
  };
}

function scanBlock(
  kernel: ScanKernel,
  layout: Layout,
  { block, length, filtered }: { block: number; length: number; filtered: boolean },
): void {
  kernel.scan(
    layout.vectorsAddress(block),
    layout.scalesAddress(block),
    QUERY_ADDRESS,
    filtered ? ALLOWED_ADDRESS : EVERY_ROW,
    SCORES_ADDRESS,
    // An odd last row is followed by an empty one, because every block is allocated in full.
    length + (length % 2),
    layout.stride,
  );
}

interface Span {
  readonly block: number;
  /** The first row inside the block. */
  readonly from: number;
  /** How many rows of the range come before this block. */
  readonly start: number;
  readonly length: number;
}

/** A range of rows, split at block boundaries. */
function* spans(firstRow: number, count: number): Generator<Span> {
  for (let start = 0; start < count; ) {
    const from = (firstRow + start) % BLOCK_ROWS;
    const length = Math.min(BLOCK_ROWS - from, count - start);
    yield { block: Math.floor((firstRow + start) / BLOCK_ROWS), from, start, length };
    start += length;
  }
}

function copyRows(source: Int8Array, dimensions: number, target: Int8Array, stride: number): void {
  if (dimensions === stride) return target.set(source);
  for (let read = 0, written = 0; read < source.length; read += dimensions, written += stride) {
    target.set(source.subarray(read, read + dimensions), written);
  }
}

function copyAllowed(allowed: Uint8Array, block: number, target: Uint8Array): void {
  const part = allowed.subarray(block * BLOCK_ALLOWED_BYTES, (block + 1) * BLOCK_ALLOWED_BYTES);
  target.set(part);
  target.fill(0, part.length);
}

/** Makes the memory at least this large. Existing views of it are detached. */
export function growTo({ memory }: ScanKernel, neededBytes: number): void {
  const neededPages = Math.ceil(neededBytes / PAGE_BYTES);
  const pages = memory.buffer.byteLength / PAGE_BYTES;
  if (neededPages <= pages) return;
  const generousPages = Math.ceil(neededPages * (neededPages < LARGE_PAGES ? 2 : 1.25));
  try {
    memory.grow(Math.max(neededPages, Math.min(generousPages, MAX_PAGES)) - pages);
  } catch (cause) {
    throw new Failure(
      "unavailable",
      `Vector search needs ${Math.ceil(neededBytes / 2 ** 20)} MB of memory, which could not be allocated; the maximum is 4096 MB.`,
      "Archive memories, or choose an embedding model with fewer dimensions.",
      { cause },
    );
  }
}
