/** Relations between decisions: named when proposed, shown to the person, kept as edges, and followed from a subject. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import proposals from "../../src/decisions/verbs/proposals.ts";
import rollback from "../../src/journal/verbs/rollback.ts";
import { handleOf } from "../../src/memory/handles.ts";
import { ask, type TestWorld, testWorld } from "../test-world.ts";
import { DAY, decide, held, settle, stage, YES } from "./decision-steps.ts";

const idsOf = (hits: readonly { id: string }[]) => hits.map(({ id }) => id);
const edgesIn = async ({ project }: TestWorld) =>
  (await project.walkEdges("decision", { after: null, limit: 100 })).map(
    ({ source, target, relation, strength, bidirectional, status }) =>
      ({ source, target, relation, strength, bidirectional, status }) as const,
  );
const plain = { bidirectional: true, status: "active" } as const;

/** A subject each, so that none contradicts another. */
const about = (world: TestWorld, subject: string, decision: string, more: Record<string, unknown> = {}) =>
  decide(world, decision, { subject, ...more });

test("what a proposal relates to waits with it, is shown to the person, and becomes an edge", async () => {
  const world = await testWorld();
  const keys = await about(world, "keys", "Rotate signing material monthly");
  const id = await stage(world, "JWT with refresh rotation", { relates: [keys, keys] });
  const { items } = (await dispatch(proposals, {}, world)).answer;
  assert.deepEqual(items[0]?.relates, [keys]);
  assert.deepEqual(await edgesIn(world), []);
  const { asked, related } = await settle(world, id);
  assert.match(asked[0]!, new RegExp(`\\nRelates to ${handleOf(keys)}: “Rotate signing material monthly`));
  assert.deepEqual(related, [keys]);
  assert.deepEqual(await edgesIn(world), [{ source: id, target: keys, relation: "relates_to", strength: 1, ...plain }]);
});

test("what relates to nothing is not staged, nor ratified, and nothing is changed", async () => {
  const world = await testWorld();
  const waits = await stage(world, "Sessions in a table");
  const head = await world.project.chainHead();
  for (const relates of [["nowhere"], [waits]])
    await assert.rejects(stage(world, "JWT with refresh rotation", { relates }), {
      code: "not_found",
      message: `There is no decision ${relates[0]}.`,
    });
  await assert.rejects(settle(world, waits, { relates: ["nowhere"] }), { code: "not_found" });
  assert.deepEqual(await world.project.chainHead(), head);
});

test("a contradiction that a person ratifies all the same is kept; one that is superseded is none", async () => {
  const world = await testWorld();
  const first = await decide(world, "Always require tokens");
  const second = await stage(world, "Never require tokens");
  const { conflicts, asked } = await settle(world, second, { supersedes: [] });
  assert.deepEqual(idsOf(conflicts), [first]);
  assert.match(asked[0]!, new RegExp(`contradict\\w* ${handleOf(first)}`));
  const tie = { source: second, target: first, relation: "contradicts", strength: conflicts[0]!.energy, ...plain };
  assert.deepEqual(await edgesIn(world), [tie]);
  world.clock.time += DAY;
  await decide(world, "Tokens for machines", { supersedes: [first, second] });
  assert.deepEqual(await edgesIn(world), [tie], "what it supersedes is not contradicted");
});

test("a subject leads to what is related to it, last and marked, one step far, each with its chain", async () => {
  const world = await testWorld();
  const far = await about(world, "backups", "Nightly dumps");
  const old = await about(world, "keys", "Rotate yearly", { relates: [far] });
  const auth = await decide(world, "JWT", { relates: [old] });
  world.clock.time += DAY;
  const keys = await about(world, "keys", "Rotate monthly", { supersedes: [old] });
  const hits = await held(world, "auth");
  assert.deepEqual(
    hits.map(({ id, why, score, relevance }) => [id, why, score, relevance]),
    [
      [auth, { entity: 1 }, 1, 1],
      [keys, { related: 1 }, 0.5, 0.5],
    ],
  );
  assert.deepEqual(hits[0]?.related, [keys]);
  assert.deepEqual(idsOf(hits[1]?.history ?? []), [old]);
  assert.deepEqual(hits[1]?.related, [auth, far].toSorted());
  const before = await held(world, "auth", { at: new Date(world.clock.now() - 1).toISOString() });
  assert.deepEqual(idsOf(before), [auth, old], "what held then stands for its chain");
  assert.deepEqual(before[1]?.related, [keys, ...[auth, far].toSorted()], "what followed comes first");
  assert.deepEqual(idsOf(await held(world, "auth", { limit: 1 })), [auth]);
  assert.deepEqual(idsOf(await held(world, "keys")).toSorted(), [keys, auth, far].toSorted());
});

test("a relation outlives the wording it was made for, on both its sides", async () => {
  const world = await testWorld();
  const keys = await about(world, "keys", "Rotate monthly");
  const first = await decide(world, "JWT", { relates: [keys] });
  world.clock.time += DAY;
  const second = await decide(world, "Opaque tokens", { supersedes: [first] });
  const later = await about(world, "keys", "Rotate weekly", { supersedes: [keys] });
  assert.deepEqual(idsOf(await held(world, "auth")), [second, later]);
  const hit = (await ask(world, "opaque tokens")).hits.find(({ id }) => id === second);
  assert.deepEqual(hit?.related, [later]);
});

test("what no longer holds, was forgotten or is unknown is not led to", async () => {
  const world = await testWorld();
  const until = new Date(world.clock.now() + DAY).toISOString();
  const ends = await about(world, "keys", "Rotate monthly", { validUntil: until });
  const auth = await decide(world, "JWT", { relates: [ends] });
  assert.deepEqual(idsOf(await held(world, "auth")), [auth, ends]);
  world.clock.time += DAY;
  assert.deepEqual(idsOf(await held(world, "auth")), [auth]);
  assert.deepEqual(idsOf(await held(world, "unheard-of")), []);
});

test("at most five are led to from each, the strongest first", async () => {
  const world = await testWorld();
  const subjects = ["apples", "bridges", "clocks", "drums", "engines", "ferries", "gardens"];
  const others: string[] = [];
  for (const subject of subjects) others.push(await about(world, subject, `${subject} come first`));
  const rival = await decide(world, "Cookies everywhere");
  const auth = await decide(world, "JWT", { relates: others });
  const hits = await held(world, "auth");
  const led = hits.filter(({ why }) => "related" in why);
  assert.deepEqual(idsOf(hits).slice(0, 2).toSorted(), [auth, rival].toSorted());
  assert.equal(led.length, 5);
  assert.ok(led.every(({ id, why }) => others.includes(id) && why["related"] === 1));
  assert.equal(hits.find(({ id }) => id === auth)?.related.length, 5);
});

test("taking a ratification back takes its edges, and bringing it back brings them", async () => {
  const world = await testWorld();
  const keys = await about(world, "keys", "Rotate monthly");
  const id = await stage(world, "JWT", { relates: [keys] });
  const { call } = await settle(world, id);
  const [made] = await edgesIn(world);
  const undo = async (set: string) => (await dispatch(rollback, { call: set }, world, { ask: async () => YES })).answer;
  const undone = await undo(call!);
  assert.deepEqual([undone.edges, await edgesIn(world)], [1, []]);
  await undo(undone.call!);
  assert.deepEqual(await edgesIn(world), [made]);
});
