/** The graph that the verb tells: the newest items, what is reached from one, or what only is suggested. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { newEdge } from "../../src/graph/edges.ts";
import { link } from "../../src/graph/link.ts";
import relations from "../../src/graph/verbs/relations.ts";
import { forget } from "../../src/memory/forget.ts";
import type { World } from "../../src/world.ts";
import { keep, neighbourOf, testWorld } from "../test-world.ts";

const told = async (world: World, input: object = {}) => (await dispatch(relations, input, world)).answer;
const contents = ({ items }: Awaited<ReturnType<typeof told>>) => items.map(({ summary }) => summary).toSorted();

test("items, relations between them, and the files they name", async () => {
  const world = await testWorld();
  const one = await keep(world, "first", { context: { files: ["src/a.ts"] } });
  const two = await keep(world, "second", { context: { files: ["src/a.ts", "src/b.ts"] } });
  const far = await keep(world, "third", { scope: "global" });
  await link({ source: one.id, target: two.id }, { relation: "refines", strength: 0.5 }, world);
  const answer = await told(world);
  assert.deepEqual(contents(answer), ["first", "second", "third"]);
  const expected = { source: one.id, target: two.id, relation: "refines", strength: 0.5, isSymmetric: false };
  assert.deepEqual(answer.relations, [expected]);
  assert.deepEqual(
    answer.files.map(({ path, items }) => [path, items.toSorted()]).toSorted(),
    [["src/a.ts", [one.id, two.id].toSorted()], ["src/b.ts", [two.id]]], // prettier-ignore
  );
  assert.deepEqual(contents(await told(world, { scope: ["global"] })), ["third"]);
  assert.deepEqual(contents(await told(world, { id: one.id })), ["first", "second"], "only what is reached from it");
  assert.deepEqual(contents(await told(world, { id: far.id })), ["third"]);
  await forget(two.id, 5, world);
  const after = await told(world);
  assert.deepEqual([contents(after), after.relations], [["first", "third"], []]);
});

test("no more than the limit, and it says so", async () => {
  const world = await testWorld();
  for (const text of ["one", "two", "three"]) {
    world.clock.time += 1_000;
    await keep(world, text);
  }
  const answer = await told(world, { limit: 2 });
  assert.deepEqual([contents(answer), answer.isCut], [["three", "two"], true]);
  assert.equal((await told(world, { limit: 3 })).isCut, false);
  assert.match(relations.render(answer), /^2 items, 0 relations, 0 files; there are more\.$/);
  assert.equal(relations.render(await told(await testWorld())), "Nothing is related here.");
});

test("suggested relations are told apart, and never those of memories that are gone or not visible here", async () => {
  const world = await testWorld();
  const [one, two, gone] = [await keep(world, "one"), await keep(world, "two"), await keep(world, "gone")];
  const suggest = (source: string, target: string) => {
    const plain = { shelf: "memory", relation: "relates_to", strength: 0.45, bidirectional: true } as const;
    return newEdge({ ...plain, source, target, status: "suggested", createdAt: 1 });
  };
  const edges = [suggest(one.id, two.id), suggest(two.id, gone.id)];
  await world.project.apply(edges.map((edge) => ({ kind: "insert_edge", edge }) as const), world.origin); // prettier-ignore
  await forget(gone.id, 5, world);
  const answer = await told(world, { suggested: true });
  assert.deepEqual([contents(answer), answer.relations.length, answer.isCut], [["one", "two"], 1, false]);
  assert.deepEqual((await told(world)).relations, [], "it is no relation yet");
  const [mine, other] = [await keep(world, "mine", { scope: "global", type: "fact" }), await keep(world, "other", { scope: "global" })]; // prettier-ignore
  const hidden = suggest(mine.id, other.id);
  await world.global.apply([{ kind: "insert_edge", edge: hidden }], world.origin);
  assert.equal((await told(world, { suggested: true })).relations.length, 2);
  assert.equal((await told(world, { suggested: true, limit: 1 })).isCut, true);
  const neighbour = await told(await neighbourOf(world), { suggested: true });
  assert.deepEqual(contents(neighbour), ["mine", "other"], "what was put into the global scope is for all projects");
});
