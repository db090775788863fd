/** Updating: better words correct, other words replace, and what is closed stays closed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { handleOf } from "../../src/memory/handles.ts";
import { getItem } from "../../src/memory/list.ts";
import { update } from "../../src/memory/update.ts";
import type { Store } from "../../src/store/store.ts";
import { ask, itemIn, keep, testWorld } from "../test-world.ts";
import { operations } from "../whole-catalog.ts";

test("better wording corrects in place, and the new words are found instead of the old", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Deploys need the corporate VPN and approval");
  const answer = await update(id, { content: "Deploys need the corporate VPN and an approval stamp" }, world);
  assert.deepEqual([answer.status, answer.id, answer.supersedes], ["revised", id, null]);
  const item = await itemIn(world, id);
  assert.deepEqual([item?.version, item?.content], [2, "Deploys need the corporate VPN and an approval stamp"]);
  assert.equal((await ask(world, "stamp", { mode: "keyword" })).hits[0]?.id, id);
});

test("other content replaces: a new memory opens, the old one is its history", async () => {
  const world = await testWorld();
  const { id: old } = await keep(world, "Tests run on Jenkins", { tags: ["ci"], priority: 8 });
  const { status, id, supersedes } = await update(old, { content: "GitHub runs the checks" }, world);
  assert.deepEqual([status, supersedes], ["replaced", old]);
  const successor = await itemIn(world, id);
  assert.deepEqual([successor?.tags, successor?.priority, successor?.version], [["ci"], 8, 1]);
  assert.equal((await itemIn(world, old))?.supersededBy, id);
  const { hits } = await ask(world, "jenkins", { mode: "keyword" });
  assert.deepEqual(
    hits.map((hit) => [hit.id, hit.history.map((past) => past.id)]),
    [[id, [old]]],
  );
});

test("the caller's word on which of the two it is decides", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Tests run on Jenkins");
  assert.equal((await update(id, { content: "GitHub runs the checks", as: "revision" }, world)).status, "revised");
  assert.equal((await update(id, { content: "GitHub runs the checks!", as: "replacement" }, world)).status, "replaced");
});

test("tags, title and priority change the memory and what finds it; nothing changes nothing", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Tests run on Jenkins", { tags: ["old"] });
  await update(id, { tags: ["fresh"], title: "Pipelines", priority: 9 }, world);
  for (const query of ["fresh", "pipelines"]) {
    assert.equal((await ask(world, query, { mode: "keyword" })).hits[0]?.id, id, query);
  }
  assert.deepEqual((await ask(world, "old", { mode: "keyword" })).hits, []);
  const before = await itemIn(world, id);
  assert.equal((await update(id, { tags: ["fresh"], priority: 9 }, world)).status, "unchanged");
  await world.afterwards.settle();
  assert.equal((await itemIn(world, id))?.version, before?.version);
});

test("what is closed no longer changes, and what nobody knows is not found", async () => {
  const world = await testWorld();
  const { id: old } = await keep(world, "Port 8080");
  const { id: newer } = await keep(world, "Port 9090", { supersedes: old });
  await assert.rejects(
    update(old, { priority: 1 }, world),
    (thrown: { code: string; hint: string }) => thrown.code === "conflict" && thrown.hint.includes(handleOf(newer)),
  );
  await assert.rejects(update("nobody", { priority: 1 }, world), { code: "not_found" });
});

test("two memories cannot come to say the same, and the failure names the other", async () => {
  const world = await testWorld();
  const { id: one } = await keep(world, "Port 8080");
  const { id: two } = await keep(world, "Port 9090");
  for (const as of ["revision", "replacement"] as const) {
    await assert.rejects(
      update(two, { content: "Port 8080", as }, world),
      (thrown: { code: string; message: string }) =>
        thrown.code === "conflict" && thrown.message.includes(handleOf(one)),
    );
  }
  assert.deepEqual([(await itemIn(world, two))?.content, (await itemIn(world, two))?.version], ["Port 9090", 1]);
});

test("a successor says who wrote it; a correction leaves that alone", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Port 8080", { source: "extraction" });
  const other = { ...world, origin: { verb: "update", host: "mcp", session: "later", call: "later", space: "space" } };
  await update(id, { priority: 9 }, other);
  const before = await itemIn(world, id);
  assert.deepEqual([before?.host, before?.session, before?.source], ["test", "session", "extraction"]);
  const { id: successor } = await update(id, { content: "Port 9090", as: "replacement" }, other);
  const after = await itemIn(world, successor);
  assert.deepEqual([after?.host, after?.session, after?.source], ["mcp", "later", "ai_inferred"]);
});

for (const as of ["revision", "replacement"] as const) {
  test(`an expired memory that says the same makes way for a ${as}`, async () => {
    const world = await testWorld();
    const { id: expired } = await keep(world, "Port 9090", { scope: "project", ttlSeconds: 5 });
    const { id } = await keep(world, "Port 8080");
    world.clock.time += 5_000;
    const { id: holds } = await update(id, { content: "Port 9090", as }, world);
    assert.equal(await itemIn(world, expired), undefined);
    assert.equal((await itemIn(world, holds))?.content, "Port 9090");
  });
}

test("what has expired is not found, by none who names it", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Port 8080", { scope: "project", ttlSeconds: 5 });
  world.clock.time += 5_000;
  await assert.rejects(update(id, { priority: 1 }, world), { code: "not_found" });
  await assert.rejects(getItem({ id: id }, world), { code: "not_found" });
  await assert.rejects(keep(world, "Port 9090", { supersedes: id }), { code: "not_found" });
});

for (const [source, target] of [
  ["working", "project"],
  ["working", "global"],
  ["project", "global"],
  ["global", "project"],
] as const) {
  const store = (scope: string) => ({ scope: scope === "global" ? "global" : "project" }) as const;

  test(`a scope alone moves it from ${source} to ${target}, and twice is once`, async () => {
    const world = await testWorld();
    const { id } = await keep(world, "Port 8080", { scope: source });
    const answer = await update(id, { scope: target }, world);
    assert.partialDeepStrictEqual(answer, { status: "revised", id, scope: target, isMoved: true, isOnRecord: true });
    const item = await itemIn(world, id, store(target));
    assert.deepEqual([item?.scope, item?.expiresAt, item?.details["routedBy"]], [target, null, "caller"]);
    const again = await update(id, { scope: target }, world);
    assert.partialDeepStrictEqual(again, { status: "unchanged", id, scope: target, isMoved: false });
  });

  test(`a scope with other changes makes both, from ${source} to ${target}`, async () => {
    const world = await testWorld();
    const { id } = await keep(world, "Port 8080", { scope: source });
    const revised = await update(id, { scope: target, priority: 9, tags: ["net"] }, world);
    assert.partialDeepStrictEqual(revised, { status: "revised", id, isMoved: true });
    assert.partialDeepStrictEqual(await itemIn(world, id, store(target)), {
      priority: 9,
      tags: ["net"],
      scope: target,
    });
    assert.equal((await ask(world, "net", { mode: "keyword" })).hits[0]?.id, id);

    const { id: old } = await keep(world, "Tests run on Jenkins", { scope: source });
    const replaced = await update(old, { scope: target, content: "GitHub runs the checks" }, world);
    assert.partialDeepStrictEqual(replaced, { status: "replaced", supersedes: old, scope: target, isMoved: true });
    assert.partialDeepStrictEqual(await itemIn(world, replaced.id, store(target)), {
      content: "GitHub runs the checks",
      scope: target,
      status: "active",
      expiresAt: null,
    });
    assert.equal((await itemIn(world, old, store(target)))?.supersededBy, replaced.id);
    const { hits } = await ask(world, "jenkins", { mode: "keyword" });
    assert.deepEqual(
      hits.map((hit) => [hit.id, hit.history.map((past) => past.id)]),
      [[replaced.id, [old]]],
    );
    if (store(source).scope !== store(target).scope) {
      for (const gone of [id, old, replaced.id]) assert.equal(await itemIn(world, gone, store(source)), undefined);
    }
  });

  test(`a dry run answers alike and changes nothing, from ${source} to ${target}`, async () => {
    const world = await testWorld();
    const { id } = await keep(world, "Port 8080", { scope: source });
    const before = await itemIn(world, id, store(source));
    const input = { id, scope: target, content: "Sockets only", as: "replacement" };
    const { answer } = await dispatch(operations.update, input, world, { dryRun: true });
    assert.partialDeepStrictEqual(answer, {
      status: "replaced",
      supersedes: id,
      scope: target,
      moved: true,
      call: null,
    });
    assert.deepEqual(await itemIn(world, id, store(source)), before);
    const all = [await world.project.report(), await world.global.report()].flatMap(({ counts }) => counts);
    assert.deepEqual(
      all.map(({ count }) => count),
      [1],
    );
  });
}

test("only the new content must be free where it goes, and a refusal changes nothing", async () => {
  const world = await testWorld();
  const { id: there } = await keep(world, "Port 8080", { scope: "global" });
  const { id } = await keep(world, "Port 8080", { scope: "project" });
  const { id: other } = await keep(world, "Port 7070", { scope: "project" });
  await assert.rejects(
    update(other, { scope: "global", content: "Port 8080", as: "revision" }, world),
    (thrown: { code: string; message: string }) =>
      thrown.code === "conflict" && thrown.message.includes(handleOf(there)),
  );
  assert.deepEqual([(await itemIn(world, other))?.content, (await itemIn(world, other))?.version], ["Port 7070", 1]);
  for (const as of ["revision", "replacement"] as const) {
    const content = `Port 9090, as a ${as}`;
    const { id: moved } = await update(as === "revision" ? id : other, { scope: "global", content, as }, world);
    assert.equal((await itemIn(world, moved, { scope: "global" }))?.content, content);
  }
});

for (const as of ["revision", "replacement"] as const)
  test(`interrupted between the stores, an update that moves (${as}) is completed by moving what it made`, async () => {
    const world = await testWorld();
    const { id: old } = await keep(world, "Port 8080", { scope: "global" });
    world.clock.time += 1_000;
    const global: Store = {
      ...world.global,
      apply: async () => {
        throw new Error("interrupted");
      },
    };
    const edit = { scope: "project", content: "Port 9090", as } as const;
    await assert.rejects(update(old, edit, { ...world, global }), /interrupted/);
    const { items } = await world.project.list("memory", { statuses: ["active"], now: 0 }, { limit: 9, offset: 0 });
    assert.deepEqual(
      items.map(({ content }) => content),
      ["Port 9090"],
    );
    const { id, status } = await update(items[0]!.id, edit, world);
    assert.deepEqual([id, status], [items[0]!.id, "revised"]);
    assert.deepEqual((await world.global.report()).counts, []);
    assert.equal((await itemIn(world, id))?.content, "Port 9090");
  });

test("a change at the source while it moves restarts both, and there is one successor", async () => {
  const world = await testWorld();
  const { id: old } = await keep(world, "Port 8080", { scope: "project" });
  let isEdited = false;
  const project: Store = {
    ...world.project,
    async apply(...args) {
      if (!isEdited) {
        isEdited = true;
        await update(old, { priority: 9 }, { ...world, global: world.project });
      }
      return world.project.apply(...args);
    },
  };
  const edit = { scope: "global", content: "Port 9090", as: "replacement" } as const;
  const { id } = await update(old, edit, { ...world, project });
  assert.deepEqual([isEdited, (await world.project.report()).counts], [true, []]);
  assert.partialDeepStrictEqual(await itemIn(world, id, { scope: "global" }), { content: "Port 9090", priority: 9 });
  const counts = (await world.global.report()).counts.map(({ status, count }) => `${status} ${count}`);
  assert.deepEqual(counts.toSorted(), ["active 1", "superseded 1"]);
});

test("what is closed does not move", async () => {
  const world = await testWorld();
  const { id: old } = await keep(world, "Port 8080");
  const { id: newer } = await keep(world, "Port 9090", { supersedes: old });
  await assert.rejects(
    update(old, { scope: "global" }, world),
    (thrown: { code: string; hint: string }) => thrown.code === "conflict" && thrown.hint.includes(handleOf(newer)),
  );
});
