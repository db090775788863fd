/** No input makes any verb on any host misbehave: a few calls from a fixed seed, or many from a new one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLane } from "../lane.ts";
import { runFuzz, runInProcesses } from "./run.ts";

const calls = inLane({ fast: 80, long: 12_000, soak: 200_000 });
const seed = inLane({ fast: () => 3, long: newSeed, soak: newSeed })();

function newSeed(): number {
  return Date.now() % 1_000_000;
}

test("good, bad and hostile input gets an answer or a failure that says what to do, and writes nothing when it fails", async () => {
  const run = inLane({ fast: runFuzz, long: runInProcesses, soak: runInProcesses });
  const { tally, unexpected } = await run(calls, seed);
  assert.equal(unexpected.join("\n\n"), "", `node test/fuzz/run.ts ${calls} ${seed} does it again`);
  assert.ok(tally.of("ok") > calls / 3 && tally.of("invalid_input") > calls / 6, tally.table());
});
