/** Erasing what has faded: by a time that the clock has confirmed, and in small parts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { maintain } from "../../src/maintenance/maintain.ts";
import { forget } from "../../src/memory/forget.ts";
import { update } from "../../src/memory/update.ts";
import { insertion, newItem } from "../store/suite/trial.ts";
import { type TestWorld, testWorld } from "../test-world.ts";
import { DAY_MS, infer, isChainSound, statusOf, upkeep } from "./upkeep.ts";

test("a clock that is far ahead for a day makes nothing final", async () => {
  const world = await testWorld();
  const { id } = await infer(world, "The walrus moved to the northern pool");
  await update(id, { priority: 6 }, world);
  await forget(id, 5, world);
  world.clock.time += 30 * DAY_MS;
  await upkeep(world);
  assert.equal(await statusOf(world, id), "pruned");
  const right = world.clock.time;
  for (const hours of [0, 1, 23]) {
    world.clock.time = right + 3_650 * DAY_MS + hours * 3_600_000;
    const { memories, accesses, journal } = await upkeep(world);
    assert.deepEqual([memories.erased, accesses.dropped, journal.dropped], [0, 0, 0]);
  }
  for (const [days, status] of [
    [2, "pruned"],
    [90, "pruned"],
    [91, undefined],
  ] as const) {
    world.clock.time = right + days * DAY_MS;
    await upkeep(world);
    assert.equal(await statusOf(world, id), status, `day ${days}`);
  }
});

test("a summary of many is erased in parts, predecessors first, and an interrupted erasure is completed", async () => {
  const world = await testWorld();
  const at = world.clock.time;
  const old = { source: "ai_inferred", host: "mcp", createdAt: at, updatedAt: at, accessedAt: at } as const;
  const heads = ["one", "two"].map((id) => newItem({ ...old, id, content: `Summary ${id}`, status: "pruned" }));
  const folded = Array.from({ length: 120 }, (_, number) =>
    newItem({ ...old, id: `old-${number}`, content: `Step ${number}`, status: "superseded", supersededBy: "one" }),
  );
  const insertions = [...heads, ...folded].map((item) => insertion("memory", item, { embed: false }));
  await world.project.apply(insertions, world.origin);
  for (const days of [91, 1]) {
    world.clock.time += days * DAY_MS;
    if (days > 1) await upkeep(world);
  }
  const sizes: number[] = [];
  const project: TestWorld["project"] = {
    ...world.project,
    async apply(changes, ...rest) {
      const removed = changes.filter(({ kind }) => kind === "remove_item").length;
      if (removed > 0) sizes.push(removed);
      return world.project.apply(changes, ...rest);
    },
  };
  const isStopped = () => sizes.length > 0;
  assert.equal((await maintain({ ...world, project }, { isStopped }))?.memories.erased, 0);
  assert.deepEqual([await statusOf(world, "one"), sizes], ["pruned", [50]]);
  assert.equal((await maintain({ ...world, project }))?.memories.erased, 2);
  assert.deepEqual(sizes, [50, 50, 22]);
  assert.equal((await world.project.report()).counts.length, 0);
  assert.ok(await isChainSound(world));
});
