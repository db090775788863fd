import assert from "node:assert/strict";
import { test } from "node:test";
import { createHashEmbedder } from "../../src/embed/embedders.ts";
import { Failure } from "../../src/errors.ts";
import { type IdlePauses, startIdleWork } from "../../src/maintenance/idle.ts";
import type { Embedder } from "../../src/ports.ts";
import { runChild } from "../child.ts";
import { keep, testWorld } from "../test-world.ts";
import { until } from "../until.ts";

const PAUSES: IdlePauses = { lookAgainMs: 1, longestMs: 4, upkeepMs: 4, expiryMs: 2 };

/** Fails as often as it is told, then embeds. */
function failing(faults: number, stateAfterwards: Embedder["state"] = () => "ready"): Embedder & { asked: number } {
  const inner = createHashEmbedder();
  const embedder = {
    ...inner,
    asked: 0,
    state: () => (embedder.asked === 0 ? "ready" : stateAfterwards()),
    async embed(texts: readonly string[]) {
      embedder.asked += 1;
      if (embedder.asked <= faults) throw new Failure("unavailable", "The worker died.", "Ask again.");
      return inner.embed(texts);
    },
  };
  return embedder;
}

test("faults are waited out, told once, and the work is done in the end", async () => {
  const world = await testWorld({ embedder: failing(6) });
  await keep(world, "Tests run with pnpm");
  const idle = startIdleWork(world, PAUSES);
  await until(async () => {
    // A lease that a failed attempt left behind runs out as the clock goes on.
    world.clock.time += 120_000;
    return (await world.project.waitingCount(world.embedder.identity)) === 0;
  });
  idle.stop();
  assert.equal(world.warnings.filter((warning) => warning.includes("The worker died.")).length, 1);
});

test("an embedder that can never embed ends it", async () => {
  const embedder = failing(Infinity, () => "absent");
  const world = await testWorld({ embedder });
  await keep(world, "Tests run with pnpm");
  startIdleWork(world, PAUSES);
  await until(() => embedder.asked > 0 && world.warnings.length > 0);
  for (let turn = 0; turn < 20; turn += 1) {
    world.clock.time += 120_000;
    await new Promise((resolve) => setTimeout(resolve, PAUSES.longestMs));
  }
  assert.equal(embedder.asked, 1);
});

test("it keeps no process alive", async () => {
  const url = new URL("../../src/maintenance/idle.ts", import.meta.url).href;
  const script = `
    const { startIdleWork } = await import(${JSON.stringify(url)});
    startIdleWork({ embedder: { state: () => "ready" } });
    process.stdout.write("started");`;
  assert.equal((await runChild(null, ["--eval", script])).output, "started");
});
