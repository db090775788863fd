/** Recall and edges: neighbours of hits, code that is described, hubs, and neighbours of answers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Relation } from "../../src/graph/edges.ts";
import { link } from "../../src/graph/link.ts";
import { describeCode } from "../../src/memory/describe-code.ts";
import { linkedWithStrong } from "../../src/recall/judge.ts";
import { renderHits, tellAll } from "../../src/recall/show-hits.ts";
import { UTC } from "../../src/time/calendar.ts";
import type { World } from "../../src/world.ts";
import { ask, keep, testWorld } from "../test-world.ts";

const tie = (world: World, source: string, target: string, set: { relation?: Relation; strength?: number } = {}) =>
  link({ source, target }, { relation: "relates_to", ...set }, world);

/** As many memories as are named, each about its own thing. */
async function memories(world: World, ...names: string[]): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const name of names) ids[name] = (await keep(world, `${name} is a bird of its own kind`)).id;
  return ids;
}

test("a hit offers its neighbours, then theirs, five at most", async () => {
  const world = await testWorld();
  const names = ["heron", "egret", "stork", "crane", "ibis", "spoonbill", "bittern", "flamingo"];
  const ids = await memories(world, ...names);
  const id = (name: string) => ids[name]!;
  await tie(world, id("heron"), id("egret"), { strength: 0.4 });
  await tie(world, id("stork"), id("heron"), { strength: 0.9, relation: "refines" });
  await tie(world, id("egret"), id("crane"), { strength: 0.8 });
  await tie(world, id("stork"), id("ibis"), { strength: 0.3 });
  await tie(world, id("ibis"), id("spoonbill"));
  const [hit] = (await ask(world, "heron", { limit: 1 })).hits;
  assert.equal(hit?.id, id("heron"));
  assert.deepEqual(hit?.related, ["stork", "egret", "crane", "ibis"].map(id), "and nothing three steps away");
  await tie(world, id("heron"), id("bittern"), { strength: 0.35 });
  await tie(world, id("heron"), id("flamingo"), { strength: 0.3 });
  const [again] = (await ask(world, "heron", { limit: 1 })).hits;
  assert.deepEqual(again?.related, ["stork", "egret", "bittern", "flamingo", "crane"].map(id));
});

test("edges of all hits are read at once, level by level", async () => {
  const world = await testWorld();
  const ids = await memories(world, "heron", "egret", "stork");
  await tie(world, ids["heron"]!, ids["egret"]!);
  await tie(world, ids["egret"]!, ids["stork"]!);
  // The first search gives what was written its vectors, and compares it.
  await ask(world, "bird of its own kind");
  let reads = 0;
  const project: World["project"] = {
    ...world.project,
    edgesOf: (...call) => {
      reads += 1;
      return world.project.edgesOf(...call);
    },
  };
  const { hits } = await ask({ ...world, project }, "bird of its own kind");
  assert.equal(hits.length, 3);
  assert.ok(reads <= 5, `${reads} reads`);
});

test("a description of code is shown with its code", async () => {
  const world = await testWorld();
  const code = Array.from({ length: 30 }, (_, line) => `const value${line} = ${line};`).join("\n");
  const request = { path: "src/limits.ts", description: "Holds the limits of the rate limiter", code, tags: [] };
  const { id, codeId } = await describeCode(request, world);
  const { hits } = await ask(world, "limits of the rate limiter");
  const hit = hits.find((one) => one.id === id);
  assert.deepEqual([hit?.code?.id, hit?.code?.path, hit?.code?.content], [codeId, "src/limits.ts", code]);
  const lines = renderHits({ ...tellAll([hit!]), beside: [] }, null, "", UTC).split("\n");
  assert.ok(lines.includes(`  code ${hit!.code!.handle}:`) && lines.includes("    const value0 = 0;"));
  assert.ok(!lines.some((line) => line.includes("value20")), "and the rest is cut");
  await keep(world, "Nothing to do with it");
  const [other] = (await ask(world, "nothing to do with it", { limit: 1 })).hits;
  assert.equal(other?.code, undefined);
});

test("a hub is raised, and says so; fewer edges raise nothing", async () => {
  const world = await testWorld();
  const ids = await memories(world, "heron", "egret", "stork", "crane", "ibis", "bittern");
  const others = ["egret", "stork", "crane", "ibis"].map((name) => ids[name]!);
  const why = async () => (await ask(world, "heron")).hits.find(({ id }) => id === ids["heron"])!.why;
  for (const other of others.slice(0, 2)) await tie(world, other, ids["heron"]!);
  assert.ok(!("graph" in (await why())));
  for (const other of others.slice(2)) await tie(world, other, ids["heron"]!);
  assert.ok((await why())["graph"]! > 0);
});

test("what is linked with a clear answer counts a little, by the strength of the edge", async () => {
  const world = await testWorld();
  const ids = await memories(world, "heron", "egret", "stork", "crane");
  await tie(world, ids["heron"]!, ids["egret"]!, { strength: 0.8 });
  await tie(world, ids["stork"]!, ids["crane"]!);
  const place = { store: world.project, shelf: "memory" as const, filter: { statuses: ["active"] as const, now: 0 } };
  const candidate = (name: string, cosine: number | null) => ({ id: ids[name]!, place, cosine });
  const given = [candidate("heron", 0.8), candidate("egret", 0.2), candidate("stork", 0.5), candidate("crane", null)];
  const shares = await linkedWithStrong(given);
  assert.deepEqual([...shares], [[given[1], 0.4]]);
});
