/** Opening a space: one for each project, kept through `git init`, agreed on by processes that race. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSpace, takeOver, tellApart, type Whereabouts } from "../../src/memory/open-space.ts";
import { temporaryFolder, type TestWorld, testWorld } from "../test-world.ts";

const repository: Whereabouts = { key: "/a/.git", root: "/a", remote: "origin", firstCommit: "abc" };
const present = () => false;
const gone = () => true;

test("a new place is registered once and found again", async () => {
  const { global, clock, ids } = await testWorld();
  const first = await openSpace(repository, { global, clock, ids, isGone: present });
  assert.deepEqual(await global.spaces(), [{ ...repository, id: first.id, createdAt: clock.time }]);
  const again = await openSpace(repository, { global, clock, ids, isGone: present });
  assert.equal(again.id, first.id);
  const other = await openSpace({ ...repository, key: "/b/.git", root: "/b" }, { global, clock, ids, isGone: present });
  assert.notEqual(other.id, first.id, "a copy is another project");
});

test("a folder keeps its space when it becomes a repository", async () => {
  const { global, clock, ids } = await testWorld();
  const folder = { key: "/a", root: "/a", remote: null, firstCommit: null };
  const before = await openSpace(folder, { global, clock, ids, isGone: present });
  const after = await openSpace(repository, { global, clock, ids, isGone: present });
  assert.equal(after.id, before.id);
  assert.deepEqual(await global.spaces(), [{ ...repository, id: before.id, createdAt: before.createdAt }]);
});

const copy = { ...repository, key: "/c/.git", root: "/c" };
const keys = async ({ global }: TestWorld) =>
  Object.fromEntries((await global.spaces()).map(({ id, key }) => [id, key]));

test("whatever looks like a project that is gone begins anew, and a person may say that it is the same", async () => {
  const world = await testWorld();
  const before = await openSpace(repository, { ...world, isGone: present });
  world.clock.time += 1_000;
  const told: string[] = [];
  const registry = { ...world, isGone: gone, onLookalike: ({ id }: { id: string }) => told.push(id) };
  const first = await openSpace(copy, registry);
  assert.notEqual(first.id, before.id, "its memory is not handed over");
  assert.equal((await openSpace(copy, registry)).id, first.id);
  assert.deepEqual(told, [before.id, before.id], "and that is told each time");
  await assert.rejects(takeOver(first.id, copy, registry), { code: "conflict" });
  await takeOver(before.id, copy, registry);
  assert.deepEqual(await keys(world), { [before.id]: "/c/.git", [first.id]: "/a/.git" }, "what was here is set aside");
  assert.equal((await openSpace(copy, registry)).id, before.id);
  assert.equal(told.length, 2, "there is nothing more to say");
});

test("a project that a person tells apart is not offered again", async () => {
  const world = await testWorld();
  const before = await openSpace(repository, { ...world, isGone: present });
  world.clock.time += 1_000;
  const told: string[] = [];
  const registry = { ...world, isGone: gone, onLookalike: ({ id }: { id: string }) => told.push(id) };
  const { id } = await openSpace(copy, registry);
  await tellApart(before.id, copy, registry);
  assert.equal((await openSpace(copy, registry)).id, id);
  assert.deepEqual(told, [before.id]);
  assert.deepEqual(await keys(world), { [before.id]: "/a/.git", [id]: "/c/.git" });
});

test("processes that register the same place at once agree on its id", async () => {
  const folder = temporaryFolder();
  const worlds = [];
  for (let count = 0; count < 4; count += 1) worlds.push(await testWorld({ folder }));
  const opened = await Promise.all(worlds.map((world) => openSpace(repository, { ...world, isGone: present })));
  assert.equal(new Set(opened.map(({ id }) => id)).size, 1);
  assert.equal((await worlds[0]!.global.spaces()).length, 1);
});

test("a home that cannot be written gives an unregistered space", async () => {
  const { global, clock, ids } = await testWorld();
  const space = await openSpace(repository, { global: { ...global, readOnly: true }, clock, ids, isGone: present });
  assert.equal(space.key, repository.key);
  assert.deepEqual(await global.spaces(), []);
});
