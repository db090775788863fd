/** Logistic regression by Newton's method, with a little regularisation; few coefficients, so no library. */
export interface Sample {
  cosine: number;
  /** Squared already. */
  words: number;
  match: number;
  /** The cosine times the share that exact words cover. */
  overlap: number;
  isRight: boolean;
  weight: number;
  isHeldOut: boolean;
}

/** As in a row of the calibrations. */
export type Row = [bias: number, cosine: number, words: number, match: number, overlap: number];

const ROUNDS = 30;
const REGULARISATION = 0.01;

export type Signal = (typeof SIGNALS)[number];
const SIGNALS = ["cosine", "words", "match", "overlap"] as const;

/** Signals that are not used have the coefficient 0. None is negative but the overlap, which only takes back. */
export function fit(samples: readonly Sample[], uses: Record<Signal, boolean>): Row {
  const used = SIGNALS.filter((name) => uses[name]);
  const rows = samples.map((sample) => [1, ...used.map((name) => sample[name])]);
  let weights = used.map(() => 0);
  weights.unshift(0);
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = weights.map((weight, index) => (index === 0 ? 0 : -REGULARISATION * weight));
    const curvature = weights.map((_, one) =>
      weights.map((__, two) => (one === two && one > 0 ? REGULARISATION : 1e-9)),
    );
    for (const [index, row] of rows.entries()) {
      const { isRight, weight } = samples[index]!;
      const likely = sigmoid(dot(row, weights));
      for (const [one, value] of row.entries()) {
        gradient[one]! += weight * value * (Number(isRight) - likely);
        for (const [two, other] of row.entries())
          curvature[one]![two]! += weight * value * other * likely * (1 - likely);
      }
    }
    const step = solve(curvature, gradient);
    weights = weights.map((weight, index) => weight + step[index]!);
  }
  const wrong = used.find((name, index) => (name === "overlap" ? weights[index + 1]! > 0 : weights[index + 1]! < 0));
  if (wrong !== undefined) return fit(samples, { ...uses, [wrong]: false });
  const coefficients = SIGNALS.map((name) => (used.includes(name) ? weights[used.indexOf(name) + 1]! : 0));
  return [weights[0]!, ...coefficients].map((value) => Math.round(value * 10) / 10) as Row;
}

export function logLoss([bias, cosine, words, match, overlap]: Row, samples: readonly Sample[]): number {
  const losses = samples.map((sample) => {
    const likely = sigmoid(
      bias + cosine * sample.cosine + words * sample.words + match * sample.match + overlap * sample.overlap,
    );
    return -Math.log(sample.isRight ? likely : 1 - likely);
  });
  return losses.reduce((sum, loss) => sum + loss, 0) / Math.max(1, losses.length);
}

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));

const dot = (one: readonly number[], two: readonly number[]): number =>
  one.reduce((sum, value, index) => sum + value * two[index]!, 0);

/** Gaussian elimination with pivoting. */
function solve(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  const rows = matrix.map((row, index) => [...row, vector[index]!]);
  for (let column = 0; column < rows.length; column++) {
    const pivot = rows
      .slice(column)
      .reduce((best, row) => (Math.abs(row[column]!) > Math.abs(best[column]!) ? row : best));
    rows.splice(column, 0, ...rows.splice(rows.indexOf(pivot), 1));
    for (const [index, row] of rows.entries()) {
      if (index === column) continue;
      const factor = row[column]! / rows[column]![column]!;
      rows[index] = row.map((value, place) => value - factor * rows[column]![place]!);
    }
  }
  return rows.map((row, index) => row.at(-1)! / row[index]!);
}
