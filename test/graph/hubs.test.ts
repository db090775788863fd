/**
 * Hubs: what many others lead to stays, also in the words of a successor. What is closed makes nothing a hub, nor do
 * repetitions.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { linkMemories } from "../../src/graph/link-memories.ts";
import { link } from "../../src/graph/link.ts";
import { maintain } from "../../src/maintenance/maintain.ts";
import { forget } from "../../src/memory/forget.ts";
import { update } from "../../src/memory/update.ts";
import { DAY_MS } from "../../src/time/calendar.ts";
import { itemIn, keep, type TestWorld, testWorld } from "../test-world.ts";
import { unlikeText } from "./unlike-text.ts";

const infer = async (world: TestWorld, content: string, set: Parameters<typeof keep>[2] = {}) =>
  (await keep(world, content, { source: "ai_inferred", type: "context", ...set })).id;

/** Leads three memories of a person to this one. */
async function makeHub(world: TestWorld, target: string): Promise<string[]> {
  const sources: string[] = [];
  for (const number of [1, 2, 3]) {
    const { id: source } = await keep(world, unlikeText(number));
    await link({ source, target }, { relation: "refines" }, world);
    sources.push(source);
  }
  return sources;
}

async function statusAfter(world: TestWorld, days: number, id: string): Promise<string | undefined> {
  world.clock.time += days * DAY_MS;
  await maintain(world);
  return (await itemIn(world, id))?.status;
}

test("the successor of a hub is a hub, and so is what replaces that", async () => {
  const world = await testWorld();
  const first = await infer(world, "Deploys need the VPN");
  await makeHub(world, first);
  const second = await infer(world, "Deploys need the office network", { supersedes: first });
  const third = await infer(world, "Deploys need a hardware key", { supersedes: second });
  const lone = await infer(world, "The walrus moved");
  assert.equal(await statusAfter(world, 400, third), "active");
  assert.equal((await itemIn(world, lone))?.status, "archived");
});

test("what became a hub in the archive is neither pruned nor erased", async () => {
  const world = await testWorld();
  const [hub, lone] = [await infer(world, "Deploys need the VPN"), await infer(world, "The walrus moved")];
  for (const id of [hub, lone]) await update(id, { status: "archived" }, world);
  await makeHub(world, hub);
  assert.equal(await statusAfter(world, 31, hub), "archived");
  assert.equal((await itemIn(world, lone))?.status, "pruned");
  assert.equal(await statusAfter(world, 91, hub), "archived");
  // Erasing waits until a second run has confirmed the time.
  assert.equal(await statusAfter(world, 1, hub), "archived");
  assert.equal(await itemIn(world, lone), undefined);
});

test("repetitions that nobody related fade like any other memory", async () => {
  const world = await testWorld();
  const lone = await infer(world, "The walrus moved");
  const cluster: string[] = [];
  for (let number = 0; number < 12; number += 1) {
    world.clock.time += 1_000;
    cluster.push(await infer(world, `Deploys of the harbour shop need the office VPN ${unlikeText(number)}`));
  }
  while ((await linkMemories(world.project, world)) > 0);
  const made = await world.project.edgesOf("memory", [cluster[0]!], { statuses: ["active"], limit: 100 });
  assert.ok(made.filter(({ target }) => target === cluster[0]).length >= 10, "many lead to the first");
  assert.deepEqual(
    (await world.project.outlines("memory", cluster)).map(({ rank }) => rank ?? 0),
    cluster.map(() => 0),
    "which raises none of them",
  );
  assert.equal(await statusAfter(world, 66, lone), "active");
  assert.equal(await statusAfter(world, 1, lone), "archived");
  const statuses = await Promise.all(cluster.map(async (id) => (await itemIn(world, id))?.status));
  assert.deepEqual(new Set(statuses), new Set(["archived"]), "and none outlives it");
});

test("a hub whose sources are forgotten is one no longer", async () => {
  const world = await testWorld();
  const hub = await infer(world, "Deploys need the VPN");
  const [source] = await makeHub(world, hub);
  assert.equal(await statusAfter(world, 400, hub), "active");
  await forget(source!, 5, world);
  assert.equal(await statusAfter(world, 1, hub), "archived");
});
