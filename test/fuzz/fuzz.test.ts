/** No input makes any verb on any host misbehave: a few calls from a fixed seed, or many from a new one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLane, seed } from "../lane.ts";
import { runFuzz, runInProcesses } from "./run.ts";

const calls = inLane({ fast: 80, long: 3_000, soak: 200_000 });

test("an encrypted memory answers every verb on every host like any other", async () => {
  const some = inLane({ fast: 30, long: 600, soak: 20_000 });
  const { tally, unexpected } = await runFuzz(some, seed, { encrypted: true });
  assert.equal(unexpected.join("\n\n"), "", `seed ${seed}`);
  assert.ok(tally.of("ok") > some / 4, tally.table());
});

test("good, bad and hostile input gets an answer or a failure that says what to do, and writes nothing when it fails", async () => {
  const run = inLane({ fast: runFuzz, long: runInProcesses, soak: runInProcesses });
  const { tally, unexpected } = await run(calls, seed);
  assert.equal(unexpected.join("\n\n"), "", `node test/fuzz/run.ts ${calls} ${seed} does it again`);
  assert.ok(tally.of("ok") > calls / 4 && tally.of("invalid_input") > calls / 6, tally.table());
});
