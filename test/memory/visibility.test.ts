/** Two projects of one person: what is learnt in one stays there, unless it is meant for all. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { newEdge } from "../../src/graph/edges.ts";
import { forget } from "../../src/memory/forget.ts";
import { handleOf } from "../../src/memory/handles.ts";
import { getItem, listItems } from "../../src/memory/list.ts";
import { promote } from "../../src/memory/move.ts";
import type { RememberRequest } from "../../src/memory/remember.ts";
import { itemsWithPrefix } from "../../src/memory/resolve-id.ts";
import type { Store } from "../../src/store/store.ts";
import { ask, keep, neighbourOf, type TestWorld, testWorld } from "../test-world.ts";

const seed = { routing: { preset: "seed" } } as const;

async function seenIn(world: TestWorld, query: string): Promise<string[]> {
  const { hits } = await ask(world, query, { mode: "keyword" });
  const { items } = await listItems({ shelves: ["memory"], filter: {}, limit: 50, offset: 0 }, world);
  const listed = items.map(({ id }) => id);
  const found = hits.map(({ id }) => id);
  assert.deepEqual(found.toSorted(), listed.toSorted(), "a search and a list show the same");
  return found;
}

const LEARNT: readonly [content: string, set: Partial<RememberRequest>, isShared: boolean, why: string][] = [
  ["The lynx likes tabs", { type: "preference" }, true, "a preference"],
  ["The lynx indents with tabs", { type: "convention" }, false, "a convention"],
  ["The lynx wraps its errors", { type: "pattern" }, false, "a pattern"],
  ["export function lynx() {}", { type: "code" }, false, "generic code"],
  ["The lynx is shy", {}, false, "a fact"],
  ["The lynx indents with tabs", { type: "convention", scope: "global" }, true, "a scope"],
  ["The lynx indents with tabs", { type: "convention", tags: ["global"] }, true, "a tag"],
  ["In all my projects the lynx indents with tabs", { type: "convention" }, true, "the text"],
  ["In this project the lynx likes tabs", { type: "preference" }, false, "a preference about this project"],
];
for (const [content, set, isShared, why] of LEARNT)
  test(`${why} ${isShared ? "is" : "is not"} shown in another project`, async () => {
    const here = await testWorld();
    const there = await neighbourOf(here);
    const { id } = await keep(here, content, set);
    assert.deepEqual(await seenIn(here, "lynx"), [id]);
    assert.deepEqual(await seenIn(there, "lynx"), isShared ? [id] : []);
  });

test("what only its type made global is shown where it was learnt, and can be read by its id everywhere", async () => {
  const here = await testWorld();
  const there = await neighbourOf(here);
  const { id, scope } = await keep({ ...here, settings: (await testWorld(seed)).settings }, "The lynx indents", {
    type: "convention",
  });
  assert.equal(scope, "global");
  assert.deepEqual(await seenIn(here, "lynx"), [id]);
  assert.deepEqual(await seenIn(there, "lynx"), []);
  assert.equal((await getItem({ id: handleOf(id) }, there)).memory.id, id);
  assert.deepEqual(await forget("the shy lynx", 5, there), { status: "nothing", candidates: [] });
  const named = async (world: TestWorld) =>
    (await itemsWithPrefix(handleOf(id).slice(0, 4), "forgettable", world)).map((item) => item.id);
  assert.deepEqual([await named(here), await named(there)], [[id], []]);
  const mistyped = handleOf(id).replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
  await assert.rejects(getItem({ id: mistyped }, here), { code: "not_found", hint: /The lynx indents/ });
  await assert.rejects(getItem({ id: mistyped }, there), (thrown: { code: string; hint: string }) => {
    return thrown.code === "not_found" && !thrown.hint.includes("lynx");
  });
});

test("the seed's preset shares conventions, patterns and generic code, and shows everything", async () => {
  const here = await testWorld(seed);
  const there = await neighbourOf(here, seed);
  const ids = [
    (await keep(here, "The lynx indents with tabs", { type: "convention" })).id,
    (await keep(here, "The lynx wraps its errors", { type: "pattern" })).id,
    (await keep(here, "export function lynx() {}", { type: "code" })).id,
  ];
  assert.deepEqual((await seenIn(there, "lynx")).toSorted(), ids.toSorted());
});

const WIDENED: readonly [string, (world: TestWorld, id: string) => Promise<unknown>][] = [
  ["promoting it", (world, id) => promote(id, "global", world)],
  ["promoting it elsewhere", (world, id) => promote(id, "global", world)],
  ["saying it again with the scope", (world) => keep(world, "The lynx indents", { scope: "global" })],
  ["saying it again as a preference", (world) => keep(world, "The lynx indents", { type: "preference" })],
];
for (const [what, act] of WIDENED)
  test(`a convention that only its type made global is shown everywhere after ${what}`, async () => {
    const here = await testWorld();
    const there = await neighbourOf(here);
    const seeded = { ...here, settings: (await testWorld(seed)).settings };
    const { id } = await keep(seeded, "The lynx indents", { type: "convention" });
    await act(what.endsWith("elsewhere") ? there : here, id);
    assert.deepEqual(await seenIn(there, "lynx"), [id]);
    assert.deepEqual(await seenIn(here, "lynx"), [id]);
  });

test("a successor is shown where its predecessor was", async () => {
  const here = await testWorld();
  const there = await neighbourOf(here);
  const seeded = { ...here, settings: (await testWorld(seed)).settings };
  const { id: bound } = await keep(seeded, "The lynx indents", { type: "convention" });
  const { id: shared } = await keep(here, "The lynx hunts", { type: "convention", scope: "global" });
  const { id: next } = await keep(here, "The lynx aligns", { type: "convention", supersedes: bound });
  const { id: last } = await keep(here, "The lynx sleeps", { type: "convention", supersedes: shared });
  assert.deepEqual((await seenIn(here, "lynx")).toSorted(), [next, last].toSorted());
  assert.deepEqual(await seenIn(there, "lynx"), [last]);
});

test("a successor from another project is shown where its predecessor was", async () => {
  const here = await testWorld();
  const there = await neighbourOf(here);
  const seeded = { ...here, settings: (await testWorld(seed)).settings };
  const { id: bound } = await keep(seeded, "The lynx indents", { type: "convention" });
  const { id: next } = await keep(there, "The lynx aligns", { type: "convention", supersedes: bound });
  assert.deepEqual([await seenIn(here, "lynx"), await seenIn(there, "lynx")], [[next], []]);
});

for (const [type, set] of [
  ["convention", { scope: "global" }],
  ["preference", {}],
] as const)
  test(`a convention that only its type makes global is shown everywhere if the ${type} it replaces was`, async () => {
    const here = await testWorld();
    const there = await neighbourOf(here);
    const seeded = { ...here, settings: (await testWorld(seed)).settings };
    const { id: shared } = await keep(here, "The lynx indents", { type, ...set });
    const { id: next } = await keep(seeded, "The lynx aligns", { type: "convention", supersedes: shared });
    assert.deepEqual([await seenIn(here, "lynx"), await seenIn(there, "lynx")], [[next], [next]]);
  });

test("a hit does not name related memories that are not shown", async () => {
  const here = await testWorld();
  const there = await neighbourOf(here);
  const seeded = { ...here, settings: (await testWorld(seed)).settings };
  const { id: bound } = await keep(seeded, "The otter indents", { type: "convention" });
  const { id } = await keep(here, "The lynx likes tabs", { type: "preference" });
  const edge = newEdge({
    shelf: "memory",
    source: id,
    target: bound,
    relation: "relates_to",
    strength: 1,
    bidirectional: true,
    status: "active",
    createdAt: 1,
  });
  await here.global.apply([{ kind: "insert_edge", edge }], here.origin);
  const related = async (world: TestWorld) => (await ask(world, "lynx", { mode: "keyword" })).hits[0]?.related;
  assert.deepEqual([await related(here), await related(there)], [[bound], []]);
});

test("a hit does not name a related memory that another process has just removed", async () => {
  const world = await testWorld();
  const { id: gone } = await keep(world, "The otter is bold", { scope: "global" });
  const { id } = await keep(world, "The lynx is shy", { scope: "global" });
  const edge = newEdge({
    shelf: "memory",
    source: id,
    target: gone,
    relation: "relates_to",
    strength: 1,
    bidirectional: true,
    status: "active",
    createdAt: 1,
  });
  await world.global.apply([{ kind: "insert_edge", edge }], world.origin);
  const edgesOf: Store["edgesOf"] = async (...args) => {
    const edges = await world.global.edgesOf(...args);
    await world.global.apply([{ kind: "purge_items", ids: [gone], queries: [] }], world.origin);
    return edges;
  };
  const { hits } = await ask({ ...world, global: { ...world.global, edgesOf } }, "lynx", { mode: "keyword" });
  assert.deepEqual(
    hits.map((hit) => [hit.id, hit.related]),
    [[id, []]],
  );
});

test("a new global memory is compared only with what its project is shown", async () => {
  const here = await testWorld();
  const there = await neighbourOf(here);
  const seeded = { ...here, settings: (await testWorld(seed)).settings };
  const { id } = await keep(seeded, "The lynx listens on port 81", { type: "convention" });
  const similar = async (world: TestWorld, port: number) =>
    (await keep(world, `The lynx listens on port ${port}`, { scope: "global", compare: true })).near;
  assert.deepEqual(await similar(there, 82), []);
  assert.ok((await similar(here, 83)).some((one) => one.id === id));
});
