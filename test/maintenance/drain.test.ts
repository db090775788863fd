/** Draining and backfill: every passage once, whoever works on it, and again for another embedder. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createHashEmbedder, createNoEmbedder } from "../../src/embed/embedders.ts";
import { Failure } from "../../src/errors.ts";
import type { ChangeKind } from "../../src/journal/change.ts";
import { commit } from "../../src/journal/commit.ts";
import { backfill, drain } from "../../src/maintenance/backfill.ts";
import type { Store } from "../../src/store/store.ts";
import { startChild } from "../child.ts";
import { ask, countingEmbedder, keep, temporaryFolder, testWorld } from "../test-world.ts";

/** A process that is gone before it makes such a change. */
function diesAt(kind: ChangeKind, store: Store): Store["apply"] {
  return (changes, ...rest) =>
    changes[0]?.kind === kind ? Promise.reject(new Error("killed")) : store.apply(changes, ...rest);
}

async function fill(world: Parameters<typeof keep>[0], count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) await keep(world, `Memory number ${number} about otters`);
}

test("two processes share the work and neither does it twice", async () => {
  const folder = temporaryFolder();
  const embedders = [countingEmbedder(), countingEmbedder()];
  const worlds = [];
  for (const embedder of embedders) worlds.push(await testWorld({ folder, embedder }));
  await fill(worlds[0]!, 60);
  const done = await Promise.all(worlds.map((world) => drain(world.project, world, { batch: 4 })));
  assert.equal(done[0]! + done[1]!, 60);
  const texts = embedders.flatMap((embedder) => embedder.texts);
  assert.deepEqual([texts.length, new Set(texts).size], [60, 60]);
  assert.ok(
    done.every((count) => count > 0),
    "both had a share",
  );
  const { embeddable, embedders: known } = await worlds[0]!.project.report();
  assert.deepEqual([embeddable, known], [60, [{ identity: embedders[0]!.identity, waiting: 0 }]]);
});

test("what a dead process held is taken over when its lease has run out", async () => {
  const world = await testWorld();
  await fill(world, 3);
  const dying: Store = { ...world.project, apply: diesAt("store_vectors", world.project) };
  await assert.rejects(drain(dying, world), /killed/);
  assert.equal(await drain(world.project, world), 0, "still held");
  world.clock.time += 60_000;
  assert.equal(await drain(world.project, world), 3);
});

test("what could not be embedded is free again at once", async () => {
  const world = await testWorld();
  await fill(world, 3);
  const broken = { ...createHashEmbedder(), embed: () => Promise.reject(new Error("broken")) };
  await assert.rejects(drain(world.project, { ...world, embedder: broken }), /broken/);
  assert.equal(await drain(world.project, world), 3);
});

test("limits, deadlines and an absent embedder end the work; progress is told", async () => {
  const world = await testWorld();
  await fill(world, 10);
  const told: number[] = [];
  assert.equal(await drain(world.project, world, { limit: 5, batch: 2, onProgress: (done) => told.push(done) }), 5);
  assert.deepEqual(told, [2, 4, 5]);
  assert.equal(await drain(world.project, world, { until: world.clock.time }), 0);
  assert.equal(await drain(world.project, { ...world, embedder: createNoEmbedder() }), 0);
  assert.equal(await world.project.waitingCount(world.embedder.identity), 5);
});

test("a text that was embedded once is never embedded again", async () => {
  const embedder = countingEmbedder();
  const world = await testWorld({ embedder });
  await keep(world, "The otter swims", { scope: "project" });
  await drain(world.project, world);
  await keep(world, "The otter swims", { scope: "working" });
  await drain(world.project, world);
  assert.deepEqual(embedder.texts, ["The otter swims"]);
  await ask(world, "who swims");
  await world.afterwards.settle();
  await ask(world, "who swims");
  assert.deepEqual(embedder.texts, ["The otter swims", "who swims"]);
});

test("another embedder embeds everything for itself, and semantic search goes on with both", async () => {
  const folder = temporaryFolder();
  const before = await testWorld({ folder });
  await fill(before, 5);
  await keep(before, "Prefers otters to cats", { type: "preference" });
  assert.equal((await backfill(undefined, before)).embedded, 6);
  const now = await testWorld({ folder, embedder: createHashEmbedder(64) });
  const { embedded, waiting, embedder } = await backfill(undefined, now);
  assert.deepEqual([embedded, waiting, embedder], [6, 0, now.embedder.identity]);
  for (const world of [now, before]) {
    const answer = await ask(world, "number 3 about otters", { mode: "semantic" });
    assert.deepEqual(
      [answer.mode, answer.degraded, answer.hits[0]?.content],
      ["semantic", null, "Memory number 3 about otters"],
    );
    assert.equal((await backfill(undefined, world)).embedded, 0);
  }
});

test("two processes with different embedders never undo each other's work", async () => {
  const folder = temporaryFolder();
  const worlds = [await testWorld({ folder }), await testWorld({ folder, embedder: createHashEmbedder(64) })];
  const waiting = () => Promise.all(worlds.map(({ project, embedder }) => project.waitingCount(embedder.identity)));
  let last = [0, 0];
  for (let round = 0; round < 12; round += 1) {
    await keep(worlds[round % 2]!, `Memory number ${round} about otters`);
    for (const [index, world] of worlds.entries()) {
      const others = (await waiting())[1 - index]!;
      await drain(world.project, world, { limit: 1 + (round % 3), batch: 2 });
      assert.equal((await waiting())[1 - index], others, `round ${round}`);
    }
    last = await waiting();
  }
  assert.deepEqual(last, [0, 0]);
  assert.deepEqual((await worlds[0]!.project.report()).embedders.length, 2);
  for (const world of worlds) {
    assert.equal(await drain(world.project, world), 0);
    const { hits } = await ask(world, "memory number 7 about otters", { mode: "semantic" });
    assert.equal(hits[0]?.content, "Memory number 7 about otters");
  }
});

test("opened with another embedder, a question embeds what waits and finds by meaning", async () => {
  const folder = temporaryFolder();
  const before = await testWorld({ folder });
  await fill(before, 5);
  await keep(before, "Prefers otters to cats", { type: "preference" });
  assert.equal((await ask(before, "otters and cats")).degraded, null);
  await Promise.all([before.project.close(), before.global.close()]);
  const now = await testWorld({ folder, embedder: createHashEmbedder(64) });
  const answer = await ask(now, "prefers otters, not cats", { mode: "semantic" });
  assert.deepEqual(
    [answer.mode, answer.degraded, answer.hits[0]?.content],
    ["semantic", null, "Prefers otters to cats"],
  );
  assert.deepEqual(Object.keys(answer.hits[0]!.why), ["vector"]);
});

test("an embedder in use is said to be so once a day, and an idle one goes after a week", async () => {
  const folder = temporaryFolder();
  const [world, other] = [await testWorld({ folder }), await testWorld({ folder, embedder: createHashEmbedder(64) })];
  const { embedder, project, clock } = world;
  await fill(world, 1);
  await drain(project, world);
  await drain(project, other);
  const start = clock.time;
  const saidAfter = async (hours: number) => {
    clock.time = start + hours * 3_600_000;
    await drain(project, world);
    return ((await project.embedderUsedAt(embedder.identity))! - start) / 3_600_000;
  };
  assert.deepEqual([await saidAfter(0), await saidAfter(23), await saidAfter(24)], [0, 0, 24]);
  assert.equal((await project.report()).embedders.length, 2);
  await saidAfter(7 * 24 + 25);
  const { embedders } = await project.report();
  assert.deepEqual(embedders, [{ identity: embedder.identity, waiting: 0 }]);
});

test("backfill keeps to its limit over both stores and needs an embedder", async () => {
  const world = await testWorld();
  await fill(world, 4);
  await keep(world, "Prefers otters", { type: "preference" });
  const first = await backfill(3, world);
  assert.deepEqual([first.embedded, first.waiting], [3, 2]);
  const rest = await backfill(9, world);
  assert.deepEqual([rest.embedded, rest.waiting], [2, 0]);
  await assert.rejects(backfill(undefined, { ...world, embedder: createNoEmbedder() }), { code: "unavailable" });
});

const holdLock = new URL("../store/fixtures/hold-lock.ts", import.meta.url);

test("while another process holds the file, a backfill waits, and a drain that may not has drained nothing", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder, patienceMs: 60_000 });
  await fill(world, 3);
  await using holder = startChild(holdLock, [join(folder, "project.db")]);
  let isHeld = true;
  await holder.spoke();
  assert.equal(await drain(world.project, world), 0, "no fault");
  const { project } = world;
  const tried = Promise.withResolvers<void>();
  const apply: Store["apply"] = async (...change) => {
    tried.resolve();
    const applied = await project.apply(...change);
    assert.ok(!isHeld, "nothing is written while it is held");
    return applied;
  };
  const filled = backfill(undefined, { ...world, project: { ...project, apply } });
  await tried.promise;
  holder.kill();
  isHeld = false;
  const { embedded, waiting } = await filled;
  assert.deepEqual([embedded, waiting], [3, 0]);
});

test("a backfill whose patience ends says that the file is held; any other fault is told at once", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder, patienceMs: 20 });
  await fill(world, 1);
  {
    await using holder = startChild(holdLock, [join(folder, "project.db")]);
    await holder.spoke();
    await assert.rejects(backfill(undefined, world), { code: "unavailable", message: /locked/ });
  }
  const full: Store["apply"] = () =>
    Promise.reject(new Failure("unavailable", "The disk is full.", "Free some space."));
  await assert.rejects(drain({ ...world.project, apply: full }, world), { message: "The disk is full." });
});

test("a plan that is always overtaken is given up after three attempts", async () => {
  const world = await testWorld();
  let planned = 0;
  const change = { kind: "remove_item", shelf: "memory", id: "gone", expectedVersion: 1 } as const;
  const plan = async () => ({ changes: [change], answer: (planned += 1) });
  await assert.rejects(commit(world.project, plan, world), { code: "conflict" });
  assert.equal(planned, 3);
  const untouched: Store["apply"] = () => assert.fail("nothing to apply");
  assert.equal(
    await commit({ ...world.project, apply: untouched }, async () => ({ changes: [], answer: 7 }), world),
    7,
  );
});
