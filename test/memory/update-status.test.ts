/** Archiving by hand and bringing back: through the journal, undone by rollback, and refused where it makes no sense. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { Failure } from "../../src/errors.ts";
import audit from "../../src/journal/verbs/audit.ts";
import rollback from "../../src/journal/verbs/rollback.ts";
import maintenance from "../../src/maintenance/verbs/maintain.ts";
import type { Status } from "../../src/memory/item.ts";
import forget from "../../src/memory/verbs/forget.ts";
import updating from "../../src/memory/verbs/update.ts";
import { ask, itemIn, keep, type TestWorld, testWorld } from "../test-world.ts";

const DAY_MS = 86_400_000;

const update = async (world: TestWorld, fields: Record<string, unknown>) =>
  (await dispatch(updating, fields, world)).answer;
const statusOf = async (world: TestWorld, id: string) => (await itemIn(world, id))?.status;
const upkeep = async (world: TestWorld) => (await dispatch(maintenance, {}, world)).answer.memories;
const refuses = (code: Failure["code"], pattern: RegExp) => (thrown: unknown) => {
  assert.ok(thrown instanceof Failure);
  assert.equal(thrown.code, code);
  assert.match(`${thrown.message} ${thrown.hint}`, pattern);
  return true;
};

/** A memory that faded until it had this status. */
async function fadedTo(status: "archived" | "pruned", world: TestWorld): Promise<string> {
  const { id } = await keep(world, "The walrus moved to the northern pool", { source: "ai_inferred" });
  for (const days of status === "archived" ? [67] : [67, 30]) {
    world.clock.time += days * DAY_MS;
    await upkeep(world);
  }
  assert.equal(await statusOf(world, id), status);
  return id;
}

for (const status of ["archived", "pruned"] as const) {
  test(`what was ${status} comes back, is found, and does not fade at once`, async () => {
    const world = await testWorld();
    const id = await fadedTo(status, world);
    assert.deepEqual((await ask(world, "walrus")).hits, []);
    const { status: outcome, call } = await update(world, { id, status: "active" });
    assert.equal(outcome, "restored");
    assert.equal((await ask(world, "where is the walrus")).hits[0]?.id, id);
    await upkeep(world);
    assert.equal(await statusOf(world, id), "active");
    const { entries } = (await dispatch(audit, { id, verb: "update" }, world)).answer;
    assert.deepEqual(entries[0]?.before, { status, source: "ai_inferred" });
    assert.deepEqual(entries[0]?.after, { status: "active", source: "user_explicit" });
    await dispatch(rollback, { call: call! }, world);
    assert.equal(await statusOf(world, id), status);
    assert.deepEqual((await ask(world, "walrus")).hits, []);
  });
}

test("even a doubtful global memory that comes back stays for two weeks", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The user may like walruses", {
    source: "ai_inferred",
    scope: "global",
    confidence: 0.2,
  });
  world.clock.time += 60 * DAY_MS;
  assert.equal((await upkeep(world)).archived, 1);
  await update(world, { id, status: "active" });
  world.clock.time += 13 * DAY_MS;
  assert.equal((await upkeep(world)).archived, 0);
  assert.equal((await itemIn(world, id, { scope: "global" }))?.status, "active");
});

test("archiving by hand takes a memory out of recall, and rollback undoes it", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The walrus moved to the northern pool");
  const { status, call } = await update(world, { id, status: "archived" });
  assert.equal(status, "archived");
  assert.deepEqual((await ask(world, "walrus")).hits, []);
  world.clock.time += 300 * DAY_MS;
  await upkeep(world);
  assert.equal(await statusOf(world, id), "archived", "what a person wrote stays in the archive");
  await dispatch(rollback, { call: call! }, world);
  assert.equal(await statusOf(world, id), "active");
});

test("forgetting is undone in the same way", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The walrus moved to the northern pool");
  await dispatch(forget, { target: id }, world);
  assert.equal((await update(world, { id, status: "active" })).status, "restored");
  assert.equal(await statusOf(world, id), "active");
});

const SAME: Status[] = ["active", "archived"];
for (const status of SAME)
  test(`what is ${status} already does not change`, async () => {
    const world = await testWorld();
    const { id } = await keep(world, "The walrus moved to the northern pool");
    await update(world, { id, status });
    const before = await itemIn(world, id);
    const { status: outcome, call } = await update(world, { id, status });
    assert.deepEqual([outcome, call], ["unchanged", null]);
    assert.deepEqual(await itemIn(world, id), before);
  });

test("it comes back together with other changes, also as a replacement", async () => {
  const world = await testWorld();
  const id = await fadedTo("pruned", world);
  const { status } = await update(world, { id, status: "active", priority: 9, tags: ["zoo"] });
  const item = await itemIn(world, id);
  assert.deepEqual([status, item?.status, item?.priority, item?.tags], ["restored", "active", 9, ["zoo"]]);
  await update(world, { id, status: "archived" });
  const next = await update(world, { id, status: "active", content: "All seals live in the southern pool now" });
  assert.equal(next.status, "replaced");
  assert.deepEqual([await statusOf(world, id), await statusOf(world, next.id)], ["superseded", "active"]);
});

test("a dry run restores nothing", async () => {
  const world = await testWorld();
  const id = await fadedTo("archived", world);
  const { answer } = await dispatch(updating, { id, status: "active" }, world, { dryRun: true });
  assert.equal(answer.status, "restored");
  assert.equal(await statusOf(world, id), "archived");
});

test("what cannot be done is refused, with a way out", async () => {
  const world = await testWorld();
  const { id: old } = await keep(world, "Port 8080");
  const { id: newer } = await keep(world, "Port 9090", { supersedes: old });
  await assert.rejects(
    update(world, { id: old, status: "active" }),
    refuses("conflict", /superseded.*which replaced it/),
  );
  await dispatch(forget, { target: old }, world);
  await assert.rejects(
    update(world, { id: old, status: "active" }),
    refuses("conflict", /archived.*which replaced it/),
  );
  await assert.rejects(
    update(world, { id: "019bbef3-0000-7000-8000-000000000000", status: "active" }),
    refuses("not_found", /./),
  );
  for (const status of ["pruned", "superseded", "gone", "", 1])
    await assert.rejects(update(world, { id: newer, status }), refuses("invalid_input", /status/));
  await assert.rejects(
    update(world, { id: newer, status: "active", scope: "global" }),
    refuses("invalid_input", /at once/),
  );
  await update(world, { id: newer, status: "archived" });
  await assert.rejects(update(world, { id: newer, priority: 1 }), refuses("conflict", /archived.*--status active/));
  const { id: twin } = await keep(world, "Port 9090");
  await assert.rejects(update(world, { id: newer, status: "active" }), refuses("conflict", /same content/));
  assert.equal(await statusOf(world, twin), "active");
});
