/** Decisions in recall: what holds comes first, and what opposes it is marked and stands behind it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { remember } from "../../src/memory/remember.ts";
import { decide, stage } from "../decisions/decision-steps.ts";
import { ask, keep, testWorld } from "../test-world.ts";

const SUBJECT = "background jobs";

async function jobsWorld() {
  const world = await testWorld();
  const rival = await keep(world, "Background jobs run on RabbitMQ workers");
  const retried = await keep(world, "Background jobs are retried three times");
  const rejected = ["RabbitMQ", "Celery"];
  const decision = await decide(world, "BullMQ with Redis", { subject: SUBJECT, rejected });
  const proposal = await stage(world, "Use Celery for background jobs", { subject: SUBJECT });
  return { world, rival: rival.id, retried: retried.id, decision, proposal };
}

for (const mode of ["hybrid", "keyword"] as const) {
  test(`${mode}: a decision stands before memories and proposals, and what opposes it says so`, async () => {
    const { world, rival, retried, decision, proposal } = await jobsWorld();
    const { hits } = await ask(world, "background jobs", { mode });
    const [first, ...rest] = hits;
    assert.equal(first?.id, decision);
    assert.deepEqual(rest.map(({ id }) => id).toSorted(), [rival, retried, proposal].toSorted());
    const opposed = new Map(hits.map(({ id, contradicts }) => [id, contradicts.map((one) => one.id)]));
    assert.deepEqual(opposed.get(rival), [decision]);
    assert.deepEqual(opposed.get(proposal), [decision]);
    assert.deepEqual(opposed.get(retried), []);
    assert.match(rest.find(({ id }) => id === rival)?.contradicts[0]?.why ?? "", /RabbitMQ.*BullMQ with Redis/);
  });
}

test("a decision comes first even if many memories fill the limit", async () => {
  const { world, decision } = await jobsWorld();
  for (let number = 0; number < 12; number += 1)
    await keep(world, `Background jobs of service ${number} are logged`, { priority: 8 });
  const { hits } = await ask(world, "background jobs", { limit: 3 });
  assert.equal(hits.length, 3);
  assert.equal(hits[0]?.id, decision);
  assert.ok((hits[0]?.why["decision"] ?? 0) > 0, "it says why it is first");
});

test("a decision about something else moves nothing", async () => {
  const { world, decision } = await jobsWorld();
  const { id } = await keep(world, "The walrus sleeps on the ice");
  const { hits } = await ask(world, "where does the walrus sleep");
  assert.equal(hits[0]?.id, id);
  assert.ok(hits.every((hit) => hit.id !== decision || hit.why["decision"] === undefined));
});

test("once the decision is replaced, what opposed it no longer does", async () => {
  const { world, rival, decision } = await jobsWorld();
  const next = await decide(world, "RabbitMQ", { subject: SUBJECT, supersedes: [decision] });
  const { hits } = await ask(world, "background jobs");
  assert.equal(hits[0]?.id, next);
  assert.deepEqual(hits.find(({ id }) => id === rival)?.contradicts, []);
});

test("only a pinned-down order is shown: scores never rise, and every departure is named", async () => {
  const { world } = await jobsWorld();
  await remember({ content: "Background jobs need a queue", type: "fact", priority: 10, context: {} }, world);
  const { hits } = await ask(world, "background jobs");
  for (const [index, hit] of hits.entries()) {
    const above = hits[index - 1];
    if (!above) continue;
    assert.ok(hit.score <= above.score);
    const names = Object.keys({ ...hit.why, ...above.why });
    const isNamed = ["priority", "confidence", "graph", "decision", "contradiction"].some((name) =>
      names.includes(name),
    );
    assert.ok(isNamed || hit.relevance - above.relevance < 0.1, `${above.content} above ${hit.content}`);
  }
});
