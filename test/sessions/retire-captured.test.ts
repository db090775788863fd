/** What earlier versions captured by rules of their own and nobody used is archived, in one call that can be undone. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import link from "../../src/graph/verbs/link.ts";
import rollback from "../../src/journal/verbs/rollback.ts";
import maintain from "../../src/maintenance/verbs/maintain.ts";
import type { Item } from "../../src/memory/item.ts";
import { getItem } from "../../src/memory/list.ts";
import update from "../../src/memory/verbs/update.ts";
import importing from "../../src/transfer/verbs/import.ts";
import { insertion, newItem } from "../store/suite/trial.ts";
import { itemIn, keep, type TestWorld, testWorld } from "../test-world.ts";
import { CAUSE, sayingModel } from "./saying-model.ts";
import { itemsOn, laterWorld, taken } from "./session-steps.ts";
import { FIXED_LOGIN } from "./transcript.ts";

async function captured(world: TestWorld, set: Partial<Item> = {}, scope: "project" | "global" = "project") {
  const now = world.clock.now();
  const times = { createdAt: now, updatedAt: now, accessedAt: now };
  const item = newItem({
    source: "extraction",
    scope,
    host: "claude-code",
    session: "earlier",
    details: { evidence: ["turn"] },
    ...times,
    ...set,
  });
  await world[scope].apply([insertion("memory", item)], { ...world.origin, call: `capture ${item.id}` });
  return item.id;
}
const statusOf = async (world: TestWorld, id: string) =>
  ((await itemIn(world, id)) ?? (await itemIn(world, id, { scope: "global" })))?.status;

test("only what nobody opened, changed, pinned or linked is archived, and one call takes it back", async () => {
  const world = await testWorld();
  const unused = [await captured(world), await captured(world, { type: "preference" }, "global")];
  const opened = await captured(world);
  await getItem({ id: opened }, world);
  await world.afterwards.settle();
  const edited = await captured(world);
  await dispatch(update, { id: edited, priority: 9 }, world);
  const [linked, target] = [await captured(world), await keep(world, "A person wrote that")];
  await dispatch(link, { source: linked, target: target.id }, world);
  const pinned = await captured(world, { pinned: true });
  const { id: written } = await keep(world, "A person wrote this");
  const { answer } = await dispatch(maintain, {}, world);
  assert.equal(answer.retired, 2);
  for (const id of unused) assert.equal(await statusOf(world, id), "archived");
  for (const id of [opened, edited, linked, pinned, written]) assert.equal(await statusOf(world, id), "active");
  assert.equal((await dispatch(maintain, {}, world)).answer.retired, 0);
  await dispatch(rollback, { call: answer.call! }, world);
  for (const id of unused) assert.equal(await statusOf(world, id), "active", "taken back");
});

test("what is taken back stays, whatever is maintained later", async () => {
  const world = await testWorld();
  const id = await captured(world);
  const { call } = (await dispatch(maintain, {}, world)).answer;
  await dispatch(rollback, { call: call! }, world);
  assert.equal((await dispatch(maintain, {}, world)).answer.retired, 0);
  assert.equal(await statusOf(world, id), "active");
});

test("what was imported from another tool, or remembered as extracted, is not archived so", async () => {
  const world = await testWorld();
  const path = join(world.folder, "mem0.json");
  writeFileSync(path, JSON.stringify({ results: [{ id: "m1", memory: "The berths are counted at noon" }] }));
  await dispatch(importing, { from: "mem0", path }, world);
  await keep(world, "The quays are counted at midnight", { source: "extraction" });
  const sources = (await itemsOn(world, "memory")).map(({ source }) => source);
  assert.deepEqual(sources, ["extraction", "extraction"]);
  assert.equal((await dispatch(maintain, {}, world)).answer.retired, 0);
  assert.deepEqual((await itemsOn(world, "memory")).map(({ status }) => status), ["active", "active"]); // prettier-ignore
});

test("what is captured today is not archived so", async () => {
  const world = await laterWorld({ llm: sayingModel(CAUSE) });
  const { memories } = await taken(world, FIXED_LOGIN);
  assert.equal(memories.length, 1);
  assert.equal((await dispatch(maintain, {}, world)).answer.retired, 0);
  assert.deepEqual((await itemsOn(world, "memory")).map(({ status }) => status), ["active"]); // prettier-ignore
});
