/** Edges in the life of a store: taken back, exported, imported, promoted and erased with what they tie. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { type Edge, EDGE_SHELVES } from "../../src/graph/edges.ts";
import { audit } from "../../src/journal/audit.ts";
import type { Change } from "../../src/journal/change.ts";
import { rollback } from "../../src/journal/rollback.ts";
import auditVerb from "../../src/journal/verbs/audit.ts";
import { erase } from "../../src/memory/forget.ts";
import { handleOf } from "../../src/memory/handles.ts";
import { removing } from "../../src/memory/item-changes.ts";
import type { Item } from "../../src/memory/item.ts";
import { promote } from "../../src/memory/move.ts";
import type { Store } from "../../src/store/store.ts";
import { exportItems } from "../../src/transfer/export.ts";
import { importItems } from "../../src/transfer/import.ts";
import importVerb from "../../src/transfer/verbs/import.ts";
import type { World } from "../../src/world.ts";
import { READER } from "../catalog/reader.ts";
import { edgeBetween } from "../store/suite/edges.ts";
import { insertion, newItem } from "../store/suite/trial.ts";
import { ask, itemIn, keep, temporaryFolder, type TestWorld, testWorld } from "../test-world.ts";
import { EVERYTHING } from "../transfer/export-rounds.ts";

const during = (world: TestWorld, call: string): World => ({ ...world, origin: { ...world.origin, call } });

async function write(store: Store, call: string, ...changes: Change[]): Promise<void> {
  const origin = { verb: "link", host: "test", session: "s", call, space: "space" };
  const applied = await store.apply(changes, origin);
  assert.equal(applied.status, "applied", applied.status === "conflict" ? applied.reason : "");
}

const insert = (edge: Edge): Change => ({ kind: "insert_edge", edge });
const undo = (world: TestWorld, call: string, undoing: string) => rollback({ call }, during(world, undoing));

async function edgesIn({ project, global }: World): Promise<Edge[]> {
  const all = [];
  for (const store of [project, global])
    for (const shelf of EDGE_SHELVES) all.push(...(await store.walkEdges(shelf, { after: null, limit: 100 })));
  return all;
}

/** Three memories, and edges from the first to the others. */
async function tied(world: TestWorld): Promise<{ items: [Item, Item, Item]; edges: [Edge, Edge] }> {
  const items: [Item, Item, Item] = [newItem(), newItem(), newItem()];
  const [one, two, three] = items;
  const edges: [Edge, Edge] = [edgeBetween("memory", one, two), edgeBetween("memory", three, one, { strength: 0.9 })];
  await write(world.project, "items", ...items.map((item) => insertion("memory", item)));
  await write(world.project, "edges", ...edges.map(insert));
  return { items, edges };
}

const byId = (edges: readonly Edge[]): Edge[] => edges.toSorted((one, two) => (one.id < two.id ? -1 : 1));

test("the audit names an edge by its ends", async () => {
  const world = await testWorld();
  const { items, edges } = await tied(world);
  await write(world.project, "unlink", { kind: "remove_edge", shelf: "memory", id: edges[0].id });
  const shown = auditVerb.render(await audit({ query: {}, limit: 3, offset: 0, verify: false }, world), READER);
  const [one, two, three] = items.map(({ id }) => handleOf(id));
  assert.deepEqual(
    shown.split("\n").filter((line) => line.startsWith("  ")),
    [
      `  removed edge ${one} relates to ${two}, project 6`,
      `  added edge ${three} relates to ${one}, project 5`,
      `  added edge ${one} relates to ${two}, project 4`,
    ],
  );
});

test("edges are taken back and brought back by themselves, exactly", async () => {
  const world = await testWorld();
  const { edges } = await tied(world);
  const undone = await undo(world, "edges", "back");
  assert.deepEqual([undone.status, undone.edges, undone.undone, undone.items], ["rolled_back", 2, 2, []]);
  assert.deepEqual(await edgesIn(world), []);
  assert.equal((await undo(world, "back", "again")).edges, 2);
  assert.deepEqual(await edgesIn(world), byId(edges));
  assert.equal((await undo(world, "back", "nothing")).status, "unchanged");
});

test("an item that comes back brings its edges; one to what has gone meanwhile stays away", async () => {
  const world = await testWorld();
  const { items, edges } = await tied(world);
  await write(world.project, "gone", removing("memory", items[0]));
  assert.deepEqual(await edgesIn(world), []);
  await undo(world, "gone", "back");
  assert.deepEqual(await edgesIn(world), byId(edges));
  await write(world.project, "gone2", removing("memory", items[0]));
  await write(world.project, "other", removing("memory", items[1]));
  assert.equal((await undo(world, "gone2", "back2")).edges, 1);
  assert.deepEqual(await edgesIn(world), [edges[1]]);
});

test("an item that is taken back takes edges with it that were made since, and they come back with it", async () => {
  const world = await testWorld();
  const { edges } = await tied(world);
  await undo(world, "items", "back");
  assert.deepEqual([await edgesIn(world), (await world.project.filledShelves()).length], [[], 0]);
  await undo(world, "back", "again");
  assert.deepEqual(await edgesIn(world), byId(edges));
});

test("an edge that was removed by itself is not brought back without its ends", async () => {
  const world = await testWorld();
  const { items, edges } = await tied(world);
  await write(world.project, "unlink", { kind: "remove_edge", shelf: "memory", id: edges[0].id });
  await write(world.project, "gone", removing("memory", items[1]));
  const head = await world.project.chainHead();
  const [source, target] = items.map(({ id }) => handleOf(id));
  const refusal = {
    code: "conflict",
    message: `The edge \`${source} relates to ${target}\` cannot be restored, because ${target} no longer exists.`,
    hint: "Roll back gone first.",
  };
  await assert.rejects(undo(world, "unlink", "back"), refusal);
  assert.deepEqual(await world.project.chainHead(), head);
  await undo(world, "gone", "one");
  await undo(world, "unlink", "two");
  assert.deepEqual(await edgesIn(world), byId(edges));
});

test("an edge that somebody made anew is not taken back", async () => {
  const world = await testWorld();
  const { edges } = await tied(world);
  const { shelf, id } = edges[0];
  await write(world.project, "other", { kind: "remove_edge", shelf, id }, insert({ ...edges[0], strength: 1 }));
  await assert.rejects(undo(world, "edges", "back"), { code: "conflict", hint: "Roll back other first." });
});

test("the account tells who tied what, and holds", async () => {
  const world = await testWorld();
  const { items, edges } = await tied(world);
  await write(world.project, "unlink", { kind: "remove_edge", shelf: "memory", id: edges[0].id });
  const { entries, verification } = await audit(
    { id: edges[0].id, query: {}, limit: 9, offset: 0, verify: true },
    world,
  );
  const said = {
    source: items[0].id,
    target: items[1].id,
    relation: "relates_to",
    strength: 0.5,
    bidirectional: true,
    status: "active",
    createdAt: "1970-01-01T00:00:00.007Z",
  };
  assert.deepEqual(
    entries.map(({ kind, before, after, beforeNote, afterNote }) => [kind, before, after, beforeNote, afterNote]),
    [
      ["remove_edge", said, null, null, null],
      ["insert_edge", null, said, null, null],
    ],
  );
  assert.deepEqual([verification?.ok, verification?.count], [true, 0]);
});

test("erasing an item leaves a sound account, and what its edges were cannot be brought back", async () => {
  const world = await testWorld();
  const { items, edges } = await tied(world);
  await write(world.project, "gone", removing("memory", items[0]));
  await undo(world, "gone", "back");
  assert.equal((await erase(items[1].id, 5, world)).status, "erased");
  assert.deepEqual(await edgesIn(world), [edges[1]]);
  const { verification } = await audit({ query: {}, limit: 1, offset: 0, verify: true }, world);
  assert.equal(verification?.ok, true);
  // What it was tied to is gone for good, and keeps nothing else from coming back.
  await write(world.project, "gone2", removing("memory", items[0]));
  await undo(world, "gone2", "back2");
  assert.deepEqual(await edgesIn(world), [edges[1]]);
});

const out = (world: TestWorld, path = "out.jsonl", split = false) =>
  exportItems({ ...EVERYTHING, journal: true, path, split }, world);
const linesOf = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n");

test("edges go out and come home, with the journal that tells of them; twice is once", async () => {
  const world = await testWorld();
  const { items, edges } = await tied(world);
  const works = newItem({ scope: "working" });
  await write(world.project, "working", insertion("memory", works), insert(edgeBetween("memory", items[0], works)));
  await write(world.project, "unlink", { kind: "remove_edge", shelf: "memory", id: edges[0].id }, insert(edges[0]));
  for (const split of [false, true]) {
    const { path } = await out(world, split ? "parts" : "out.jsonl", split);
    const home = await testWorld();
    const first = await importItems({ path }, home);
    assert.deepEqual([first.edges, first.conflictCount], [{ inserted: 2, unchanged: 0 }, 0]);
    assert.deepEqual(first.journal.skipped, 0);
    assert.deepEqual(await edgesIn(home), byId(edges));
    const again = await importItems({ path }, home);
    assert.deepEqual([again.edges, again.inserted], [{ inserted: 0, unchanged: 2 }, 0]);
    const { verification } = await audit({ query: {}, limit: 1, offset: 0, verify: true }, home);
    assert.equal(verification?.ok, true);
  }
});

test("an edge without its ends is told and left out; one that differs stays as it is here", async () => {
  const world = await testWorld();
  const { items, edges } = await tied(world);
  const { path } = await out(world);
  const without = linesOf(path).filter((line) => !line.startsWith(`{"line":"item"`) || !line.includes(items[1].id));
  const file = join(temporaryFolder(), "without.jsonl");
  writeFileSync(file, `${without.filter((line) => !/^\{"line":"(entry|head)"/.test(line)).join("\n")}\n`);
  const home = await testWorld();
  const { edges: counts, conflicts } = await importItems({ path: file }, home);
  assert.deepEqual(counts, { inserted: 1, unchanged: 0 });
  const edge = { relation: "relates_to", target: items[1].id };
  const named = { id: items[0].id, handle: handleOf(items[0].id), shelf: "memory", edge };
  const reason = `memory ${handleOf(items[1].id)} does not exist in this store`;
  assert.deepEqual(conflicts, [{ ...named, reason }]);
  const shown = importVerb.render((await dispatch(importVerb, { path: file }, home)).answer);
  assert.ok(shown.includes(`${handleOf(items[0].id)} relates to ${handleOf(items[1].id)} (memory): ${reason}`), shown);
  const { shelf, id } = edges[0];
  await write(world.project, "other", { kind: "remove_edge", shelf, id }, insert({ ...edges[0], strength: 1 }));
  const { conflicts: told } = await importItems({ path }, world);
  assert.deepEqual(told, [{ ...named, reason: "the one in this store is different" }]);
});

test("nobody but a person brings in how decisions are related", async () => {
  const world = await testWorld();
  const items = [newItem({ type: "decision" }), newItem({ type: "decision" })] as const;
  await write(world.project, "items", ...items.map((item) => insertion("decision", item)));
  const { path } = await out(world);
  const edge = edgeBetween("decision", ...items);
  await write(world.project, "edge", insert(edge));
  const { path: later } = await out(world, "later.jsonl");
  const home = await testWorld();
  await importItems({ path }, home);
  for (const by of [{ host: "mcp" }, { byAgent: true }]) {
    const { conflicts } = await importItems({ path: later }, { ...home, origin: { ...home.origin, ...by } });
    assert.match(conflicts[0]?.reason ?? "", /only a person can import/);
  }
  assert.equal((await importItems({ path: later }, home)).edges.inserted, 1);
});

test("a file that relates the same two twice, or one to itself, is refused whole", async () => {
  const world = await testWorld();
  await tied(world);
  const { path } = await out(world);
  const lines = linesOf(path);
  const line = lines.find((one) => one.startsWith(`{"line":"edge"`)) ?? assert.fail("no edge");
  const itself = line.replace(/"target":"[^"]+"/, `"target":${JSON.stringify(JSON.parse(line).source)}`);
  for (const [added, fault] of [
    [line, /repeats the edge of an earlier line/],
    [itself, /has a wrong target: it is the source/],
    [line.replace("relates_to", "resembles"), /has a wrong relation/],
    [line.replace(/"strength":[\d.]+/, `"strength":2`), /has a wrong strength/],
  ] as const) {
    const file = join(temporaryFolder(), "bad.jsonl");
    const at = lines.indexOf(line) + 1;
    writeFileSync(file, `${[...lines.slice(0, at), added, ...lines.slice(at)].join("\n")}\n`);
    const home = await testWorld();
    await assert.rejects(importItems({ path: file }, home), { code: "invalid_input", message: fault });
    assert.deepEqual(await home.project.filledShelves(), []);
  }
});

test("promotion takes along the edges within a chain, and a rollback brings the others back", async () => {
  const world = await testWorld();
  const { id: old } = await keep(world, "The heron stands");
  const { id } = await keep(world, "The heron flies", { supersedes: old });
  const { id: stays } = await keep(world, "The otter swims");
  const [one, two, three] = [await itemIn(world, id), await itemIn(world, old), await itemIn(world, stays)];
  assert.ok(one && two && three);
  const edges = [edgeBetween("memory", one, two, { relation: "derived_from" }), edgeBetween("memory", one, three)];
  await write(world.project, "edges", ...edges.map(insert));
  assert.equal((await promote(id, "global", during(world, "up"))).relationsLeft, 1);
  assert.deepEqual(await world.global.walkEdges("memory", { after: null, limit: 9 }), [edges[0]]);
  assert.deepEqual(await world.project.walkEdges("memory", { after: null, limit: 9 }), []);
  await promote(id, "project", during(world, "back"));
  assert.deepEqual(await world.global.walkEdges("memory", { after: null, limit: 9 }), []);
  assert.deepEqual(await world.project.walkEdges("memory", { after: null, limit: 9 }), [edges[0]]);
  await undo(world, "back", "again");
  await undo(world, "up", "down");
  assert.deepEqual(await world.global.walkEdges("memory", { after: null, limit: 9 }), []);
  assert.deepEqual(await world.project.walkEdges("memory", { after: null, limit: 9 }), byId(edges));
});

test("a hit names its neighbours, and those of what it replaced, with one read for each step", async () => {
  const world = await testWorld();
  const { id: old } = await keep(world, "The heron stands in the reeds");
  const { id } = await keep(world, "The heron flies over the reeds", { supersedes: old });
  const others = await Promise.all(
    ["red", "blue", "green"].map(async (colour) => (await keep(world, `A ${colour} boat`)).id),
  );
  const items = new Map((await world.project.items("memory", [id, old, ...others])).map((item) => [item.id, item]));
  const between = (source: string, target: string, set: Partial<Edge>) =>
    insert(edgeBetween("memory", items.get(source)!, items.get(target)!, set));
  await write(
    world.project,
    "edges",
    between(id, others[0]!, { strength: 0.3 }),
    between(others[1]!, old, { strength: 0.8 }),
    between(id, others[2]!, { status: "suggested" }),
    between(id, old, { relation: "refines" }),
  );
  // The first search gives what was written its vectors, and compares it.
  await ask(world, "where does the heron fly");
  let reads = 0;
  const counting = {
    ...world.project,
    edgesOf: (...asked: Parameters<Store["edgesOf"]>) => ((reads += 1), world.project.edgesOf(...asked)),
  };
  const { hits } = await ask({ ...world, project: counting }, "where does the heron fly");
  assert.deepEqual(hits.find((hit) => hit.id === id)?.related, [others[1], others[0]]);
  assert.deepEqual(hits.find((hit) => hit.id === others[1])?.related, [id, others[0]]);
  // And one for what was settled of those near each other, and one for the conditions.
  assert.equal(reads, 4);
});
