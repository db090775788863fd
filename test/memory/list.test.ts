/** Listing over both stores: one order, pages that meet, and what holds unless told otherwise. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "../../src/maintenance/inspect.ts";
import { forget } from "../../src/memory/forget.ts";
import { listItems } from "../../src/memory/list.ts";
import { keep, testWorld } from "../test-world.ts";

const shelves = ["memory"] as const;

test("both stores make one list, newest first, in pages without gap or overlap", async () => {
  const world = await testWorld();
  const ids: string[] = [];
  for (let number = 0; number < 9; number += 1) {
    world.clock.time += 1_000;
    ids.unshift((await keep(world, `Thing ${number}`, { scope: number % 3 === 0 ? "global" : "project" })).id);
  }
  const pages: string[] = [];
  for (let offset = 0; offset < 12; offset += 4) {
    const { items, total } = await listItems({ shelves, filter: {}, limit: 4, offset }, world);
    assert.equal(total, 9);
    pages.push(...items.map(({ id }) => id));
  }
  assert.deepEqual(pages, ids);
  const { total } = await listItems({ shelves, filter: { scopes: ["global"] }, limit: 1, offset: 0 }, world);
  assert.equal(total, 3);
  const upTo = async (countMost: number) =>
    (await listItems({ shelves, filter: {}, limit: 1, offset: 0, countMost }, world)).total;
  assert.deepEqual([await upTo(4), await upTo(8), await upTo(9), await upTo(20)], [4, 8, 9, 9]);
});

test("what was forgotten is listed only for who asks, and an inspection counts it", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Thing to forget");
  await keep(world, "Thing to keep");
  await forget(id, 5, world);
  const listed = async (filter: Parameters<typeof listItems>[0]["filter"]) =>
    (await listItems({ shelves, filter, limit: 9, offset: 0 }, world)).items.map((item) => item.content);
  assert.deepEqual(await listed({}), ["Thing to keep"]);
  assert.deepEqual(await listed({ statuses: ["archived"] }), ["Thing to forget"]);
  const { stores, waiting, readOnly } = await inspect(world);
  assert.deepEqual(stores.project.counts.map(({ status, count }) => `${status} ${count}`).toSorted(), [
    "active 1",
    "archived 1",
  ]);
  assert.deepEqual([waiting, readOnly], [2, false]);
});

test("several shelves make one list too, and each item says where it stands", async () => {
  const world = await testWorld();
  const { id: fact } = await keep(world, "Thing that is so");
  world.clock.time += 1_000;
  const { id: proposal } = await keep(world, "Thing to be decided", { type: "decision" });
  world.clock.time += 1_000;
  const { id: preference } = await keep(world, "Thing that is liked", { type: "preference" });
  const page = { shelves: ["memory", "decision", "proposal"] as const, filter: {}, limit: 9, offset: 0 };
  const { items, total } = await listItems(page, world);
  assert.deepEqual(
    items.map(({ id, shelf }) => [id, shelf]),
    [
      [preference, "memory"],
      [proposal, "proposal"],
      [fact, "memory"],
    ],
  );
  assert.equal(total, 3);
});
