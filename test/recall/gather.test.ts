/** Gathering: candidates as the next stage gets them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createNoEmbedder } from "../../src/embed/embedders.ts";
import { gather } from "../../src/recall/gather.ts";
import { type RecallRequest, searchPlaces } from "../../src/recall/places.ts";
import { prepareQuestions } from "../../src/recall/question.ts";
import { keep, type TestWorld, testWorld } from "../test-world.ts";

async function gathered(world: TestWorld, query: string, set: Partial<RecallRequest> = {}) {
  const request: RecallRequest = { query, mode: "hybrid", limit: 10, threshold: 0, ...set };
  const [question] = await prepareQuestions(request, searchPlaces(["memory"], {}, world), world);
  return gather(question!);
}

const LONG = `${"Nothing in particular is said here. ".repeat(60)}\n\nThe aardvark digs at night.`;

test("each ranker's own score is kept, in the order of asking, and nothing is fused yet", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The walrus sleeps on the ice");
  const [found] = await gathered(world, "walrus on ice");
  assert.deepEqual([found!.id, Object.keys(found!.scores)], [id, ["keyword", "vector"]]);
  assert.equal(found!.scores.vector, found!.cosine);
  assert.deepEqual([found!.score, found!.why], [0, {}]);
});

test("an item that words alone found gets its cosine too", async () => {
  const world = await testWorld();
  for (let number = 0; number < 60; number += 1) await keep(world, `zeppelin zeppelin ${number}`);
  const { id } = await keep(world, `zeppelin aardvark ${"and much else besides ".repeat(20)}`);
  const candidates = await gathered(world, "zeppelin zeppelin aardvark", { limit: 1 });
  for (const { cosine, scores } of candidates) assert.ok(cosine !== null && scores.vector === cosine);
  assert.ok(candidates.some((one) => one.id === id && "keyword" in one.scores));
});

test("equal memories in two stores are two candidates, told apart by their keys", async () => {
  const world = await testWorld();
  await keep(world, "Tabs are four wide", { scope: "global" });
  await keep(world, "Tabs are four wide", { scope: "project" });
  const candidates = await gathered(world, "tabs", { mode: "keyword" });
  assert.deepEqual(candidates.map(({ key }) => key.split("/")[0]).toSorted(), ["0", "1"]);
});

test("passage by passage, every passage is a candidate; otherwise an item is one by its best", async () => {
  const world = await testWorld();
  await keep(world, LONG);
  const whole = await gathered(world, "aardvark particular", { mode: "keyword" });
  const passages = await gathered(world, "aardvark particular", { mode: "keyword", eachPassage: true });
  assert.equal(whole.length, 1);
  assert.ok(passages.length > 1 && new Set(passages.map(({ id }) => id)).size === 1);
});

test("what wordpieces find has no score before it is judged", async () => {
  const world = await testWorld({ embedder: createNoEmbedder() });
  const { id } = await keep(world, "An automobile stands in the yard");
  const [found] = await gathered(world, "car");
  assert.deepEqual([found?.id, found?.scores], [id, {}]);
});
