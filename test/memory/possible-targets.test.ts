import assert from "node:assert/strict";
import { test } from "node:test";
import { targetsToChoose } from "../../src/memory/find-item.ts";
import { targetsToForget } from "../../src/memory/forget.ts";
import { handleOf } from "../../src/memory/handles.ts";
import { knownWords } from "../../src/recall/known-words.ts";
import { insertion, newItem } from "../store/suite/trial.ts";
import { keep, testWorld } from "../test-world.ts";

test("words are offered what they may mean; a handle, a whole id and a mistyped one are not", async () => {
  const world = await testWorld();
  const { id: one } = await keep(world, "The ferret bites");
  const { id: two } = await keep(world, "The ferret sleeps");
  const { id: decision } = await keep(world, "Use a ferret", { type: "decision" });
  const offered = async (...[typed, what]: [string, "item" | "memory"]) =>
    (await targetsToChoose(typed, what, world)).map(({ id }) => id).toSorted();
  assert.deepEqual(await offered("ferret", "item"), [one, two, decision].toSorted());
  assert.deepEqual(await offered("ferret", "memory"), [one, two].toSorted(), "only what the verb can act on");
  for (const typed of [one, handleOf(one), "54a6z66d", "zebra crossing"])
    assert.deepEqual(await offered(typed, "item"), []);
  assert.deepEqual((await targetsToForget("ferret", false, world)).length, 3);
  assert.deepEqual(await targetsToForget(handleOf(two), true, world), []);
});

test("a prefix of several ids is offered all of them", async () => {
  const world = await testWorld();
  const ids = ["a1", "b2"].map((end) => `0199aaaa-0000-7000-8000-0000c0ffee${end}`);
  const items = ids.map((id) => newItem({ id, summary: `Item ${id.slice(-2)}` }));
  for (const item of items) await world.project.apply([insertion("memory", item)], world.origin);
  const found = await targetsToChoose("c0ff", "item", world);
  assert.deepEqual(found.map(({ id }) => id).toSorted(), ids);
});

test("handles, tags and subjects are completed from what is stored", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The ferret bites", { tags: ["Animals", "pets"] });
  await keep(world, "Use tokens", { type: "decision", title: "auth" });
  const words = async (...[kind, beginning]: [Parameters<typeof knownWords>[0], string]) =>
    (await knownWords(kind, beginning, world)).map(({ word }) => word);
  assert.deepEqual(await words("memory", ""), [handleOf(id)]);
  assert.deepEqual(await words("memory", "zz"), []);
  assert.deepEqual(await words("tag", "an"), ["Animals"], "in any case of letters");
  assert.deepEqual(await words("subject", ""), ["auth"]);
  assert.equal((await knownWords("memory", "", world))[0]!.about, "The ferret bites");
});
