import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createBestRows } from "../../../src/store/vectors/vector-scan.ts";
import { runs } from "../../lane.ts";

// Few distinct scores, so that ties are the rule.
const score = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(-Infinity));

test("keeping the best is sorting everything and cutting", () => {
  const input = fc.record({ batches: fc.array(fc.array(score, { maxLength: 40 })), limit: fc.nat({ max: 30 }) });
  fc.assert(
    fc.property(input, ({ batches, limit }) => {
      const best = createBestRows(limit);
      let offered = 0;
      for (const batch of batches) {
        best.offer(offered, Float32Array.from(batch));
        offered += batch.length;
      }
      const everything = batches.flat().map((score, row) => ({ row, score }));
      const expected = everything
        .filter(({ score }) => score > -Infinity)
        .sort((left, right) => right.score - left.score || left.row - right.row)
        .slice(0, limit);
      assert.deepEqual(best.take(), expected);
    }),
    { numRuns: runs(300) },
  );
});
