/**
 * Vectors with one byte per dimension, and arithmetic on them.
 *
 * Symmetric: the largest component becomes ±127 and zero stays zero, so a dot product
 * needs one factor per vector and no offset. A vector with a component that is not finite
 * gets a scale that is not finite, so the store can refuse it.
 */
export interface Quantised {
  readonly values: Int8Array;
  /** A value times this is the component. 0 for the zero vector; fits a float32 exactly. */
  readonly scale: number;
}

const LARGEST = 127;

export function quantise(vector: Float32Array): Quantised {
  const scale = Math.fround(largestMagnitude(vector) / LARGEST);
  const values = new Int8Array(vector.length);
  if (scale === 0 || !Number.isFinite(scale)) return { values, scale };
  for (let index = 0; index < vector.length; index++) {
    const component = vector[index] as number;
    // Math.round sends -0.5 to 0, which would tilt every vector towards the positive side.
    const magnitude = Math.min(LARGEST, Math.round(Math.abs(component) / scale));
    values[index] = component < 0 ? -magnitude : magnitude;
  }
  return { values, scale };
}

export function dequantise({ values, scale }: Quantised): Float32Array {
  const vector = new Float32Array(values.length);
  for (let index = 0; index < values.length; index++) vector[index] = (values[index] as number) * scale;
  return vector;
}

/** The largest absolute component; NaN if any component is NaN. */
export function largestMagnitude(vector: Float32Array): number {
  let largest = 0;
  for (const component of vector) largest = Math.max(largest, Math.abs(component));
  return largest;
}

export function dot(left: Float32Array, right: Float32Array): number {
  checkLengths(left, right);
  let sum = 0;
  for (let index = 0; index < left.length; index++) sum += (left[index] as number) * (right[index] as number);
  return sum;
}

/** The same without dequantising, which would copy and round. */
export function dotQuantised(vector: Float32Array, { values, scale }: Quantised): number {
  checkLengths(vector, values);
  // Four independent sums: with one, each addition would wait for the previous one.
  let [first, second, third, fourth] = [0, 0, 0, 0];
  const { length } = vector;
  const whole = length - (length % 4);
  for (let index = 0; index < whole; index += 4) {
    first += vector[index]! * values[index]!;
    second += vector[index + 1]! * values[index + 1]!;
    third += vector[index + 2]! * values[index + 2]!;
    fourth += vector[index + 3]! * values[index + 3]!;
  }
  for (let index = whole; index < length; index++) first += vector[index]! * values[index]!;
  return (first + second + third + fourth) * scale;
}

/** 0 if either vector is zero, because that has no direction. */
export function cosine(left: Float32Array, right: Float32Array): number {
  const lengths = Math.sqrt(dot(left, left)) * Math.sqrt(dot(right, right));
  return lengths === 0 ? 0 : dot(left, right) / lengths;
}

function checkLengths(left: { readonly length: number }, right: { readonly length: number }): void {
  if (left.length === right.length) return;
  throw new RangeError(`Vectors of ${left.length} and ${right.length} dimensions have no dot product.`);
}
