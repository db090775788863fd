/**
 * The assembled vector kernel: compiled once per process, instantiated once per scan.
 *
 * An instance owns its memory, so dropping the instance frees every row it held.
 * It refuses to fall back to JavaScript: a scan ten times slower would look like a hang.
 */
import { Failure } from "../../errors.ts";
import { SCAN_WASM_BASE64 } from "./scan-wasm.ts";

export interface KernelMemory {
  readonly buffer: ArrayBuffer;
  /** Detaches existing views of `buffer`. */
  grow(pages: number): number;
}

export interface ScanKernel {
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
