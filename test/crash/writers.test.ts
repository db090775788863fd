/** Several processes write and read one project at the same time: no error, no loss, nothing twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runWriters } from "./writers-run.ts";

test("three writers and two readers share a project", async () => {
  const { memories, distinct, expected, stored, duplicate, reads } = await runWriters(3, 25);
  assert.deepEqual([memories, distinct, stored], [expected, expected, expected]);
  assert.equal(duplicate, 2 * 20, "all but the first were told that it is known");
  assert.ok(reads.every((count) => count > 0));
});
