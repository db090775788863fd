/** A slice of the long run, from a fixed seed: no input makes any verb on any host misbehave. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runFuzz } from "./run.ts";

test("good, bad and hostile input gets an answer or a failure that says what to do, and writes nothing when it fails", async () => {
  const { tally, unexpected } = await runFuzz(80, 3);
  assert.equal(unexpected.join("\n\n"), "");
  assert.ok(tally.of("ok") > 30 && tally.of("invalid_input") > 15, tally.table());
});
