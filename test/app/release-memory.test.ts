import assert from "node:assert/strict";
import { test } from "node:test";
import { runChild } from "../child.ts";

test("what finished work leaves is collected once the process is quiet, and flags stay as they were", async () => {
  const module = new URL("../../src/app/heap.ts", import.meta.url).href;
  const script = `
    import { runInNewContext } from "node:vm";
    const { startReleasing } = await import(${JSON.stringify(module)});
    const releasing = startReleasing(50);
    const alive = setInterval(() => undefined, 1e6);
    const collected = new FinalizationRegistry(() => {
      releasing.stop();
      clearInterval(alive);
      process.stdout.write("collected " + runInNewContext("typeof gc"));
    });
    (() => collected.register({ large: new Array(1e6).fill(0) }, 0))();
    let work = 0;
    for (const begun = process.cpuUsage(); process.cpuUsage(begun).user < 50_000; )
      for (let turn = 0; turn < 1e6; turn += 1) work += turn;`;
  const { output, errors } = await runChild(null, ["--input-type=module", "--eval", script]);
  assert.deepEqual({ output, errors }, { output: "collected undefined", errors: "" });
});
