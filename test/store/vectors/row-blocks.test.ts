import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createRowBlocks, type RowBlocks } from "../../../src/store/vectors/row-blocks.ts";
import { runs } from "../../lane.ts";

function scores(blocks: RowBlocks, query: Int16Array, allowed?: Uint8Array): number[] {
  const all: number[] = [];
  blocks.scan(query, allowed, (firstRow, part) => {
    assert.equal(firstRow, all.length);
    all.push(...part);
  });
  return all;
}

function expectedScore(query: Int16Array, values: Int8Array, scale: number): number {
  if (scale === 0) return -Infinity;
  const sum = query.reduce((total, component, index) => total + component * (values[index] ?? NaN), 0);
  return Math.fround(Math.fround(sum) * scale);
}

function isAllowed(allowed: Uint8Array, row: number): boolean {
  return (((allowed[row >> 3] ?? 0) >> (row & 7)) & 1) === 1;
}

for (const dimensions of [1, 15, 16, 17, 384, 768, 4096]) {
  const bound = createRowBlocks(dimensions).queryBound;
  const input = fc
    .record({ count: fc.integer({ min: 1, max: 20 }), seed: fc.integer(), extreme: fc.boolean() })
    .map(({ count, seed, extreme }) => {
      const random = fc.sample(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { seed, numRuns: 97 });
      const pick = (index: number, choices: number): number => (random[index % 97] ?? 0) % choices;
      const values = Int8Array.from({ length: count * dimensions }, (_, index) =>
        extreme ? -128 : pick(index, 256) - 128,
      );
      const query = Int16Array.from({ length: dimensions }, (_, index) =>
        extreme ? -bound : pick(index * 31 + 7, 2 * bound + 1) - bound,
      );
      const scales = Float32Array.from({ length: count }, (_, row) => pick(row + 3, 5) / 500);
      const allowed = Uint8Array.from({ length: Math.ceil(count / 8) }, (_, index) => pick(index + 11, 256));
      return { values, query, scales, allowed };
    });

  test(`${dimensions} dimensions: the kernel's sums are exact, up to the largest`, () => {
    fc.assert(
      fc.property(input, ({ values, query, scales, allowed }) => {
        const blocks = createRowBlocks(dimensions);
        blocks.write(0, values, scales);
        const expected = Array.from(scales, (scale, row) =>
          expectedScore(query, values.subarray(row * dimensions, (row + 1) * dimensions), scale),
        );
        assert.deepEqual(scores(blocks, query), expected);
        assert.deepEqual(
          scores(blocks, query, allowed),
          expected.map((score, row) => (isAllowed(allowed, row) ? score : -Infinity)),
        );
      }),
      { numRuns: runs(20) },
    );
  });
}
