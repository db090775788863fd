/** What was written without vectors is compared once it has them, as a search gives them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { ask, keep, testWorld } from "../test-world.ts";
import { operations } from "../whole-catalog.ts";

test("two that share too few words are neighbours after the first search", async () => {
  const world = await testWorld();
  const [older, newer] = [
    "Deploys happen on Tuesday evening",
    "Every evening deploys happen, at eight precisely, on all days",
  ];
  const set = { scope: "project", compare: false, type: "fact" } as const;
  const { id: first } = await keep(world, older, set);
  world.clock.time += 86_400_000;
  const { id: second } = await keep(world, newer, set);
  assert.deepEqual(await world.project.nearPairs([first]), []);
  await ask(world, "walrus");
  const [pair] = await world.project.nearPairs([first]);
  assert.deepEqual([pair?.newer, pair?.older], [second, first]);
  await dispatch(operations.settle, { one: first, other: second, as: "unrelated" }, world);
  const { hits } = await ask(world, "when do deploys happen");
  assert.deepEqual(hits.map(({ beside }) => beside), [undefined, undefined]); // prettier-ignore
});
