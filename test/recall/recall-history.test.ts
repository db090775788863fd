/** Supersession in recall: what was replaced is history of what holds, and proposals are marked as such. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { forget } from "../../src/memory/forget.ts";
import { getItem } from "../../src/memory/list.ts";
import { update } from "../../src/memory/update.ts";
import type { World } from "../../src/world.ts";
import { ask, keep, testWorld } from "../test-world.ts";

const DAY_MS = 86_400_000;

async function chainOfThree(world: Awaited<ReturnType<typeof testWorld>>) {
  const { id: first } = await keep(world, "The database is Sybase");
  world.clock.time += DAY_MS;
  const { id: second } = await keep(world, "The storage is Oracle", { supersedes: first });
  world.clock.time += DAY_MS;
  const { id: third } = await keep(world, "We keep rows in Postgres", { supersedes: second });
  return { first, second, third };
}

const hitsOf = async (world: World, query: string) => (await ask(world, query, { mode: "keyword" })).hits;

test("words of a replaced memory lead to what holds now, with the whole history, nearest first", async () => {
  const world = await testWorld();
  const { first, second, third } = await chainOfThree(world);
  for (const query of ["sybase", "oracle", "postgres", "sybase oracle postgres"]) {
    const hits = await hitsOf(world, query);
    assert.deepEqual(
      hits.map(({ id, status }) => [id, status]),
      [[third, "active"]],
      query,
    );
    assert.deepEqual(
      hits[0]!.history.map(({ id, status }) => [id, status]),
      [
        [second, "superseded"],
        [first, "superseded"],
      ],
    );
  }
  const [hit] = await hitsOf(world, "postgres");
  assert.equal(hit!.validFrom, hit!.history[0]!.validUntil, "one window opens as the other closes");
  assert.equal(hit!.content, "We keep rows in Postgres");
});

test("history reaches back as far as the settings say", async () => {
  const world = await testWorld({ recall: { validityWindowDays: 30 } });
  const { second } = await chainOfThree(world);
  world.clock.time += 29.5 * DAY_MS;
  const [hit] = await hitsOf(world, "postgres");
  assert.deepEqual(
    hit!.history.map(({ id }) => id),
    [second],
  );
});

test("a chain whose end was forgotten leads nowhere", async () => {
  const world = await testWorld();
  const { third } = await chainOfThree(world);
  await forget(third, 5, world);
  for (const query of ["sybase", "oracle", "postgres"]) assert.deepEqual(await hitsOf(world, query), []);
});

test("whoever asks for superseded ones outright gets them", async () => {
  const world = await testWorld();
  const { first } = await chainOfThree(world);
  const { hits } = await ask(world, "sybase", { filter: { statuses: ["superseded"] }, mode: "keyword" });
  assert.deepEqual(
    hits.map(({ id, status }) => [id, status]),
    [[first, "superseded"]],
  );
});

test("a decision is a proposal until a person says otherwise, and a rejected one is not found", async () => {
  const world = await testWorld();
  const { id, status } = await keep(world, "We choose Kotlin for the client", { type: "decision" });
  assert.equal(status, "proposed");
  const [hit] = await hitsOf(world, "kotlin client");
  assert.deepEqual([hit?.id, hit?.shelf, hit?.unratified, hit?.status], [id, "proposal", true, "pending"]);
  const { id: fact } = await keep(world, "Kotlin compiles slowly");
  assert.equal((await hitsOf(world, "slowly")).find((found) => found.id === fact)?.unratified, false);
  await forget(id, 5, world);
  assert.deepEqual(await hitsOf(world, "client"), []);
});

test("an item in full carries its history, and reading it counts", async () => {
  const world = await testWorld();
  const { first, second, third } = await chainOfThree(world);
  const { memory, history } = await getItem({ id: third }, world);
  assert.deepEqual([memory.id, ...history.map(({ id }) => id)], [third, second, first]);
  await world.afterwards.settle();
  assert.equal((await getItem({ id: third, quiet: true }, world)).memory.accessCount, 1);
  assert.equal((await getItem({ id: third }, world)).memory.accessCount, 1, "a look does not count");
  await assert.rejects(getItem({ id: "nobody" }, world), { code: "not_found" });
});

test("a successor that the filter would not let through is no hit", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The deploy waits for Sybase", { type: "gotcha" });
  await keep(world, "Nothing waits any more", { type: "fact", supersedes: id });
  const { hits } = await ask(world, "sybase", { filter: { types: ["gotcha"] }, mode: "keyword" });
  assert.deepEqual(hits, []);
});

test("what was replaced and then forgotten is no history", async () => {
  const world = await testWorld();
  const { first, second, third } = await chainOfThree(world);
  await forget(second, 5, world);
  const [hit] = await hitsOf(world, "postgres");
  assert.deepEqual([hit!.id, hit!.history.map(({ id }) => id)], [third, [first]]);
});

test("a memory that was replaced many times hides no other", async () => {
  const world = await testWorld();
  const others: string[] = [];
  for (let number = 0; number < 5; number += 1)
    others.push((await keep(world, `The otter service has an owner, number ${number}`)).id);
  let { id } = await keep(world, "The otter service listens on port 1000");
  for (let port = 1_001; port <= 1_120; port += 1) {
    ({ id } = await update(id, { content: `The otter service listens on port ${port}`, as: "replacement" }, world));
  }
  for (const mode of ["keyword", "hybrid", "semantic"] as const) {
    const { hits } = await ask(world, "otter service port", { mode });
    assert.deepEqual(hits.map((hit) => hit.id).toSorted(), [id, ...others].toSorted(), mode);
  }
  const [hit] = (await ask(world, "port 1003", { mode: "keyword" })).hits;
  assert.deepEqual([hit?.id, hit?.content], [id, "The otter service listens on port 1120"]);
});

test("what was replaced is found through parts of its words too", async () => {
  const world = await testWorld();
  const { third } = await chainOfThree(world);
  const [hit] = await hitsOf(world, "ybas");
  assert.deepEqual([hit?.id, Object.keys(hit!.why)], [third, ["substring"]]);
});

test("a filter that only the successor passes finds it by the meaning of what it replaced", async () => {
  const world = await testWorld();
  const { id: old } = await keep(world, "Otters swim in the river at night");
  const { id } = await keep(world, "Nothing is known about that", { supersedes: old, tags: ["animal"] });
  const { hits } = await ask(world, "otters swim at night", { mode: "semantic", filter: { tags: ["animal"] } });
  assert.equal(hits[0]?.id, id);
  assert.ok(hits[0].relevance > 0.5, `${hits[0].relevance}`);
});
