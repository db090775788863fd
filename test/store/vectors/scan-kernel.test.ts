import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { renderKernel } from "../../../scripts/build-kernel.ts";
import { Failure } from "../../../src/errors.ts";

const KERNEL = new URL("../../../src/store/vectors/", import.meta.url);

test("the committed bytes are what a rebuild gives", async () => {
  assert.equal(await readFile(new URL("scan-wasm.ts", KERNEL), "utf8"), await renderKernel());
});

test("a runtime without WebAssembly SIMD is named, not guessed around", async () => {
  // The query string makes this a module of its own, which has not compiled yet.
  const { instantiateKernel } = await import(new URL("row-blocks.ts?without-simd", KERNEL).href);
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, "WebAssembly") as PropertyDescriptor;
  Object.defineProperty(globalThis, "WebAssembly", { ...descriptor, value: {} });
  try {
    assert.throws(instantiateKernel, (thrown) => thrown instanceof Failure && thrown.code === "unavailable");
  } finally {
    Object.defineProperty(globalThis, "WebAssembly", descriptor);
  }
});
