import assert from "node:assert/strict";
import { test } from "node:test";
import { classificationsIn } from "../../src/graph/classify.ts";
import { link } from "../../src/graph/link.ts";
import { maintain } from "../../src/maintenance/maintain.ts";
import type { Attempts, LlmRequest } from "../../src/ports.ts";
import { keep, testWorld } from "../test-world.ts";

const ALIKE = [
  "The nightly backup job of the billing service runs at two in the morning.",
  "The nightly backup job of the billing service runs at two in the morning, on the replica.",
];

async function askedWorld(reply: (request: LlmRequest) => string) {
  const asked: LlmRequest[] = [];
  const complete = async (request: LlmRequest, attempts: Attempts) => {
    await attempts.begin();
    asked.push(request);
    return { text: reply(request), inputTokens: 100, outputTokens: 10 };
  };
  const llm = { identity: "test model", complete };
  const world = await testWorld({ llm, caps: { provider: "openai", model: "model" } });
  const ids: string[] = [];
  for (const text of [...ALIKE, "Invoices are printed on Mondays."]) ids.push((await keep(world, text)).id);
  const edges = (statuses: ("active" | "suggested" | "dismissed")[]) =>
    world.project.edgesOf("memory", ids, { statuses, limit: 10 });
  return { world, asked, ids, edges };
}

const REFINES = JSON.stringify({
  pairs: [
    { pair: 1, relation: "refines", from: "first" },
    { pair: 2, relation: "contradicts", from: "first" },
  ],
});

test("what the model says is suggested once; the edge made from the words stays, and link accepts", async () => {
  const { world, asked, edges } = await askedWorld(() => REFINES);
  assert.equal((await maintain(world))?.classified, 1);
  assert.equal(asked.length, 1);
  for (const text of ALIKE) assert.ok(asked[0]?.prompt.includes(text));
  assert.ok(!asked[0]?.prompt.includes("Invoices"));
  const [suggested] = await edges(["suggested"]);
  assert.deepEqual([suggested?.relation, suggested?.made], ["refines", undefined]);
  assert.deepEqual(
    (await edges(["active"])).map(({ made }) => made),
    [true],
  );
  world.clock.time += 1_000;
  assert.equal((await maintain(world))?.classified, 0);
  assert.equal(asked.length, 1, "nothing is asked twice");
  const { source, target } = suggested!;
  await link({ source, target }, { relation: "refines" }, world);
  assert.deepEqual(
    (await edges(["active"])).map(({ relation }) => relation),
    ["refines"],
  );
  assert.deepEqual(
    (await edges(["dismissed"])).map(({ made }) => made),
    [true],
  );
  assert.equal((await world.global.usage(0))[0]?.purpose, "classify");
});

test("a model that fails or says nothing leaves no edge", async () => {
  for (const text of [
    "",
    "none of them",
    '{"pairs": []}',
    '{"pairs": [{"pair": 1, "relation": "none", "from": "first"}]}',
  ]) {
    const { world, asked, edges } = await askedWorld(() => text);
    assert.equal((await maintain(world))?.classified, 0);
    assert.equal(asked.length, 1);
    assert.equal((await edges(["suggested"])).length, 0);
  }
});

test("without a model nobody is asked", async () => {
  const world = await testWorld();
  for (const text of ALIKE) await keep(world, text);
  assert.equal((await maintain(world))?.classified, 0);
  assert.deepEqual(await world.global.usage(0), []);
});

test("only known relations of pairs that were asked about are read, the first of each", () => {
  const said = [
    ...[
      { pair: 1, relation: "refines", from: "second" },
      { pair: 1, relation: "contradicts", from: "first" },
    ],
    ...[
      { pair: 0, relation: "refines" },
      { pair: 4, relation: "refines" },
      { pair: "2", relation: "refines" },
    ],
    ...[
      { pair: 2, relation: "supersedes" },
      { pair: 3, relation: "exemplifies", from: 5 },
    ],
  ];
  assert.deepEqual(classificationsIn(JSON.stringify({ pairs: said }), 3), [
    { pair: 0, relation: "refines", isReversed: true },
    { pair: 2, relation: "exemplifies", isReversed: false },
  ]);
});
