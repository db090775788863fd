/** What two items are to each other is settled once: kept, undone, exported, and a person's is settled by the person. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Ask, dispatch } from "../../src/catalog/dispatch.ts";
import { Failure } from "../../src/errors.ts";
import { handleOf } from "../../src/memory/handles.ts";
import { unsettled } from "../../src/memory/neighbours.ts";
import { decide } from "../decisions/decision-steps.ts";
import { ask, itemIn, keep, type TestWorld, testWorld } from "../test-world.ts";
import { operations } from "../whole-catalog.ts";

const agent = (world: TestWorld): TestWorld => ({ ...world, origin: { ...world.origin, byAgent: true } });
const yes: Ask = async () => ({ action: "accept", values: { settle: true } });

async function two(world: TestWorld): Promise<[older: string, newer: string]> {
  const set = { scope: "project", compare: true } as const;
  const { id: older } = await keep(world, "The proxy listens on port 81", set);
  world.clock.time += 1_000;
  const { id: newer, near } = await keep(world, "Port 82 is where the proxy listens", set);
  assert.deepEqual(near.map(({ id }) => id), [older]); // prettier-ignore
  return [older, newer];
}

const openOf = async (world: TestWorld, id: string): Promise<string[]> =>
  (await unsettled([id], world)).map(({ above, below }) => `${above.item.id} ${below.item.id}`);

test("until it is settled the newer one stands above; whatever the verdict, it is not asked again", async () => {
  for (const [as, status] of [
    ["replaces", "superseded"],
    ["repeats", "superseded"],
    ["both", "active"],
    ["unrelated", "active"],
  ] as const) {
    // prettier-ignore
    const world = await testWorld();
    const [older, newer] = await two(world);
    assert.deepEqual(await openOf(world, older), [`${newer} ${older}`]);
    const settling = { one: newer, other: older, as, ...(as === "both" && { when: "81 in tests" }) };
    const { answer } = await dispatch(operations.settle, settling, world);
    assert.equal(answer.status, "settled");
    assert.equal((await itemIn(world, older))?.status, status);
    assert.deepEqual(await openOf(world, older), []);
    assert.equal((await dispatch(operations.settle, settling, world)).answer.status, "unchanged");
    await dispatch(operations.rollback, { call: answer.call! }, world, { ask: yes });
    assert.equal((await itemIn(world, older))?.status, "active", "undone");
    assert.deepEqual(await openOf(world, older), [`${newer} ${older}`]);
    await dispatch(operations.settle, settling, world);
    const content = "Port 82 is where the proxy is listening";
    assert.deepEqual((await dispatch(operations.update, { id: newer, content }, world)).answer.near, []);
  }
});

test("another verdict takes the place of the first, and the condition is kept", async () => {
  const world = await testWorld();
  const [older, newer] = await two(world);
  await dispatch(operations.settle, { one: newer, other: older, as: "unrelated" }, world);
  await dispatch(operations.settle, { one: newer, other: older, as: "both", when: "81 in tests" }, world);
  const edges = await world.project.edgesOf("memory", [newer], { made: false, limit: 9 });
  assert.deepEqual(
    edges.map(({ relation, status, verdict }) => [relation, status, verdict]),
    [["relates_to", "active", { as: "both", by: "person", when: "81 in tests" }]],
  );
});

test("a condition is refused with any verdict but both, and nothing is settled", async () => {
  const world = await testWorld();
  const [older, newer] = await two(world);
  for (const as of ["replaces", "repeats", "unrelated"] as const) {
    const settling = { one: newer, other: older, as, when: "81 in tests" };
    await assert.rejects(dispatch(operations.settle, settling, world), { code: "invalid_input" });
  }
  assert.deepEqual(await openOf(world, older), [`${newer} ${older}`]);
});

test("what was replaced is not said to hold, nor replaced again", async () => {
  const world = await testWorld();
  const [older, newer] = await two(world);
  await dispatch(operations.settle, { one: newer, other: older, as: "replaces" }, world);
  for (const as of ["both", "unrelated"] as const)
    await assert.rejects(dispatch(operations.settle, { one: newer, other: older, as }, world), {
      code: "conflict",
      message: `${handleOf(older)} is superseded; it cannot be settled again.`,
    });
});

test("an agent settles what agents wrote; what a person typed waits for the person", async () => {
  const world = await testWorld();
  const [older, newer] = await two(agent(world));
  assert.equal((await dispatch(operations.settle, { one: newer, other: older, as: "both" }, agent(world))).answer.status, "settled"); // prettier-ignore
  const own = await testWorld();
  const [mine, later] = await two(own);
  const refused = dispatch(operations.settle, { one: later, other: mine, as: "replaces" }, agent(own));
  await assert.rejects(refused, (thrown) => thrown instanceof Failure && thrown.code === "refused");
  const { answer } = await dispatch(operations.settle, { one: later, other: mine, as: "replaces" }, agent(own), { ask: yes }); // prettier-ignore
  assert.equal(answer.closed, mine);
});

test("a newer text of an agent never stands above a person's, and a repetition folds into it", async () => {
  const world = await testWorld();
  const { id: mine } = await keep(world, "The proxy listens on port 81", { scope: "project" });
  world.clock.time += 1_000;
  const { id: theirs } = await keep(agent(world), "The proxy is listening on port 82", {
    scope: "project",
    compare: true,
  });
  assert.deepEqual(await openOf(world, mine), [`${mine} ${theirs}`]);
  const { answer } = await dispatch(operations.settle, { one: theirs, other: mine, as: "repeats" }, world);
  assert.equal(answer.closed, theirs);
});

test("two decisions both hold only under a condition, and only a person says so", async () => {
  const world = await testWorld();
  const one = await decide(world, "Telemetry is opt-in", { subject: "telemetry" });
  const other = await decide(world, "Telemetry is opt-out", { subject: "usage data" });
  await assert.rejects(dispatch(operations.settle, { one, other, as: "both" }, world, { ask: yes }), { code: "invalid_input" }); // prettier-ignore
  await assert.rejects(dispatch(operations.settle, { one: other, other: one, as: "replaces" }, world), { code: "refused" }); // prettier-ignore
  await dispatch(operations.settle, { one: other, other: one, as: "replaces" }, world, { ask: yes });
  assert.equal((await world.project.items("decision", [one]))[0]?.supersededBy, other);
});

test("of a memory and a decision the verdict is kept with the memory", async () => {
  const world = await testWorld();
  const decision = await decide(world, "Telemetry is opt-in", { subject: "telemetry" });
  const { id, near } = await keep(world, "Telemetry is opt-out in the beta", { scope: "project", compare: true });
  assert.deepEqual(near.map((one) => one.id), [decision]); // prettier-ignore
  assert.deepEqual(await openOf(world, id), [`${decision} ${id}`]);
  await dispatch(operations.settle, { one: id, other: decision, as: "both", when: "only in the beta" }, world);
  assert.deepEqual(await openOf(world, id), []);
  const { hits } = await ask(world, "telemetry in the beta", { shelves: ["memory"] });
  const conditions = [{ id: decision, handle: handleOf(decision), when: "only in the beta" }];
  assert.deepEqual(hits[0]?.conditions, conditions);
  assert.deepEqual((await dispatch(operations.get, { id }, world)).answer.conditions, conditions);
});

test("a memory that repeats a decision is folded into it, and only into one that holds", async () => {
  const world = await testWorld();
  const decision = await decide(world, "Telemetry is opt-in", { subject: "telemetry" });
  const { id } = await keep(world, "Telemetry is opt-in in the app", { scope: "project" });
  const repeats = { one: id, other: decision, as: "repeats" };
  const { answer } = await dispatch(operations.settle, repeats, world);
  assert.deepEqual([answer.closed, (await itemIn(world, id))?.supersededBy], [id, decision]);
  assert.equal((await dispatch(operations.settle, repeats, world)).answer.status, "unchanged");
  await decide(world, "Telemetry is sampled", { subject: "telemetry", supersedes: [decision] });
  const { id: later } = await keep(world, "Telemetry is opt-in in the beta", { scope: "project" });
  await assert.rejects(dispatch(operations.settle, { one: decision, other: later, as: "replaces" }, world), { code: "conflict" }); // prettier-ignore
});

test("of two of which one is closed nobody says that both hold, and closing it twice changes nothing", async () => {
  const world = await testWorld();
  const [older, newer] = await two(world);
  const { id: latest } = await keep(world, "Port 83 is where the proxy listens", { scope: "project", supersedes: newer }); // prettier-ignore
  const { answer } = await dispatch(operations.settle, { one: latest, other: newer, as: "replaces" }, world);
  assert.deepEqual([answer.status, answer.closed], ["unchanged", newer]);
  await assert.rejects(dispatch(operations.settle, { one: newer, other: older, as: "both" }, world), { code: "conflict" }); // prettier-ignore
  await dispatch(operations.forget, { target: older }, world);
  await assert.rejects(dispatch(operations.settle, { one: latest, other: older, as: "unrelated" }, world), { code: "conflict" }); // prettier-ignore
});

test("what a person settled of two texts of agents is settled otherwise by a person only", async () => {
  const world = await testWorld();
  const [older, newer] = await two(agent(world));
  const both = { one: newer, other: older, as: "both", when: "82 in production" };
  await dispatch(operations.settle, both, agent(world));
  assert.equal(
    (await dispatch(operations.settle, both, world)).answer.status,
    "settled",
    "now it is the person's word",
  );
  const replaces = { one: newer, other: older, as: "replaces" };
  await assert.rejects(dispatch(operations.settle, replaces, agent(world)), { code: "refused" });
  const asked: string[] = [];
  const askPerson: Ask = async (question) => {
    asked.push(question.message);
    return yes(question);
  };
  assert.equal((await dispatch(operations.settle, replaces, agent(world), { ask: askPerson })).answer.closed, older);
  assert.match(asked[0]!, /This affects what a person said or settled/);
});

test("settings that let decisions go unasked do not let an agent settle what a person typed", async () => {
  const world = await testWorld({ decisions: { ratify: "unattended" } });
  const [older, newer] = await two(world);
  const replaces = { one: newer, other: older, as: "replaces" };
  await assert.rejects(dispatch(operations.settle, replaces, agent(world)), { code: "refused" });
});

test("what is no verdict, as another store may hold it, settles nothing and breaks nothing", async () => {
  const world = await testWorld();
  await decide(world, "Telemetry is opt-in", { subject: "telemetry" });
  const { id } = await keep(world, "Telemetry is opt-out in the beta", { scope: "project", compare: true });
  for (const settled of [{ x: null }, "none", { x: { as: "both", by: "person", when: {} } }]) {
    const { version, details } = (await itemIn(world, id))!;
    const set = { details: { ...details, settled } };
    await world.project.apply([{ kind: "revise_item", shelf: "memory", id, expectedVersion: version, set, passages: null, embed: false }], world.origin); // prettier-ignore
    const { hits } = await ask(world, "telemetry in the beta", { shelves: ["memory"] });
    assert.deepEqual([hits[0]?.id, hits[0]?.conditions], [id, undefined]);
    assert.equal((await openOf(world, id)).length, 1);
  }
});

test("a verdict outlives a new strength of the relation, and an agent takes back none of a person", async () => {
  const world = await testWorld();
  const [source, target] = await two(agent(world));
  const ends = { source, target };
  for (const verdict of [{ as: "both", when: "82 in production" }, { as: "unrelated" }]) {
    await dispatch(operations.settle, { one: source, other: target, ...verdict }, world);
    await assert.rejects(dispatch(operations.unlink, ends, agent(world)), { code: verdict.as === "both" ? "refused" : "not_found" }); // prettier-ignore
    const linking = dispatch(operations.link, { ...ends, relation: "relates_to", strength: 0.5 }, agent(world));
    if (verdict.as === "unrelated") await assert.rejects(linking, { code: "refused" });
    else await linking;
    const [edge] = await world.project.edgesOf("memory", [source], { made: false, limit: 9 });
    assert.deepEqual(edge?.verdict, { by: "person", ...verdict });
  }
});

test("with a decision goes what memories keep about it, in earlier states too", async () => {
  const world = await testWorld();
  const decision = await decide(world, "Telemetry is opt-in", { subject: "telemetry" });
  const { id } = await keep(world, "Telemetry is opt-out");
  for (const when of ["only in the beta", "only in the nightlies"])
    await dispatch(operations.settle, { one: id, other: decision, as: "both", when }, world);
  await dispatch(operations.forget, { target: decision, purge: true }, world, { ask: async ({ fields }) => ({ action: "accept", values: Object.fromEntries(Object.keys(fields).map((name) => [name, true])) }) }); // prettier-ignore
  assert.deepEqual((await itemIn(world, id))?.details["settled"], {});
  const { records } = await world.project.journal({ itemIds: [id] }, { limit: 99, offset: 0 });
  assert.doesNotMatch(JSON.stringify(records.map(({ before, after }) => [before, after])), /beta|nightlies/);
  assert.equal((await itemIn(world, id))?.content, "Telemetry is opt-out");
  const { answer } = await dispatch(operations.audit, { verify: true }, world);
  assert.equal(answer.verification?.ok, true);
});
