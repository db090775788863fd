/** What stays although it has faded: what a person brought back, or wrote first. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import rollback from "../../src/journal/verbs/rollback.ts";
import { authorOf, isByHand } from "../../src/memory/authorship.ts";
import { update } from "../../src/memory/update.ts";
import { unlikeText } from "../graph/unlike-text.ts";
import { itemIn, keep, type TestWorld, testWorld } from "../test-world.ts";
import { DAY_MS, infer, stagesOf, statusOf, upkeep } from "./upkeep.ts";

test("what a person brings back stays; what an agent brings back starts afresh", async () => {
  const world = await testWorld();
  const server: TestWorld = { ...world, origin: { ...world.origin, host: "mcp" } };
  const doubtful = { type: "progress", confidence: 0.1 } as const;
  const { id: persons } = await infer(world, unlikeText(0), doubtful);
  const { id: agents } = await infer(world, unlikeText(1), doubtful);
  world.clock.time += 14 * DAY_MS;
  assert.deepEqual(await stagesOf(world), [2, 0, 0]);
  await update(persons, { status: "active" }, world);
  await update(agents, { status: "active" }, server);
  world.clock.time += 13 * DAY_MS;
  assert.deepEqual(await stagesOf(world), [0, 0, 0]);
  world.clock.time += 3_650 * DAY_MS;
  assert.deepEqual(await stagesOf(world), [1, 0, 0]);
  assert.deepEqual([await statusOf(world, persons), await statusOf(world, agents)], ["active", "archived"]);
});

test("an archiving that a person rolled back is not repeated; one that an agent rolled back is", async () => {
  for (const [host, counts] of [
    ["cli", [0, 0, 0]],
    ["mcp", [2, 0, 0]],
  ] as const) {
    const world = await testWorld();
    const { id } = await infer(world, unlikeText(0), { type: "progress" });
    await infer(world, unlikeText(1), { scope: "global", type: "progress" });
    const before = await itemIn(world, id);
    world.clock.time += 100 * DAY_MS;
    const { call, memories } = await upkeep(world);
    assert.equal(memories.archived, 2);
    await dispatch(rollback, { call: call! }, { ...world, origin: { ...world.origin, host } });
    assert.deepEqual(await itemIn(world, id), before, "exactly as it was");
    world.clock.time += DAY_MS;
    assert.deepEqual(await stagesOf(world), counts);
    if (host === "mcp") continue;
    await update(id, { tags: ["pool"] }, world);
    world.clock.time += 26 * DAY_MS;
    assert.deepEqual(await stagesOf(world), [0, 0, 0]);
    world.clock.time += DAY_MS;
    assert.deepEqual(await stagesOf(world), [1, 0, 0], "until it is changed");
  }
});

test("a pruning that a person rolled back is not repeated, and nothing is erased", async () => {
  const world = await testWorld();
  const { id } = await infer(world, unlikeText(0), { type: "progress" });
  world.clock.time += 100 * DAY_MS;
  assert.deepEqual(await stagesOf(world), [1, 0, 0]);
  world.clock.time += 31 * DAY_MS;
  const { call, memories } = await upkeep(world);
  assert.equal(memories.pruned, 1);
  await dispatch(rollback, { call: call! }, world);
  for (const days of [1, 100, 100]) {
    world.clock.time += days * DAY_MS;
    assert.deepEqual([await stagesOf(world), await statusOf(world, id)], [[0, 0, 0], "archived"]);
  }
});

test("a person's text that an agent rewords is the agent's, and stays because it was theirs", async () => {
  const world = await testWorld();
  const agent: TestWorld = { ...world, origin: { ...world.origin, byAgent: true } };
  const server: TestWorld = { ...world, origin: { ...world.origin, host: "mcp" } };
  for (const by of [agent, server]) {
    const text = `Deploys need the corporate VPN of ${by.origin.host}`;
    const { id } = await keep(world, text, { type: "progress" });
    await update(id, { tags: ["vpn"] }, by);
    assert.ok(isByHand(authorOf((await itemIn(world, id))!)), "tags are no text");
    assert.equal((await update(id, { content: `${text}.` }, by)).status, "revised");
    const reworded = (await itemIn(world, id))!;
    assert.deepEqual([isByHand(authorOf(reworded)), reworded.source], [false, "ai_inferred"]);
    await update(id, { content: `${text}!` }, by);
    world.clock.time += 3_650 * DAY_MS;
    assert.deepEqual(await stagesOf(world), [0, 0, 0]);
    await update(id, { content: text }, world);
    assert.ok(isByHand(authorOf((await itemIn(world, id))!)), "a person may take it back");
    const { id: next } = await update(id, { content: `${text};` }, by);
    const { id: last } = await update(next, { content: `Nobody deploys on ${by.origin.host} Fridays` }, by);
    world.clock.time += 3_650 * DAY_MS;
    assert.deepEqual([await stagesOf(world), await statusOf(world, last)], [[0, 0, 0], "active"]);
  }
});
