/** A file that another process holds: reading goes on, what can wait waits, what cannot says so. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createAfterwards } from "../../src/machine/background.ts";
import { startChild } from "../child.ts";
import { ask, itemIn, keep, temporaryFolder, type TestWorld, testWorld } from "../test-world.ts";

/** Longer than any test may take. */
const FOR_EVER_MS = 24 * 60 * 60 * 1_000;
const holdLock = new URL("../store/fixtures/hold-lock.ts", import.meta.url);

async function whileHeld(patienceMs: number, check: (world: TestWorld, id: string) => Promise<void>) {
  const folder = temporaryFolder();
  const opened = await testWorld({ folder, patienceMs });
  // What comes after the answer comes when it is waited for: by then the file is free.
  const world = { ...opened, afterwards: createAfterwards(opened.log, FOR_EVER_MS) };
  const { id } = await keep(world, "The walrus sleeps on the ice");
  await keep(world, "The keeper prefers dark mode", { type: "preference" });
  {
    await using one = startChild(holdLock, [join(folder, "project.db")]);
    await using other = startChild(holdLock, [join(folder, "global.db")]);
    await Promise.all([one.spoke(), other.spoke()]);
    await check(world, id);
  }
  return { world, id };
}

test("a question is answered at once by words, owns up to what is missing, and counts later", async () => {
  const { world, id } = await whileHeld(FOR_EVER_MS, async (held, walrus) => {
    // It comes although the other process never lets go.
    const answer = await ask(held, "where does the walrus sleep");
    assert.deepEqual(
      [answer.hits[0]?.id, answer.degraded],
      [walrus, "2 passages are not embedded yet: `stele backfill` embeds them"],
    );
  });
  await world.afterwards.settle();
  assert.equal((await itemIn(world, id))?.accessCount, 1, "noted when the file was free");
  const answer = await ask(world, "where does the walrus sleep");
  assert.deepEqual([answer.degraded, answer.hits[0]?.id], [null, id]);
});

test("a memory that cannot be written is refused, and nothing of it stays", async () => {
  const { world } = await whileHeld(100, async (held, walrus) => {
    await assert.rejects(keep(held, "A heron stands in the river"), { code: "unavailable" });
    await ask(held, "walrus");
    await held.afterwards.settle();
    assert.equal((await itemIn(held, walrus))?.accessCount, 0, "a reading that cannot be noted is no fault");
  });
  assert.deepEqual((await ask(world, "heron", { mode: "keyword" })).hits, []);
});
