/**
 * all-MiniLM-L6-v2 as an int8 ONNX graph, built from its half-precision weights.
 *
 * Weights are symmetric int8 with one scale per output channel (per row in the word table); activations are quantised
 * at run time, with one scale per tensor. So each run has one text: there is no padding, no mask, and no text affects
 * the vector of another.
 */
import { DIMENSIONS, LONGEST_INPUT_IDS } from "./identity.ts";
import { type Tensors, toFloats } from "./weights.ts";

/**
 * Writes an ONNX ModelProto: just enough protobuf for a graph of nodes and constants.
 *
 * A message is a list of byte chunks that is joined once at the end, so the weights are
 * copied once. Writes only, and only what this model's graph uses.
 */
type Chunks = readonly Uint8Array[];

const VARINT = 0;
const BYTES = 2;
const FIXED32 = 5;

/** TensorProto.DataType. */
export const FLOAT = 1;
const UINT8 = 2;
const INT8 = 3;
export const INT32 = 6;
const INT64 = 7;

/** AttributeProto.AttributeType; readers refuse an attribute without it. */
const FLOAT_ATTRIBUTE = 1;
const INT_ATTRIBUTE = 2;
const INTS_ATTRIBUTE = 7;

type TensorData = Float32Array | Uint8Array | Int8Array | BigInt64Array;

interface Constant {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: TensorData;
}

/** A plain number becomes an int attribute; `{ float }` makes a float one. */
type Attribute = number | readonly number[] | { readonly float: number };

interface Node {
  readonly operator: string;
  /** The empty string means an omitted optional input. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly domain?: string;
  readonly attributes?: Readonly<Record<string, Attribute>>;
}

interface Value {
  readonly name: string;
  readonly type: typeof FLOAT | typeof INT32;
  /** A name means a size known only when the model runs. */
  readonly shape: readonly (number | string)[];
}

export interface Graph {
  readonly name: string;
  readonly nodes: readonly Node[];
  readonly constants: readonly Constant[];
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
}

interface Versions {
  readonly ir: number;
  /** Operator sets by domain; the empty string is ONNX itself. */
  readonly operatorSets: Readonly<Record<string, number>>;
}

export function writeModel(graph: Graph, { ir, operatorSets }: Versions): Uint8Array {
  const sets = Object.entries(operatorSets).map(([domain, version]) =>
    message(8, [...text(1, domain), ...integer(2, version)]),
  );
  return join([...integer(1, ir), ...message(7, graphProto(graph)), ...sets.flat()]);
}

function graphProto({ name, nodes, constants, inputs, outputs }: Graph): Chunks {
  return [
    ...nodes.flatMap((node) => message(1, nodeProto(node))),
    ...text(2, name),
    ...constants.flatMap((constant) => message(5, tensorProto(constant))),
    ...inputs.flatMap((value) => message(11, valueProto(value))),
    ...outputs.flatMap((value) => message(12, valueProto(value))),
  ];
}

function nodeProto({ operator, inputs, outputs, domain, attributes }: Node): Chunks {
  return [
    ...inputs.flatMap((input) => text(1, input)),
    ...outputs.flatMap((output) => text(2, output)),
    ...text(4, operator),
    ...Object.entries(attributes ?? {}).flatMap(([name, value]) => message(5, attributeProto(name, value))),
    ...(domain === undefined ? [] : text(7, domain)),
  ];
}

function attributeProto(name: string, value: Attribute): Chunks {
  if (typeof value === "number") return [...text(1, name), ...integer(3, value), ...integer(20, INT_ATTRIBUTE)];
  if ("float" in value) return [...text(1, name), ...float(2, value.float), ...integer(20, FLOAT_ATTRIBUTE)];
  return [...text(1, name), ...value.flatMap((item) => integer(8, item)), ...integer(20, INTS_ATTRIBUTE)];
}

function tensorProto({ name, shape, data }: Constant): Chunks {
  return [
    ...shape.flatMap((size) => integer(1, size)),
    ...integer(2, dataType(data)),
    ...text(8, name),
    ...message(9, [new Uint8Array(data.buffer, data.byteOffset, data.byteLength)]),
  ];
}

function dataType(data: TensorData): number {
  if (data instanceof Float32Array) return FLOAT;
  if (data instanceof Uint8Array) return UINT8;
  return data instanceof Int8Array ? INT8 : INT64;
}

function valueProto({ name, type, shape }: Value): Chunks {
  const sizes = shape.flatMap((size) => message(1, typeof size === "number" ? integer(1, size) : text(2, size)));
  return [...text(1, name), ...message(2, message(1, [...integer(1, type), ...message(2, sizes)]))];
}

function integer(field: number, value: number): Chunks {
  return [varint((field << 3) | VARINT), varint(value)];
}

function float(field: number, value: number): Chunks {
  return [varint((field << 3) | FIXED32), new Uint8Array(new Float32Array([value]).buffer)];
}

function text(field: number, value: string): Chunks {
  return message(field, [new TextEncoder().encode(value)]);
}

function message(field: number, content: Chunks): Chunks {
  const length = content.reduce((sum, chunk) => sum + chunk.length, 0);
  return [varint((field << 3) | BYTES), varint(length), ...content];
}

/** Seven bits per byte, lowest first; a negative number is written as its 64-bit two's complement. */
function varint(value: number): Uint8Array {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

function join(chunks: Chunks): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}

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
