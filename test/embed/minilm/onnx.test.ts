/** The writer against the only reader that matters: the runtime itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FLOAT, type Graph, INT32, writeModel } from "../../../src/embed/minilm/graph.ts";
import { importRuntime, openSession } from "../../../src/embed/minilm/runtime.ts";

const VERSIONS = { ir: 8, operatorSets: { "": 17 } };

async function run(graph: Graph, input: Int32Array): Promise<unknown> {
  const runtime = await importRuntime("onnxruntime-node");
  const session = await openSession(runtime, writeModel(graph, VERSIONS), 1);
  const outputs = await session.run({ input: new runtime.Tensor("int32", input, [1, input.length]) });
  return outputs["output"]!.data;
}

test("constants of each type and attributes of each kind arrive", async () => {
  const graph: Graph = {
    name: "everything",
    nodes: [
      { operator: "Gather", inputs: ["rows", "input"], outputs: ["picked"], attributes: { axis: 0 } },
      { operator: "Cast", inputs: ["picked"], outputs: ["floats"], attributes: { to: FLOAT } },
      // A negative whole number, a float and a list of whole numbers.
      {
        operator: "LayerNormalization",
        inputs: ["floats", "weight", "bias"],
        outputs: ["normal"],
        attributes: { axis: -1, epsilon: { float: 3 } },
      },
      {
        operator: "ReduceMean",
        inputs: ["normal"],
        outputs: ["mean"],
        attributes: { axes: [0, 1], keepdims: 0 },
      },
      { operator: "Unsqueeze", inputs: ["mean", "axis"], outputs: ["output"] },
    ],
    constants: [
      { name: "rows", shape: [3, 2], data: Int8Array.of(0, 0, -1, 1, 100, -100) },
      { name: "weight", shape: [2], data: Float32Array.of(1, 10) },
      { name: "bias", shape: [2], data: Float32Array.of(0.5, 0) },
      { name: "axis", shape: [1], data: BigInt64Array.of(0n) },
    ],
    inputs: [{ name: "input", type: INT32, shape: [1, "length"] }],
    outputs: [{ name: "output", type: FLOAT, shape: [1, 2] }],
  };
  // Mean 0, variance 1, epsilon 3: (∓1 / 2) · weight + bias.
  assert.deepEqual(await run(graph, Int32Array.of(1)), Float32Array.of(0, 5));
  assert.deepEqual(await run(graph, Int32Array.of(1, 1, 1)), Float32Array.of(0, 5));
});

test("lengths above one byte and above two are written whole", () => {
  for (const size of [127, 128, 16_383, 16_384, 70_000]) {
    const data = Uint8Array.from({ length: size }, (_, i) => i);
    const constants = [{ name: "x", shape: [size], data }];
    const model = writeModel({ name: "big", nodes: [], constants, inputs: [], outputs: [] }, VERSIONS);
    assert.ok(Buffer.from(model).includes(Buffer.from(data)), `${size} bytes`);
    assert.equal(readMessageLength(model), size);
  }
});

/** The length of the constant's raw data, found by walking down: model 7 → graph 5 → tensor 9. */
function readMessageLength(model: Uint8Array): number {
  let content = model;
  for (const wanted of [7, 5, 9]) content = field(content, wanted);
  return content.length;
}

function field(bytes: Uint8Array, wanted: number): Uint8Array {
  let at = 0;
  const varint = (): number => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const value = varint();
    if ((tag & 7) === 0) continue;
    if (tag >> 3 === wanted) return bytes.subarray(at, at + value);
    at += value;
  }
  throw new Error(`no field ${wanted}`);
}
