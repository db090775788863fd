/** Linking by hand: what is said is kept, undone exactly, and refused when it makes no sense. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import type { Relation } from "../../src/graph/edges.ts";
import { linkMemories } from "../../src/graph/link-memories.ts";
import { link, unlink } from "../../src/graph/link.ts";
import { relatedTo } from "../../src/graph/related-to.ts";
import { traverse } from "../../src/graph/traverse.ts";
import related from "../../src/graph/verbs/related.ts";
import { rollback } from "../../src/journal/rollback.ts";
import { forget } from "../../src/memory/forget.ts";
import { handleOf } from "../../src/memory/handles.ts";
import type { World } from "../../src/world.ts";
import { ask, itemIn, keep, type TestWorld, testWorld } from "../test-world.ts";

const BASE = "alpha bravo charlie delta echo";
const during = (world: TestWorld, call: string): World => ({ ...world, origin: { ...world.origin, call } });
const tie = (world: World, source: string, target: string, relation: Relation = "relates_to", strength?: number) =>
  link({ source, target }, { relation, strength }, world);
const untie = (world: World, source: string, target: string, relation?: Relation) =>
  unlink({ source, target }, relation, world);

const shown = async (world: World, id: string) =>
  (await relatedTo(id, 10, world)).map(({ id: other, by, suggested }) => [other, ...by, ...(suggested ? ["?"] : [])]);

async function wholeStore({ project, global }: World): Promise<unknown> {
  const all = [];
  for (const store of [project, global])
    all.push(
      await store.walkEdges("memory", { after: null, limit: 100 }),
      (await store.walk("memory", { after: null, limit: 100 })).map(({ item }) => item),
      (await store.journal({}, { limit: 1, offset: 0 })).total,
    );
  return all;
}

/** Two memories that are linked by a suggestion, and a call for each thing done to them. */
async function suggested(world: TestWorld): Promise<[string, string]> {
  const one = await keep(world, BASE);
  const two = await keep(world, "alpha bravo charlie golf hotel");
  await linkMemories(world.project, world);
  assert.deepEqual(await shown(world, one.id), [[two.id, "relates_to", "?"]]);
  return [one.id, two.id];
}

test("a relation is made, shown from both ends, changed and taken back", async () => {
  const world = await testWorld();
  const [one, two] = [(await keep(world, "Uses Postgres")).id, (await keep(world, "Pool size is 20")).id];
  assert.equal((await tie(world, handleOf(two), one, "refines")).status, "linked");
  assert.equal((await tie(world, two, one, "refines")).status, "unchanged");
  assert.equal((await tie(world, two, one, "refines", 0.5)).edge.strength, 0.5);
  assert.deepEqual(await shown(world, one), [[two, "refines"]]);
  const [seen] = await relatedTo(two, 10, world);
  assert.deepEqual([seen?.strength, seen?.direction, seen?.likeness], [0.5, "outgoing", null]);
  assert.equal((await untie(world, one, two)).edges.length, 1);
  assert.deepEqual(await shown(world, one), []);
});

test("the text says which of two memories is what to the other", async () => {
  const world = await testWorld();
  const ids: string[] = [];
  for (const text of ["Uses Postgres", "Pool size is 20", "Set in pool.ts"]) ids.push((await keep(world, text)).id);
  const [one, two, three] = ids as [string, string, string];
  await tie(world, two, one, "refines", 0.5);
  await tie(world, one, two, "derived_from", 0.4);
  await tie(world, one, three, "contradicts");
  const textOf = async (target: string) => related.render((await dispatch(related, { target }, world)).answer);
  assert.equal(
    await textOf(one),
    `${handleOf(three)}  Set in pool.ts  (contradicts it 1.00)\n` +
      `${handleOf(two)}  Pool size is 20  (refines it, basis of it 0.50)`,
  );
  assert.equal(await textOf(two), `${handleOf(one)}  Uses Postgres  (refined by it, derived from it 0.50)`);
  await tie(world, two, three, "supersedes");
  assert.match(await textOf(two), /Set in pool\.ts {2}\(superseded by it 1\.00; outdated\)/);
  assert.match(await textOf(three), /Pool size is 20 {2}\(supersedes it 1\.00\)/);
});

test("a suggestion is accepted, and undoing that leaves a suggestion", async () => {
  const world = await testWorld();
  const [one, two] = await suggested(world);
  const { status, edge } = await tie(during(world, "accept"), one, two);
  assert.deepEqual([status, edge.strength], ["accepted", 3 / 7]);
  assert.deepEqual(await shown(world, one), [[two, "relates_to"]]);
  await rollback({ call: "accept" }, during(world, "undo"));
  assert.deepEqual(await shown(world, one), [[two, "relates_to", "?"]]);
  await rollback({ call: "undo" }, during(world, "redo"));
  assert.deepEqual(await shown(world, one), [[two, "relates_to"]]);
});

test("a dismissed suggestion never returns, until dismissing it is undone or somebody links the two", async () => {
  const world = await testWorld();
  const [one, two] = await suggested(world);
  await untie(during(world, "dismiss"), two, one);
  assert.deepEqual(await shown(world, one), []);
  await keep(world, "alpha bravo charlie hotel");
  await linkMemories(world.project, world);
  assert.ok(!(await shown(world, one)).some(([other]) => other === two));
  await rollback({ call: "dismiss" }, during(world, "undo"));
  assert.ok((await shown(world, one)).some(([other, , mark]) => other === two && mark === "?"));
  await untie(world, one, two);
  await tie(world, one, two);
  assert.ok((await shown(world, two)).some(([other, , mark]) => other === one && mark === undefined));
});

test("a successor ends its predecessor, and undoing that restores both", async () => {
  const world = await testWorld();
  const [old, fresh] = [(await keep(world, "Uses Postgres 15")).id, (await keep(world, "Uses Postgres 16")).id];
  const before = await itemIn(world, old);
  const newest = (await keep(world, "Uses MySQL")).id;
  await tie(during(world, "replace"), fresh, old, "supersedes");
  await tie(during(world, "later"), newest, fresh, "supersedes");
  assert.equal((await itemIn(world, old))?.supersededBy, fresh);
  const after = await wholeStore(world);
  for (const [source, target] of [
    [old, fresh],
    [old, newest],
    [newest, old],
  ] as const)
    await assert.rejects(tie(world, source, target, "supersedes"), {
      code: "conflict",
      message: /superseded; it cannot/,
    });
  await assert.rejects(untie(world, old, fresh), { code: "conflict", message: /belongs to a replacement/ });
  assert.deepEqual(await wholeStore(world), after);
  await rollback({ call: "later" }, during(world, "earlier"));
  await rollback({ call: "replace" }, during(world, "undo"));
  assert.deepEqual(await itemIn(world, old), before);
  assert.deepEqual(await shown(world, old), []);
});

test("two memories never replace each other: not by a rollback, and not by two calls at once", async () => {
  const world = await testWorld();
  const [one, two] = [(await keep(world, "Uses Postgres 15")).id, (await keep(world, "Uses Postgres 16")).id];
  await tie(during(world, "first"), one, two, "supersedes");
  await rollback({ call: "first" }, during(world, "undo"));
  await tie(during(world, "second"), two, one, "supersedes");
  const before = await wholeStore(world);
  await assert.rejects(rollback({ call: "undo" }, during(world, "redo")), {
    code: "conflict",
    message: /would be replaced again, but it has itself replaced/,
    hint: "Roll back second first.",
  });
  assert.deepEqual(await wholeStore(world), before);
  await rollback({ call: "second" }, during(world, "undo second"));
  const both = await Promise.allSettled([tie(world, one, two, "supersedes"), tie(world, two, one, "supersedes")]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  const known = await Promise.all(["Port 8080", "Port 9090"].map(async (text) => (await keep(world, text)).id));
  await Promise.all([
    keep(world, "Port 8080", { supersedes: known[1]! }),
    keep(world, "Port 9090", { supersedes: known[0]! }),
  ]);
  const ports = (await world.project.walk("memory", { after: null, limit: 100 })).map(({ item }) => item);
  assert.equal(ports.filter(({ content, status }) => content.startsWith("Port") && status === "active").length, 1);
});

test("a memory forgotten at the same time replaces nothing", async () => {
  const world = await testWorld();
  const [old, fresh] = [(await keep(world, "Uses Postgres 15")).id, (await keep(world, "Uses Postgres 16")).id];
  const { apply } = world.project;
  let isForgotten = false;
  // The other call comes between reading and writing.
  const project = {
    ...world.project,
    apply: async (...given: Parameters<typeof apply>) => {
      if (!isForgotten) await forget(fresh, 5, world);
      isForgotten = true;
      return apply(...given);
    },
  };
  await assert.rejects(tie({ ...world, project }, fresh, old, "supersedes"), {
    code: "conflict",
    message: /is archived; it cannot supersede another/,
    hint: `Bring it back first: \`stele update ${handleOf(fresh)} --status active\`.`,
  });
  assert.equal((await itemIn(world, old))?.status, "active");
});

test("relations follow a memory to its successor, from both ends", async () => {
  const world = await testWorld();
  const [one, two] = [(await keep(world, "Uses Postgres 15")).id, (await keep(world, "Pool size is 20")).id];
  const far = (await keep(world, "Ann owns the database")).id;
  await tie(world, two, one, "refines");
  await tie(world, one, far);
  const next = (await keep(world, "Uses Postgres 16", { supersedes: one })).id;
  const last = (await keep(world, "Uses Postgres 17", { supersedes: next })).id;
  const pool = (await keep(world, "Pool size is 40", { supersedes: two })).id;
  assert.deepEqual(await shown(world, pool), [[last, "refines"]]);
  assert.deepEqual(
    (await shown(world, last)).toSorted(),
    [
      [pool, "refines"],
      [far, "relates_to"],
    ].toSorted(),
  );
  const request = { depth: 2, direction: "both", minimumStrength: 0, limit: 50 } as const;
  const reached = await traverse(pool, request, world);
  assert.deepEqual(reached.items.map(({ item, depth }) => [item.id, depth]), [[pool, 0], [last, 1], [far, 2]]); // prettier-ignore
  const { hits } = await ask(world, "Pool size");
  assert.deepEqual(hits.find(({ id }) => id === pool)?.related, [last, far]);
  const stated = (await keep(world, "Uses MySQL")).id;
  await tie(world, stated, last, "supersedes");
  const { answer } = await dispatch(related, { target: stated }, world);
  assert.match(related.render(answer), new RegExp(`${handleOf(last)}  .*superseded by it 1.00; outdated\\)`));
});

test("what makes no sense is refused, and nothing is changed", async () => {
  const world = await testWorld();
  const one = (await keep(world, "One thing")).id;
  const two = (await keep(world, "Another thing")).id;
  const own = (await keep(world, "Everywhere", { scope: "global" })).id;
  const brief = (await keep(world, "For now", { scope: "working" })).id;
  const before = await wholeStore(world);
  const refusals: [Promise<unknown>, string, RegExp][] = [
    [tie(world, one, one), "invalid_input", /no edge to itself/],
    [tie(world, one, handleOf(one)), "invalid_input", /no edge to itself/],
    [tie(world, one, "unknown"), "not_found", /no memory unknown/],
    [tie(world, "unknown", one), "not_found", /no memory unknown/],
    [tie(world, one, own), "invalid_input", /is global and .* belongs to this project; an edge cannot connect two/],
    [tie(world, own, one), "invalid_input", /an edge cannot connect two stores/],
    [untie(world, one, own), "invalid_input", /an edge cannot connect two stores/],
    [tie(world, one, brief), "invalid_input", /is working; only lasting memories can be linked/],
    [tie(world, brief, one), "invalid_input", /is working; only lasting/],
    [keep(world, "New", { relates: [one], scope: "working" }), "invalid_input", /would be working; only lasting/],
    [keep(world, "New", { relates: [brief] }), "invalid_input", /is working; only lasting/],
    [untie(world, one, two), "not_found", /are not linked\./],
    [untie(world, one, two, "refines"), "not_found", /are not linked by refines/],
    [keep(world, "New", { relates: [own] }), "invalid_input", /an edge cannot connect two stores/],
    [keep(world, "New", { relates: ["unknown"] }), "not_found", /no memory unknown/],
    [keep(world, "New", { relates: [one], type: "decision" }), "invalid_input", /relates to decisions/],
  ];
  for (const [refused, code, message] of refusals) await assert.rejects(refused, { code, message });
  assert.deepEqual(await wholeStore(world), before);
});

test("a memory is remembered with its relations, in one call that is undone as one", async () => {
  const world = await testWorld();
  const old = (await keep(world, "Uses Postgres")).id;
  const { id } = await keep(during(world, "new"), "The pool holds 20 connections", { relates: [handleOf(old)] });
  assert.deepEqual(await shown(world, old), [[id, "relates_to"]]);
  const again = await keep(during(world, "again"), "The pool holds 20 connections", { relates: [old] });
  assert.deepEqual([again.status, again.isOnRecord], ["duplicate", false], "it is related already");
  await rollback({ call: "new" }, during(world, "undo"));
  assert.deepEqual([await itemIn(world, id), await shown(world, old)], [undefined, []]);
});
