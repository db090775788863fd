/** Walking from one memory to others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import type { Relation } from "../../src/graph/edges.ts";
import { link } from "../../src/graph/link.ts";
import { traverse, type TraverseRequest } from "../../src/graph/traverse.ts";
import traverseVerb from "../../src/graph/verbs/traverse.ts";
import { forget } from "../../src/memory/forget.ts";
import { handleOf } from "../../src/memory/handles.ts";
import type { World } from "../../src/world.ts";
import { keep, testWorld } from "../test-world.ts";

const PLAIN: TraverseRequest = { depth: 2, direction: "both", minimumStrength: 0, limit: 50 };

/** Memories named by letters, and edges between them such as "a refines b 0.5". */
async function graphOf(world: World, ...edges: string[]): Promise<(letter: string) => string> {
  const ids = new Map<string, string>();
  const idOf = async (letter: string) => {
    if (!ids.has(letter)) ids.set(letter, (await keep(world, `memory ${letter}`)).id);
    return ids.get(letter)!;
  };
  for (const edge of edges) {
    const [source, relation, target, strength] = edge.split(" ") as [string, Relation, string, string?];
    const ends = { source: await idOf(source), target: await idOf(target) };
    await link(ends, { relation, strength: strength === undefined ? undefined : Number(strength) }, world);
  }
  return (letter) => ids.get(letter)!;
}

async function walk(world: World, id: string, set: Partial<TraverseRequest> = {}): Promise<string[]> {
  const { items } = await traverse(id, { ...PLAIN, ...set }, world);
  return items.map(({ item, depth }) => `${item.content.split(" ")[1]}${depth}`);
}

test("breadth first, by depth, relation, direction and strength", async () => {
  const world = await testWorld();
  const id = await graphOf(
    world,
    "a refines b 0.9",
    "b refines c",
    "c refines d",
    "e derived_from a 0.4",
    "a relates_to f",
  );
  const cases: [Partial<TraverseRequest>, string[]][] = [
    [{}, ["a0", "f1", "b1", "e1", "c2"]],
    [{ depth: 0 }, ["a0"]],
    [{ depth: 1 }, ["a0", "f1", "b1", "e1"]],
    [{ depth: 10 }, ["a0", "f1", "b1", "e1", "c2", "d3"]],
    [{ relations: ["refines"] }, ["a0", "b1", "c2"]],
    [{ direction: "incoming" }, ["a0", "f1", "e1"]],
    [{ direction: "outgoing" }, ["a0", "f1", "b1", "c2"]],
    [{ minimumStrength: 0.5 }, ["a0", "f1", "b1", "c2"]],
    [{ limit: 2 }, ["a0", "f1", "b1"]],
  ];
  for (const [set, expected] of cases) assert.deepEqual(await walk(world, id("a"), set), expected);
  assert.equal((await traverse(id("a"), { ...PLAIN, limit: 2 }, world)).isCut, true);
  assert.equal((await traverse(id("a"), { ...PLAIN, limit: 4 }, world)).isCut, false);
});

test("a cycle ends, and everything in it is reached once", async () => {
  const world = await testWorld();
  const id = await graphOf(world, "a refines b", "b refines c", "c refines a", "c derived_from b");
  assert.deepEqual(await walk(world, id("a"), { depth: 10, direction: "outgoing" }), ["a0", "b1", "c2"]);
});

test("one read of edges for each level, however many items it has", async () => {
  const world = await testWorld();
  const letters = ["b", "c", "d", "e", "f"];
  const id = await graphOf(
    world,
    ...letters.map((letter) => `a refines ${letter}`),
    ...letters.map((letter) => `${letter} refines ${letter}${letter}`),
  );
  const reads: number[] = [];
  const project: World["project"] = {
    ...world.project,
    edgesOf: (shelf, ids, query) => {
      reads.push(ids.length);
      return world.project.edgesOf(shelf, ids, query);
    },
  };
  assert.equal((await traverse(id("a"), PLAIN, { ...world, project })).items.length, 11);
  assert.deepEqual(reads, [1, 5]);
});

test("forgotten memories are not reached, nor what lies behind them; unknown ids are refused", async () => {
  const world = await testWorld();
  const id = await graphOf(world, "a refines b", "b refines c");
  await forget(id("b"), 5, world);
  assert.deepEqual(await walk(world, id("a")), ["a0"]);
  await assert.rejects(traverse("unknown", PLAIN, world), { code: "not_found", message: /memory or decision unknown/ });
});

test("the depth is between 0 and 10, and the answer is readable", async () => {
  const world = await testWorld();
  const id = await graphOf(world, "a refines b 0.5", "c derived_from a 0.4", "a relates_to d 0.3");
  for (const depth of [-1, 11, 1.5])
    await assert.rejects(dispatch(traverseVerb, { id: id("a"), depth }, world), {
      code: "invalid_input",
      message: /depth/,
    });
  const answer = await traverseVerb.run(traverseVerb.input.parse({ id: id("a") }), world, null);
  const a = handleOf(id("a"));
  assert.deepEqual(traverseVerb.render(answer).split("\n"), [
    `${a}  memory a`,
    `  ${handleOf(id("b"))}  memory b  (refined by ${a} 0.50)`,
    `  ${handleOf(id("c"))}  memory c  (derived from ${a} 0.40)`,
    `  ${handleOf(id("d"))}  memory d  (relates to ${a} 0.30)`,
  ]);
});
