/** What a proposal is near is shown with it, and replaced by it unless a person says under which condition both hold. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Ask, dispatch } from "../../src/catalog/dispatch.ts";
import ratify from "../../src/decisions/verbs/ratify.ts";
import { createHashEmbedder, createNoEmbedder } from "../../src/embed/embedders.ts";
import { handleOf } from "../../src/memory/handles.ts";
import recall from "../../src/recall/verbs/recall.ts";
import { testWorld } from "../test-world.ts";
import { DAY, decide, held, settle, stage, YES } from "./decision-steps.ts";
import decisions from "../../src/decisions/verbs/decisions.ts";

const PAIRS: [first: string, second: string][] = [
  ["Telemetry is opt-in", "Telemetry is opt-out"],
  ["Require JWT for every request", "JWT is no longer required for requests"],
  ["Postgres is the primary database", "MySQL is the primary database"],
  ["Failed jobs are retried three times", "Jobs that fail are never retried"],
  ["We release every two weeks", "A release goes out every Monday"],
  ["Tailwind for all styles", "Plain CSS modules for styles, no Tailwind"],
  ["The public API is REST", "The public API is GraphQL"],
  ["Timestamps are stored in UTC", "Timestamps are stored in local time"],
  ["Feature branches are squashed", "Feature branches are merged with merge commits"],
  ["Secrets live in the vault", "Secrets live in environment variables"],
];

test(`${PAIRS.length} pairs: both sides are shown, and one is in force afterwards`, async () => {
  for (const [first, second] of PAIRS) {
    // By their words: the vectors of tests mean nothing.
    const world = await testWorld({ embedder: createNoEmbedder() });
    const before = await stage(world, first, { subject: "one" });
    await settle(world, before);
    world.clock.time += 86_400_000;
    const after = await stage(world, second, { subject: "another" });
    const { asked, superseded } = await settle(world, after);
    assert.ok(asked[0]!.includes(first) && asked[0]!.includes(second), asked[0]);
    assert.deepEqual(superseded, [before], `${first} | ${second}`);
    assert.deepEqual((await held(world)).map(({ id }) => id), [after]); // prettier-ignore
  }
});

test("both hold only under a condition, which is then shown with both", async () => {
  const world = await testWorld();
  const first = await stage(world, "Telemetry is opt-in", { subject: "telemetry" });
  await settle(world, first);
  const second = await stage(world, "Telemetry is opt-out", { subject: "usage data" });
  await assert.rejects(settle(world, second, { with: [first] }), { code: "invalid_input" });
  const { asked, superseded } = await settle(world, second, { with: [first], when: "opt-out in the beta only" });
  assert.deepEqual(superseded, []);
  assert.match(asked[0]!, /Both hold: “opt-out in the beta only”/);
  const both = [first, second].map((other) => `both hold with ${handleOf(other)}: opt-out in the beta only`);
  const reader = { ...world, now: world.clock.time, input: { query: "" } } as never;
  for (const [verb, input] of [
    [recall, { query: "telemetry" }],
    [decisions, {}],
  ] as const) {
    const { answer } = await dispatch(verb as typeof recall, input as never, world);
    assert.equal(answer.hits.length, 2);
    for (const line of both) assert.ok(verb.render(answer as never, reader).includes(line), line);
  }
});

test("the same decided of another thing replaces nothing", async () => {
  const world = await testWorld();
  const first = await stage(world, "Postgres stores the data", { subject: "billing service database" });
  await settle(world, first);
  const second = await stage(world, "Redis stores the data", { subject: "search service database" });
  const { asked, superseded } = await settle(world, second);
  assert.deepEqual(superseded, []);
  assert.match(asked[0]!, new RegExp(`Near ${handleOf(first)}, which stays in force`));
});

test("what is only similar stays in force, and is shown", async () => {
  const world = await testWorld({ embedder: createNoEmbedder() });
  const first = await stage(world, "The worker is written in Go", { subject: "worker" });
  await settle(world, first);
  const second = await stage(world, "The command line is written in Rust", { subject: "tools" });
  const { asked, superseded } = await settle(world, second);
  assert.deepEqual(superseded, []);
  assert.match(asked[0]!, new RegExp(`Near ${handleOf(first)}, which stays in force: “The worker is written in Go”`));
});

test("what has a successor already is not replaced by default", async () => {
  const world = await testWorld({ embedder: createNoEmbedder() });
  const first = await stage(world, "Telemetry is opt-in", { subject: "telemetry" });
  await settle(world, first);
  const validFrom = new Date(world.clock.time + 30 * DAY).toISOString();
  const next = await stage(world, "Crash reports are mailed weekly", {
    subject: "crashes",
    supersedes: [first],
    validFrom,
  });
  await settle(world, next);
  const beside = await stage(world, "Telemetry is opt-in for everybody", { subject: "usage" });
  const { asked, superseded } = await settle(world, beside);
  assert.deepEqual(superseded, []);
  assert.match(asked[0]!, new RegExp(`Near ${handleOf(first)}, which stays in force`));
});

test("where nobody is asked the condition is not a person's", async () => {
  const world = await testWorld({ embedder: createNoEmbedder(), decisions: { ratify: "unattended" } });
  const first = await stage(world, "Telemetry is opt-in", { subject: "telemetry" });
  await settle(world, first);
  const second = await stage(world, "Telemetry is opt-out", { subject: "usage data" });
  await dispatch(ratify, { id: second, with: [first], when: "only in the beta" }, world);
  const edges = await world.project.edgesOf("decision", [second], { relations: ["relates_to"], limit: 9 });
  assert.deepEqual(edges.map(({ verdict }) => verdict), [{ as: "both", by: "agent", when: "only in the beta" }]); // prettier-ignore
});

const FIVE = ["always", "daily", "weekly", "monthly", "yearly"].map(
  (often) => `Telemetry is sent to the server ${often}`,
);

test("of five near ones the question says of each whether it is replaced or stays, and so it happens", async () => {
  const world = await testWorld({ embedder: createNoEmbedder() });
  const others: string[] = [];
  for (const one of FIVE) others.push(await decide(world, one, { subject: "telemetry" }));
  const after = await stage(world, "Telemetry is sent to the server never", { subject: "telemetry" });
  const { asked, superseded } = await settle(world, after);
  const named = (before: string, behind: string) => others.filter((id) => asked[0]!.includes(`${before}${handleOf(id)}${behind}`)); // prettier-ignore
  const staying = named("Near ", ", which stays in force");
  assert.deepEqual([superseded.length, staying.length], [3, 2], asked[0]);
  assert.deepEqual(named("Supersedes ", ":").toSorted(), superseded.toSorted());
  assert.deepEqual((await held(world)).map(({ id }) => id).toSorted(), [...staying, after].toSorted()); // prettier-ignore
});

test("where nobody is asked, only what was named is replaced", async () => {
  const world = await testWorld({ embedder: createNoEmbedder(), decisions: { ratify: "unattended" } });
  const [first, second] = [await decide(world, FIVE[0]!), await decide(world, FIVE[1]!)];
  const next = await stage(world, FIVE[2]!);
  assert.deepEqual((await dispatch(ratify, { id: next }, world)).answer.superseded, []);
  const last = await stage(world, FIVE[3]!, { supersedes: [first] });
  assert.deepEqual((await dispatch(ratify, { id: last }, world)).answer.superseded, [first]);
  assert.deepEqual((await held(world)).map(({ id }) => id).toSorted(), [second, next, last].toSorted()); // prettier-ignore
});

test("what was shown is what is agreed to, even if the model is loaded meanwhile", async () => {
  const hashing = createHashEmbedder();
  let isReady = false;
  const embedder = { ...hashing, state: () => (isReady ? "ready" : "cold"), load: async () => undefined } as const;
  // By its words neither is near; as vectors all are the same.
  const same = { ...embedder, embed: async (texts: readonly string[]) => (await hashing.embed(texts.map(() => "one"))) }; // prettier-ignore
  const world = await testWorld({ embedder: same });
  const first = await decide(world, "Telemetry is opt-in", { subject: "telemetry" });
  const second = await stage(world, "Usage data is shared unless refused", { subject: "usage" });
  const asked: string[] = [];
  const ask: Ask = async ({ message }) => {
    asked.push(message);
    isReady = true;
    return YES;
  };
  const { superseded } = (await dispatch(ratify, { id: second }, world, { ask })).answer;
  assert.deepEqual([asked.length, superseded], [1, []]);
  assert.deepEqual((await held(world)).map(({ id }) => id).toSorted(), [first, second].toSorted()); // prettier-ignore
});
