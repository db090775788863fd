/**
 * all-MiniLM-L6-v2 as an int8 ONNX graph, built from its half-precision weights.
 *
 * Weights are symmetric int8 with one scale per output channel (per row in the word table); activations are quantised
 * at run time, with one scale per tensor. So each run has one text: there is no padding, no mask, and no text affects
 * the vector of another.
 */
import { DIMENSIONS, LONGEST_INPUT_IDS } from "./identity.ts";
import { FLOAT, INT32, writeModel, type Attribute, type Constant, type Node, type TensorData } from "./onnx.ts";
import { toFloats, type Tensors } from "./safetensors.ts";

const LAYERS = 6;
const HEADS = 12;
const EPSILON = { float: 1e-12 };
const LARGEST_INT8 = 127;
const MICROSOFT = "com.microsoft";
const VERSIONS = { ir: 8, operatorSets: { "": 17, [MICROSOFT]: 1 } };

export const INPUT_NAME = "input_ids";
export const OUTPUT_NAME = "embedding";

export function buildGraph(tensors: Tensors): Uint8Array {
  const draft = createDraft(tensors);
  let hidden = embeddings(draft);
  for (let layer = 0; layer < LAYERS; layer++) {
    hidden = feedForward(draft, `encoder.layer.${layer}`, attention(draft, `encoder.layer.${layer}`, hidden));
  }
  pool(draft, hidden);
  const graph = {
    name: "minilm",
    nodes: draft.nodes,
    constants: draft.constants,
    inputs: [{ name: INPUT_NAME, type: INT32, shape: [1, "length"] } as const],
    outputs: [{ name: OUTPUT_NAME, type: FLOAT, shape: [1, DIMENSIONS] } as const],
  };
  return writeModel(graph, VERSIONS);
}

interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float32Array;
}

type Draft = ReturnType<typeof createDraft>;

/** A graph being built. Each call adds one element and returns the name others refer to it by. */
function createDraft(tensors: Tensors) {
  const nodes: Node[] = [];
  const constants: Constant[] = [];

  function constant(name: string, shape: readonly number[], data: TensorData): string {
    constants.push({ name, shape, data });
    return name;
  }

  function run(operator: string, inputs: readonly string[], options: NodeOptions = {}): string {
    const { attributes, domain, outputCount = 1 } = options;
    const output = `${operator}_${nodes.length}`;
    const outputs = Array.from({ length: outputCount }, (_, i) => (i === 0 ? output : `${output}_${i}`));
    nodes.push({ operator, inputs, outputs, ...(domain && { domain }), ...(attributes && { attributes }) });
    return output;
  }

  function vector(name: string): string {
    const data = toFloats(tensors(name));
    return constant(name, [data.length], data);
  }

  function matrix(name: string): Matrix {
    const tensor = tensors(name);
    const [rows = 0, columns = 0] = tensor.shape;
    return { rows, columns, data: toFloats(tensor) };
  }

  return { nodes, constants, constant, run, vector, matrix };
}

interface NodeOptions {
  readonly attributes?: Readonly<Record<string, Attribute>>;
  readonly domain?: string;
  readonly outputCount?: number;
}

function embeddings(draft: Draft): string {
  const { constant, run, vector, matrix } = draft;
  const words = quantizeRows(matrix("embeddings.word_embeddings.weight"));
  const table = constant("words", [words.rows, words.columns], words.data);
  const scales = constant("words.scale", [words.rows, 1], words.scales);
  const codes = run("Cast", [run("Gather", [table, INPUT_NAME])], { attributes: { to: FLOAT } });
  const word = run("Mul", [codes, run("Gather", [scales, INPUT_NAME])]);

  const positions = constant("positions", [LONGEST_INPUT_IDS, DIMENSIONS], positionTable(draft));
  const start = constant("positions.start", [1], BigInt64Array.of(0n));
  const length = run("Shape", [INPUT_NAME], { attributes: { start: 1, end: 2 } });
  const position = run("Slice", [positions, start, length]);

  const norm = [vector("embeddings.LayerNorm.weight"), vector("embeddings.LayerNorm.bias")];
  const attributes = { epsilon: EPSILON, axis: -1 };
  return run("LayerNormalization", [run("Add", [word, position]), ...norm], { attributes });
}

/** Every text is segment 0, so the segment vector is added to each position's. */
function positionTable({ matrix }: Draft): Float32Array {
  const segment = matrix("embeddings.token_type_embeddings.weight").data;
  const { data } = matrix("embeddings.position_embeddings.weight");
  return data.subarray(0, LONGEST_INPUT_IDS * DIMENSIONS).map((value, i) => value + segment[i % DIMENSIONS]!);
}

function attention(draft: Draft, layer: string, hidden: string): string {
  const { constant, run, matrix } = draft;
  const parts = ["query", "key", "value"].map((part) => `${layer}.attention.self.${part}`);
  const weight = quantizeColumns(stack(parts.map((part) => matrix(`${part}.weight`))));
  // A bias is a vector; read as a matrix it has one row per number and no columns.
  const bias = stack(parts.map((part) => matrix(`${part}.bias`)));
  const codes = run("DynamicQuantizeLinear", [hidden], { outputCount: 3 });
  const inputs = [
    codes,
    constant(`${layer}.qkv`, [weight.rows, weight.columns], weight.data),
    constant(`${layer}.qkv.bias`, [bias.data.length], bias.data),
    `${codes}_1`,
    constant(`${layer}.qkv.scale`, [weight.columns], weight.scales),
    "",
    `${codes}_2`,
    constant(`${layer}.qkv.zero`, [weight.columns], new Int8Array(weight.columns)),
  ];
  const attended = run("QAttention", inputs, { domain: MICROSOFT, attributes: { num_heads: HEADS } });
  const projected = product(draft, `${layer}.attention.output.dense.weight`, attended);
  return addAndNormalize(draft, `${layer}.attention.output`, projected, hidden);
}

function feedForward(draft: Draft, layer: string, hidden: string): string {
  const widened = product(draft, `${layer}.intermediate.dense.weight`, hidden);
  const bias = draft.vector(`${layer}.intermediate.dense.bias`);
  const activated = draft.run("BiasGelu", [widened, bias], { domain: MICROSOFT });
  const narrowed = product(draft, `${layer}.output.dense.weight`, activated);
  return addAndNormalize(draft, `${layer}.output`, narrowed, hidden);
}

function product({ constant, run, matrix }: Draft, name: string, input: string): string {
  const weight = quantizeColumns(matrix(name));
  const table = constant(name, [weight.rows, weight.columns], weight.data);
  const scales = constant(`${name}.scale`, [weight.columns], weight.scales);
  return run("DynamicQuantizeMatMul", [input, table, scales], { domain: MICROSOFT });
}

function addAndNormalize({ run, vector }: Draft, part: string, input: string, residual: string): string {
  const norm = [`${part}.LayerNorm.weight`, `${part}.LayerNorm.bias`, `${part}.dense.bias`].map(vector);
  return run("SkipLayerNormalization", [input, residual, ...norm], {
    domain: MICROSOFT,
    attributes: { epsilon: EPSILON },
  });
}

function pool({ nodes, run }: Draft, hidden: string): void {
  const mean = run("ReduceMean", [hidden], { attributes: { axes: [1], keepdims: 0 } });
  nodes.push({
    operator: "LpNormalization",
    inputs: [mean],
    outputs: [OUTPUT_NAME],
    attributes: { axis: -1, p: 2 },
  });
}

function stack(parts: readonly Matrix[]): Matrix {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const columns = parts[0]?.columns ?? 0;
  const data = new Float32Array(parts.reduce((sum, part) => sum + part.data.length, 0));
  let offset = 0;
  for (const part of parts) {
    data.set(part.data, offset);
    offset += part.data.length;
  }
  return { rows, columns, data };
}

interface Quantized {
  readonly rows: number;
  readonly columns: number;
  readonly data: Int8Array;
  readonly scales: Float32Array;
}

function quantizeRows({ rows, columns, data }: Matrix): Quantized {
  const codes = new Int8Array(data.length);
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const values = data.subarray(row * columns, (row + 1) * columns);
    let largest = 0;
    for (const value of values) largest = Math.max(largest, Math.abs(value));
    const scale = largest / LARGEST_INT8 || 1;
    scales[row] = scale;
    for (let column = 0; column < columns; column++) {
      codes[row * columns + column] = Math.round(values[column]! / scale);
    }
  }
  return { rows, columns, data: codes, scales };
}

/** Linear weights are stored [out, in] and multiplied as [in, out]: one scale per output. */
function quantizeColumns(matrix: Matrix): Quantized {
  const { rows, columns, data, scales } = quantizeRows(matrix);
  const transposed = new Int8Array(data.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) transposed[column * rows + row] = data[row * columns + column]!;
  }
  return { rows: columns, columns: rows, data: transposed, scales };
}
