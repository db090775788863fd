/** Several processes write and read one project at the same time: no error, no loss, nothing twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLane } from "../lane.ts";
import { COMMON, runWriters } from "./writers-run.ts";

const [writers, own] = inLane({ fast: [3, 20], long: [6, 150], soak: [8, 1_000] });

test("several writers and two readers share a project", async () => {
  const { memories, distinct, expected, stored, duplicate, reads } = await runWriters(writers!, own!);
  assert.deepEqual([memories, distinct, stored], [expected, expected, expected]);
  assert.equal(duplicate, (writers! - 1) * COMMON, "all but the first were told that it is known");
  assert.ok(reads.every((count) => count > 0));
});
