/**
 * MiniLM in plain float arithmetic, straight from the weights: what the graph is checked against.
 *
 * Written from the paper's formulas and shares nothing with the graph but the file reader.
 */
import { type Tensors, toFloats } from "../../../src/embed/minilm/weights.ts";

type Rows = Float64Array[];

const WIDTH = 384;
const HEADS = 12;
const HEAD_WIDTH = WIDTH / HEADS;

export function embedByReference(ids: readonly number[], tensors: Tensors): Float64Array {
  const read = (name: string): Float32Array => toFloats(tensors(name));
  const words = read("embeddings.word_embeddings.weight");
  const positions = read("embeddings.position_embeddings.weight");
  const segments = read("embeddings.token_type_embeddings.weight");
  const summed = ids.map((id, position) =>
    Float64Array.from(
      { length: WIDTH },
      (_, i) => words[id * WIDTH + i]! + positions[position * WIDTH + i]! + segments[i]!,
    ),
  );
  let hidden = normalize(summed, "embeddings.LayerNorm", read);
  for (let layer = 0; layer < 6; layer++) hidden = encode(hidden, `encoder.layer.${layer}`, read);
  const mean = new Float64Array(WIDTH).map((_, i) => hidden.reduce((sum, row) => sum + row[i]!, 0) / hidden.length);
  const length = Math.sqrt(mean.reduce((sum, value) => sum + value * value, 0));
  return mean.map((value) => value / length);
}

type Read = (name: string) => Float32Array;

function encode(input: Rows, layer: string, read: Read): Rows {
  const [query, key, value] = ["query", "key", "value"].map((part) =>
    dense(input, `${layer}.attention.self.${part}`, read),
  ) as [Rows, Rows, Rows];
  const attended = input.map(() => new Float64Array(WIDTH));
  for (let head = 0; head < HEADS; head++) attend(head * HEAD_WIDTH, { query, key, value }, attended);
  const projected = dense(attended, `${layer}.attention.output.dense`, read);
  const middle = normalize(add(projected, input), `${layer}.attention.output.LayerNorm`, read);
  const widened = dense(middle, `${layer}.intermediate.dense`, read).map((row) => row.map(gelu));
  const narrowed = dense(widened, `${layer}.output.dense`, read);
  return normalize(add(narrowed, middle), `${layer}.output.LayerNorm`, read);
}

function attend(from: number, { query, key, value }: Record<"query" | "key" | "value", Rows>, output: Rows): void {
  for (const [position, asked] of query.entries()) {
    const scores = key.map((row) => {
      let dot = 0;
      for (let i = from; i < from + HEAD_WIDTH; i++) dot += asked[i]! * row[i]!;
      return Math.exp(dot / Math.sqrt(HEAD_WIDTH));
    });
    const total = scores.reduce((sum, score) => sum + score, 0);
    for (let i = from; i < from + HEAD_WIDTH; i++) {
      output[position]![i] = value.reduce((sum, row, other) => sum + (scores[other]! / total) * row[i]!, 0);
    }
  }
}

function dense(input: Rows, name: string, read: Read): Rows {
  const weight = read(`${name}.weight`);
  const bias = read(`${name}.bias`);
  return input.map((row) =>
    Float64Array.from(bias, (start, output) => {
      let sum = start;
      for (let i = 0; i < row.length; i++) sum += row[i]! * weight[output * row.length + i]!;
      return sum;
    }),
  );
}

function add(left: Rows, right: Rows): Rows {
  return left.map((row, position) => row.map((value, i) => value + right[position]![i]!));
}

function normalize(rows: Rows, name: string, read: Read): Rows {
  const weight = read(`${name}.weight`);
  const bias = read(`${name}.bias`);
  return rows.map((row) => {
    const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
    const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length;
    return row.map((value, i) => ((value - mean) / Math.sqrt(variance + 1e-12)) * weight[i]! + bias[i]!);
  });
}

function gelu(x: number): number {
  return (x / 2) * (1 + erf(x / Math.SQRT2));
}

/** Abramowitz and Stegun 7.1.26, exact to 1.5e-7. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const series = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return Math.sign(x) * (1 - series * Math.exp(-x * x));
}
