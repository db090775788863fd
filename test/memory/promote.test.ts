/** Moving to another scope: with the same id, into one store, and finished by a repetition when it was interrupted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { Failure } from "../../src/errors.ts";
import { forget } from "../../src/memory/forget.ts";
import { handleOf } from "../../src/memory/handles.ts";
import type { Item } from "../../src/memory/item.ts";
import { listItems } from "../../src/memory/list.ts";
import { promote } from "../../src/memory/move.ts";
import { type Edit, update } from "../../src/memory/update.ts";
import type { Store } from "../../src/store/store.ts";
import { ask, itemIn, keep, neighbourOf, type TestWorld, testWorld } from "../test-world.ts";
import { operations } from "../whole-catalog.ts";

const foundIn = async (world: Parameters<typeof ask>[0], query: string) =>
  (await ask(world, query)).hits.map(({ id, scope }) => [id, scope]);

test("from working to project: it no longer expires, and twice is once", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The lynx is shy", { scope: "working" });
  assert.deepEqual(await promote(id, "project", world), { status: "promoted", id, scope: "project", relationsLeft: 0 });
  const item = await itemIn(world, id);
  assert.deepEqual([item?.scope, item?.expiresAt, item?.status], ["project", null, "active"]);
  assert.deepEqual(await promote(id, "project", world), {
    status: "unchanged",
    id,
    scope: "project",
    relationsLeft: 0,
  });
});

for (const scope of ["project", "working"] as const) {
  test(`from ${scope} to global: there once, under the same id, and twice is once`, async () => {
    const world = await testWorld();
    const { id } = await keep(world, "The lynx is shy", { scope, tags: ["cat"] });
    assert.deepEqual(await promote(id, "global", world), { status: "promoted", id, scope: "global", relationsLeft: 0 });
    const there = await itemIn(world, id, { scope: "global" });
    assert.deepEqual([there?.scope, there?.expiresAt, there?.status, there?.tags], ["global", null, "active", ["cat"]]);
    assert.equal(await itemIn(world, id), undefined);
    assert.deepEqual(await foundIn(world, "lynx"), [[id, "global"]]);
    assert.deepEqual(await promote(id, "global", world), {
      status: "unchanged",
      id,
      scope: "global",
      relationsLeft: 0,
    });
  });
}

test("from global back into the project: there once, under the same id, and twice is once", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The lynx is shy", { scope: "global", tags: ["cat"] });
  assert.deepEqual(await promote(id, "project", world), { status: "moved", id, scope: "project", relationsLeft: 0 });
  const here = await itemIn(world, id);
  assert.deepEqual([here?.scope, here?.status, here?.tags], ["project", "active", ["cat"]]);
  assert.equal(await itemIn(world, id, { scope: "global" }), undefined);
  assert.deepEqual(await foundIn(world, "lynx"), [[id, "project"]]);
  assert.deepEqual(await promote(id, "project", world), {
    status: "unchanged",
    id,
    scope: "project",
    relationsLeft: 0,
  });
});

test("a preference moved into one project is no longer shown in another", async () => {
  const here = await testWorld();
  const there = await neighbourOf(here);
  const { id } = await keep(here, "The lynx likes tabs", { type: "preference" });
  assert.deepEqual(await foundIn(there, "lynx"), [[id, "global"]]);
  await promote(id, "project", here);
  assert.deepEqual(await foundIn(there, "lynx"), []);
  assert.deepEqual(await foundIn(here, "lynx"), [[id, "project"]]);
  await assert.rejects(promote(id, "project", there), { code: "not_found" });
});

test("without a scope, only a working memory moves", async () => {
  const world = await testWorld();
  const { id: fleeting } = await keep(world, "The lynx waits", { scope: "working" });
  assert.deepEqual(await promote(fleeting, undefined, world), {
    status: "promoted",
    id: fleeting,
    scope: "project",
    relationsLeft: 0,
  });
  for (const scope of ["project", "global"] as const) {
    const { id } = await keep(world, `The lynx is ${scope}`, { scope });
    assert.deepEqual(await promote(id, undefined, world), { status: "unchanged", id, scope, relationsLeft: 0 });
  }
});

test("who moved it is recorded as the one who chose its scope", async () => {
  const world = await testWorld();
  const { id: fleeting } = await keep(world, "The lynx waits", { type: "thought" });
  const { id: wide } = await keep(world, "The lynx likes tabs", { type: "preference" });
  const { id: kept } = await keep(world, "The lynx indents", { type: "convention" });
  await promote(fleeting, "project", world);
  await promote(wide, "project", world);
  await promote(kept, "global", world);
  const routed = [
    await itemIn(world, fleeting),
    await itemIn(world, wide),
    await itemIn(world, kept, { scope: "global" }),
  ];
  assert.deepEqual(
    routed.map((item) => item?.details),
    Array(3).fill({ space: "space", routedBy: "caller" }),
  );
});

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

/** Interrupted between the two steps of a move back into the project. */
async function leftInBoth(world: TestWorld, content = "The lynx is shy"): Promise<string> {
  const { id } = await keep(world, content, { scope: "global" });
  await assert.rejects(promote(id, "project", { ...world, global: failingOnce(world.global) }), /interrupted/);
  for (const scope of ["project", "global"] as const)
    assert.deepEqual([(await itemIn(world, id, { scope }))?.status, scope], ["active", scope]);
  return id;
}

test("moving back, interrupted between the two steps, shows it once and can be repeated or turned round", async () => {
  const world = await testWorld();
  for (const scope of ["project", "global"] as const) {
    const id = await leftInBoth(world, `The lynx is shy, ${scope}`);
    assert.equal((await foundIn(world, `lynx ${scope}`)).filter(([found]) => found === id).length, 1);
    const expected = scope === "project" ? "moved" : "promoted";
    assert.deepEqual(await promote(id, scope, world), { status: expected, id, scope, relationsLeft: 0 });
    assert.equal((await itemIn(world, id, { scope }))?.scope, scope);
    assert.equal(await itemIn(world, id, { scope: scope === "project" ? "global" : "project" }), undefined);
  }
});

test("moving back, interrupted, forgets both copies", async () => {
  const world = await testWorld();
  const id = await leftInBoth(world);
  await forget(id, 5, world);
  for (const scope of ["project", "global"] as const)
    assert.equal((await itemIn(world, id, { scope }))?.status, "archived");
});

for (const asked of ["the old one", "its successor"] as const)
  test(`moving back, interrupted and superseded meanwhile, is completed by ${asked}`, async () => {
    const world = await testWorld();
    const old = await leftInBoth(world);
    world.clock.time += 1_000;
    const { id } = await update(old, { content: "The lynx was seen at noon", as: "replacement" }, world);
    assert.equal((await promote(asked === "its successor" ? id : old, "project", world)).status, "moved");
    assert.deepEqual((await world.global.report()).counts, []);
    assert.equal((await itemIn(world, old))?.supersededBy, id);
    assert.deepEqual(await foundIn(world, "lynx"), [[id, "project"]]);
    assert.equal((await promote(id, "project", world)).status, "unchanged");
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

for (const [what, [edit, expected]] of Object.entries(edits)) {
  for (const from of ["here", "another project"] as const)
    test(`moved back, interrupted, edited (${what}) from ${from} and repeated, the edit is what stays`, async () => {
      const world = await testWorld();
      const id = await leftInBoth(world);
      world.clock.time += 1_000;
      await update(id, edit, from === "here" ? world : await neighbourOf(world));
      assert.equal((await promote(id, "project", world)).status, "moved");
      assert.partialDeepStrictEqual(await itemIn(world, id), { ...expected, status: "active" });
      assert.equal(await itemIn(world, id, { scope: "global" }), undefined);
    });
}

test("an edit that another project makes while it moves back is not lost", async () => {
  const world = await testWorld();
  const neighbour = await neighbourOf(world);
  const { id } = await keep(world, "The lynx is shy", { scope: "global" });
  let isEdited = false;
  const global: Store = {
    ...world.global,
    async apply(...args) {
      if (!isEdited) {
        isEdited = true;
        await update(id, { priority: 9 }, neighbour);
      }
      return world.global.apply(...args);
    },
  };
  assert.equal((await promote(id, "project", { ...world, global })).status, "moved");
  assert.deepEqual([isEdited, await itemIn(world, id, { scope: "global" })], [true, undefined]);
  assert.equal((await itemIn(world, id))?.priority, 9);
});

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

  assert.equal((await promote(id, "project", world)).status, "moved");
  assert.deepEqual((await world.global.report()).counts, []);
  const back = (await world.project.report()).counts.map(({ status, count }) => `${status} ${count}`);
  assert.deepEqual(back.toSorted(), ["active 1", "superseded 61"]);
});

for (const [source, target] of [
  ["project", "global"],
  ["global", "project"],
] as const)
  test(`a ${target} memory of equal content that has expired makes way`, async () => {
    const world = await testWorld();
    const { id: expired } = await keep(world, "The lynx is shy", { scope: target, ttlSeconds: 5 });
    const { id } = await keep(world, "The lynx is shy", { scope: source });
    world.clock.time += 5_000;
    await promote(id, target, world);
    assert.deepEqual(
      [await itemIn(world, expired, { scope: target }), await itemIn(world, id, { scope: source })],
      [undefined, undefined],
    );
    assert.equal((await itemIn(world, id, { scope: target }))?.status, "active");
  });

test("content that its own predecessor has in the target is no obstacle", async () => {
  const world = await testWorld();
  const { id: first } = await keep(world, "The lynx is shy");
  await assert.rejects(promote(first, "global", { ...world, project: failingOnce(world.project) }), /interrupted/);
  const { id: second } = await update(first, { content: "The lynx was seen at noon", as: "replacement" }, world);
  const { id } = await update(second, { content: "The lynx is shy", as: "replacement" }, world);
  assert.equal((await promote(id, "global", world)).status, "promoted");
  assert.deepEqual((await world.project.report()).counts, []);
  assert.deepEqual(
    [(await itemIn(world, first, { scope: "global" }))?.status, (await itemIn(world, id, { scope: "global" }))?.status],
    ["superseded", "active"],
  );
});

test("nothing that lasts becomes working, and working stays working", async () => {
  const world = await testWorld();
  for (const scope of ["project", "global"] as const) {
    const { id } = await keep(world, `The lynx is ${scope}`, { scope });
    await assert.rejects(promote(id, "working", world), {
      code: "invalid_input",
      message: `Memory ${handleOf(id)} is ${scope}; a lasting memory cannot become working.`,
    });
  }
  const { id } = await keep(world, "The lynx waits", { scope: "working" });
  assert.deepEqual(await promote(id, "working", world), {
    status: "unchanged",
    id,
    scope: "working",
    relationsLeft: 0,
  });
});

test("closed and unknown ones are refused, and so is a second of equal content", async () => {
  const world = await testWorld();
  const { id: wide } = await keep(world, "The lynx is shy", { scope: "global" });
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
  await assert.rejects(
    promote(wide, "project", world),
    (thrown: { code: string; message: string }) =>
      thrown.code === "conflict" && thrown.message.includes(handleOf(twin)),
  );
  assert.equal((await itemIn(world, wide, { scope: "global" }))?.status, "active");
  assert.equal(await itemIn(world, wide), undefined);
});

test("where either store cannot be written, nothing is written", async () => {
  const world = await testWorld();
  const { id: wide } = await keep(world, "The lynx is shy", { scope: "global" });
  const { id: near } = await keep(world, "The otter is bold");
  const closed = (store: Store): Store => ({
    ...store,
    readOnly: true,
    apply: async () => {
      throw new Failure("unavailable", "The data folder cannot be written.", "Check its permissions.");
    },
  });
  for (const name of ["project", "global"] as const) {
    const locked = { ...world, [name]: closed(world[name]) };
    await assert.rejects(promote(wide, "project", locked), { code: "unavailable" });
    await assert.rejects(promote(near, "global", locked), { code: "unavailable" });
  }
  const copies = [await itemIn(world, wide), await itemIn(world, near, { scope: "global" })];
  assert.deepEqual(copies, [undefined, undefined]);
});

test("a dry run answers alike and moves nothing; an unknown scope names the known ones", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The lynx is shy", { scope: "global" });
  const { answer, changes } = await dispatch(operations.promote, { id, scope: "project" }, world, { dryRun: true });
  assert.partialDeepStrictEqual(answer, { status: "moved", id, scope: "project", call: null });
  assert.deepEqual(
    changes.map(({ kind }) => kind),
    ["insert_item", "remove_item"],
  );
  const { items } = await listItems({ shelves: ["memory"], filter: {}, limit: 9, offset: 0 }, world);
  assert.deepEqual(
    items.map((item) => [item.id, item.scope]),
    [[id, "global"]],
  );
  for (const scope of ["working", "planet"]) {
    await assert.rejects(dispatch(operations.promote, { id, scope }, world), (thrown) => {
      assert.ok(thrown instanceof Failure && thrown.code === "invalid_input");
      assert.match(`${thrown.message} ${thrown.hint}`, /project.*global/);
      return true;
    });
  }
});

test("what has expired is not brought back to life", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "a passing thought", { scope: "working", ttlSeconds: 5 });
  world.clock.time += 6_000;
  await assert.rejects(promote(id, "project", world), { code: "not_found" });
  await assert.rejects(promote(id, "global", world), { code: "not_found" });
});
