import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cosine, dequantise, dot, dotQuantised, quantise } from "../../src/embed/quantise.ts";

const vector = fc.float32Array({ min: -10, max: 10, noNaN: true, minLength: 1, maxLength: 64 });

const cases: [number[], number[], string][] = [
  [[1, -1, 0], [127, -127, 0], "the largest component takes the whole range, zero stays zero"],
  [[127, 0.5, -0.5], [127, 1, -1], "halves round away from zero on both sides"],
  [[127, 0.49, -0.49], [127, 0, 0], "less than a half disappears"],
  [[127, 2.5, -2.5], [127, 3, -3], "halves do not round to even"],
  [[0, 0], [0, 0], "the zero vector has no direction"],
  [[], [], "no dimensions, no values"],
];
for (const [components, values, why] of cases)
  test(`${JSON.stringify(components)} → ${JSON.stringify(values)}: ${why}`, () => {
    assert.deepEqual([...quantise(Float32Array.from(components)).values], values);
  });

test("only a vector without direction gets scale 0", () => {
  assert.equal(quantise(new Float32Array(3)).scale, 0);
  assert.equal(quantise(Float32Array.of(0, 254)).scale, 2);
});

for (const component of [NaN, Infinity, -Infinity])
  test(`a component ${component} shows in the scale`, () => {
    assert.ok(!Number.isFinite(quantise(Float32Array.of(1, component)).scale));
  });

test("a component comes back within half a step", () => {
  fc.assert(
    fc.property(vector, (original) => {
      const quantised = quantise(original);
      // The last term is for vectors so small that their scale is no float32.
      for (const [index, component] of dequantise(quantised).entries())
        assert.ok(Math.abs(component - (original[index] ?? NaN)) <= quantised.scale * 0.5001 + 1e-36);
    }),
  );
});

test("any finite vector stays in range, mirrors its negation, and its scale survives a float32", () => {
  fc.assert(
    fc.property(fc.float32Array({ noNaN: true, noDefaultInfinity: true, maxLength: 32 }), (original) => {
      const { values, scale } = quantise(original);
      assert.ok(values.every((value) => value >= -127));
      assert.equal(scale, Math.fround(scale));
      const mirrored = quantise(original.map((component) => -component));
      assert.deepEqual(
        [...mirrored.values],
        Array.from(values, (value) => 0 - value),
      );
    }),
  );
});

test("a quantised dot product is the one over the dequantised vector", () => {
  fc.assert(
    fc.property(vector, (original) => {
      const quantised = quantise(original);
      const expected = dot(original, dequantise(quantised));
      assert.ok(Math.abs(dotQuantised(original, quantised) - expected) <= 1e-6 * (1 + dot(original, original)));
    }),
  );
});

const angles: [number[], number[], number, string][] = [
  [[1, 0], [5, 0], 1, "length does not matter"],
  [[1, 0], [0, 1], 0, "a right angle"],
  [[1, 2], [-1, -2], -1, "opposite"],
  [[0, 0], [1, 2], 0, "the zero vector points nowhere"],
];
for (const [left, right, expected, why] of angles)
  test(`cosine of ${JSON.stringify(left)} and ${JSON.stringify(right)} is ${expected}: ${why}`, () => {
    const actual = cosine(Float32Array.from(left), Float32Array.from(right));
    assert.ok(Math.abs(actual - expected) < 1e-12);
  });

test("vectors of different lengths have no dot product", () => {
  assert.throws(() => dot(new Float32Array(2), new Float32Array(3)), RangeError);
  assert.throws(() => dotQuantised(new Float32Array(2), quantise(new Float32Array(3))), RangeError);
});
