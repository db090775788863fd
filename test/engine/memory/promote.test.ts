/** Promoting: wider, never narrower, with the same id; and finished by a repetition when it was interrupted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { forget } from "../../../src/engine/memory/forget.ts";
import { handleOf } from "../../../src/model/memory/handle.ts";
import { promote } from "../../../src/engine/memory/promote.ts";
import { update } from "../../../src/engine/memory/update.ts";
import type { Edit } from "../../../src/logic/memory/plan-update.ts";
import type { Item } from "../../../src/model/memory/item.ts";
import type { Store } from "../../../src/ports/store.ts";
import { ask, itemIn, keep, testWorld } from "../test-world.ts";

const foundIn = async (world: Parameters<typeof ask>[0], query: string) =>
  (await ask(world, query)).hits.map(({ id, scope }) => [id, scope]);

test("from working to project: it no longer expires, and twice is once", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The lynx is shy", { scope: "working" });
  assert.deepEqual(await promote(id, "project", world), { status: "promoted", id, scope: "project" });
  const item = await itemIn(world, id);
  assert.deepEqual([item?.scope, item?.expiresAt, item?.status], ["project", null, "active"]);
  assert.deepEqual(await promote(id, "project", world), { status: "unchanged", id, scope: "project" });
});

for (const scope of ["project", "working"] as const) {
  test(`from ${scope} to global: there once, under the same id, and twice is once`, async () => {
    const world = await testWorld();
    const { id } = await keep(world, "The lynx is shy", { scope, tags: ["cat"] });
    assert.deepEqual(await promote(id, "global", world), { status: "promoted", id, scope: "global" });
    const there = await itemIn(world, id, { scope: "global" });
    assert.deepEqual([there?.scope, there?.expiresAt, there?.status, there?.tags], ["global", null, "active", ["cat"]]);
    assert.equal(await itemIn(world, id), undefined);
    assert.deepEqual(await foundIn(world, "lynx"), [[id, "global"]]);
    assert.deepEqual(await promote(id, "global", world), { status: "unchanged", id, scope: "global" });
  });
}

/** A store whose disk gives way once. */
function failingOnce(store: Store): Store {
  let hasFailed = false;
  return {
    ...store,
    async apply(...args) {
      if (hasFailed) return store.apply(...args);
      hasFailed = true;
      throw new Error("interrupted");
    },
  };
}

test("interrupted between the two steps it shows once, can be repeated, and can be forgotten", async () => {
  const world = await testWorld();
  for (const ending of ["repeat", "forget"] as const) {
    const { id } = await keep(world, `The lynx is shy, ${ending}`);
    await assert.rejects(promote(id, "global", { ...world, project: failingOnce(world.project) }), /interrupted/);
    assert.equal((await itemIn(world, id))?.status, "active");
    assert.equal((await itemIn(world, id, { scope: "global" }))?.status, "active");
    assert.equal((await foundIn(world, `lynx ${ending}`)).filter(([found]) => found === id).length, 1);
    if (ending === "repeat") {
      assert.equal((await promote(id, "global", world)).scope, "global");
      assert.equal((await itemIn(world, id, { scope: "global" }))?.status, "active");
    } else {
      await forget(id, 5, world);
      assert.equal((await itemIn(world, id, { scope: "global" }))?.status, "archived");
    }
    assert.equal((await itemIn(world, id))?.status, ending === "repeat" ? undefined : "archived");
  }
});

/** What may be edited between two attempts, and what then must stand in the target. */
const edits: Record<string, [Edit, Partial<Item>]> = {
  wording: [{ content: "The lynx is very shy indeed", as: "revision" }, { content: "The lynx is very shy indeed" }],
  title: [{ title: "Cats" }, { title: "Cats" }],
  tags: [{ tags: ["cat"] }, { tags: ["cat"] }],
  priority: [{ priority: 9 }, { priority: 9 }],
  confidence: [{ confidence: 0.5 }, { confidence: 0.5 }],
  pinning: [{ pinned: true }, { pinned: true }],
};
for (const [what, [edit, expected]] of Object.entries(edits)) {
  test(`interrupted, edited (${what}) and repeated, the edit is what is promoted; then nothing is left to do`, async () => {
    const world = await testWorld();
    const { id } = await keep(world, "The lynx is shy");
    await assert.rejects(promote(id, "global", { ...world, project: failingOnce(world.project) }), /interrupted/);
    await update(id, edit, world);
    assert.equal((await promote(id, "global", world)).status, "promoted");
    assert.partialDeepStrictEqual(await itemIn(world, id, { scope: "global" }), { ...expected, status: "active" });
    assert.equal(await itemIn(world, id), undefined);
    const { version } = (await itemIn(world, id, { scope: "global" }))!;
    assert.equal((await promote(id, "global", world)).status, "unchanged");
    assert.equal((await itemIn(world, id, { scope: "global" }))?.version, version);
  });
}

test("an edit that comes while it moves is not lost", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The lynx is shy");
  let isEdited = false;
  const project: Store = {
    ...world.project,
    async apply(...args) {
      if (!isEdited) {
        isEdited = true;
        await update(id, { priority: 9 }, world);
      }
      return world.project.apply(...args);
    },
  };
  assert.equal((await promote(id, "global", { ...world, project })).status, "promoted");
  assert.deepEqual([isEdited, await itemIn(world, id)], [true, undefined]);
  assert.equal((await itemIn(world, id, { scope: "global" }))?.priority, 9);
});

test("what it replaced moves along, however long the chain, and nothing stays behind", async () => {
  const world = await testWorld();
  let { id } = await keep(world, "The lynx was seen 0 times");
  const { id: first } = await keep(world, "The lynx was seen by nobody");
  await keep(world, "The lynx was seen 0 times", { supersedes: first });
  for (let times = 1; times <= 60; times += 1) {
    ({ id } = await update(id, { content: `The lynx was seen ${times} times`, as: "replacement" }, world));
  }
  await promote(id, "global", world);
  assert.deepEqual((await world.project.report()).counts, []);
  const counts = (await world.global.report()).counts.map(({ status, count }) => `${status} ${count}`);
  assert.deepEqual(counts.toSorted(), ["active 1", "superseded 61"]);
  const [hit] = (await ask(world, "seen by nobody", { mode: "keyword", limit: 1 })).hits;
  assert.deepEqual([hit?.id, hit?.scope], [id, "global"]);
  assert.equal(hit?.history[0]?.content, "The lynx was seen 59 times");
});

test("a global memory of equal content that has expired makes way", async () => {
  const world = await testWorld();
  const { id: expired } = await keep(world, "The lynx is shy", { scope: "global", ttlSeconds: 5 });
  const { id } = await keep(world, "The lynx is shy", { scope: "project" });
  world.clock.time += 5_000;
  await promote(id, "global", world);
  assert.deepEqual(
    [await itemIn(world, expired, { scope: "global" }), await itemIn(world, id)],
    [undefined, undefined],
  );
});

test("narrower, closed and unknown ones are refused, and so is a second of equal content", async () => {
  const world = await testWorld();
  const { id: wide } = await keep(world, "The lynx is shy", { scope: "global" });
  await assert.rejects(promote(wide, "project", world), { code: "invalid_input" });
  const { id: old } = await keep(world, "The lynx was bold");
  await keep(world, "The lynx is bold", { supersedes: old });
  await assert.rejects(promote(old, "global", world), { code: "conflict" });
  await assert.rejects(promote("nobody", "global", world), { code: "not_found" });
  const { id: twin } = await keep(world, "The lynx is shy", { scope: "project" });
  await assert.rejects(
    promote(twin, "global", world),
    (thrown: { code: string; message: string }) =>
      thrown.code === "conflict" && thrown.message.includes(handleOf(wide)),
  );
  assert.equal((await itemIn(world, twin))?.status, "active");
});

test("what has expired is not brought back to life", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "a passing thought", { scope: "working", ttlSeconds: 5 });
  world.clock.time += 6_000;
  await assert.rejects(promote(id, "project", world), { code: "not_found" });
  await assert.rejects(promote(id, "global", world), { code: "not_found" });
});
