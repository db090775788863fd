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

export type TensorData = Float32Array | Uint8Array | Int8Array | BigInt64Array;

export interface Constant {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: TensorData;
}

/** A plain number becomes an int attribute; `{ float }` makes a float one. */
export type Attribute = number | readonly number[] | { readonly float: number };

export interface Node {
  readonly operator: string;
  /** The empty string means an omitted optional input. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly domain?: string;
  readonly attributes?: Readonly<Record<string, Attribute>>;
}

export interface Value {
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

export interface Versions {
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
