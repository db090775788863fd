import assert from "node:assert/strict";
import { test } from "node:test";
import { readSafetensors, toFloats } from "../../../src/embed/minilm/weights.ts";

function write(header: object, halves: readonly number[], padding = ""): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(header) + padding);
  const file = new Uint8Array(8 + json.length + halves.length * 2);
  const view = new DataView(file.buffer);
  view.setBigUint64(0, BigInt(json.length), true);
  file.set(json, 8);
  for (const [i, half] of halves.entries()) view.setUint16(8 + json.length + i * 2, half, true);
  return file;
}

const halves: [number, number, string][] = [
  [0x0000, 0, "zero"],
  [0x3c00, 1, "one"],
  [0xc000, -2, "a negative number"],
  [0x3555, 0.333251953125, "a third, rounded"],
  [0x7bff, 65_504, "the largest"],
  [0x0400, 2 ** -14, "the smallest normal"],
  [0x0001, 2 ** -24, "the smallest of all"],
  [0x83ff, -1_023 * 2 ** -24, "a negative subnormal"],
  [0x7c00, Infinity, "infinity"],
  [0xfc00, -Infinity, "negative infinity"],
  [0x7e00, NaN, "not a number"],
];
for (const [half, value, name] of halves)
  test(`widens ${name}`, () => {
    assert.deepEqual(toFloats({ shape: [1], halves: Uint16Array.of(half) }), Float32Array.of(value));
  });

for (const padding of ["", " "])
  test(`finds tensors by name after a header of ${padding ? "odd" : "even"} length`, () => {
    const header = {
      first: { dtype: "F16", shape: [1], data_offsets: [0, 2] },
      second: { dtype: "F16", shape: [1, 2], data_offsets: [2, 6] },
    };
    const tensor = readSafetensors(write(header, [0x3c00, 0x4000, 0x4200], padding))("second");
    assert.deepEqual(tensor.shape, [1, 2]);
    assert.deepEqual(toFloats(tensor), Float32Array.of(2, 3));
  });

test("refuses unknown names, other types and cut files", () => {
  const header = {
    ids: { dtype: "I64", shape: [1], data_offsets: [0, 8] },
    cut: { dtype: "F16", shape: [9], data_offsets: [0, 18] },
  };
  const tensors = readSafetensors(write(header, [1, 2, 3, 4]));
  assert.throws(() => tensors("other"), /no tensor named other/);
  assert.throws(() => tensors("ids"), /is I64, not F16/);
  assert.throws(() => tensors("cut"), /truncated/);
});
