/** Walking a graph: what is one step on, and that it ends. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Direction, directionFrom, type Edge, newEdge, nextLevel, type Reached } from "../../src/graph/edges.ts";

const edge = (source: string, target: string, strength = 0.5, bidirectional = false): Edge =>
  newEdge({
    shelf: "memory",
    source,
    target,
    relation: "refines",
    strength,
    bidirectional,
    status: "active",
    createdAt: 1,
  });
const start = (id: string): Reached => ({ id, depth: 0, via: null, from: null });
const EDGES = [edge("a", "b"), edge("c", "a", 0.9), edge("d", "a", 0.7, true), edge("x", "y")];

const cases: [Direction, string[]][] = [
  ["outgoing", ["d", "b"]],
  ["incoming", ["c", "d"]],
  ["both", ["c", "d", "b"]],
];
for (const [direction, expected] of cases)
  test(`${direction} edges, strongest first; symmetric ones are followed either way`, () => {
    const level = nextLevel([start("a")], EDGES, new Set(["a"]), direction);
    assert.deepEqual(
      level.map(({ id }) => id),
      expected,
    );
    assert.ok(level.every(({ depth, from }) => depth === 1 && from === "a"));
  });

test("the direction of an edge depends on the end it is seen from, unless it holds both ways", () => {
  assert.equal(directionFrom("a", edge("a", "b")), "outgoing");
  assert.equal(directionFrom("b", edge("a", "b")), "incoming");
  assert.equal(directionFrom("b", edge("a", "b", 1, true)), "both");
});

const node = fc.constantFrom(..."abcdefgh");
const graph = fc.array(
  fc.record({ source: node, target: node, strength: fc.constantFrom(0.2, 0.5, 0.9), isBoth: fc.boolean() }),
  { maxLength: 30 },
);

test("in any graph, cycles included: each item once, at its least depth, by an edge from the level before", () => {
  fc.assert(
    fc.property(graph, fc.constantFrom<Direction>("outgoing", "incoming", "both"), (drawn, direction) => {
      const edges = drawn
        .filter(({ source, target }) => source !== target)
        .map(({ source, target, strength, isBoth }) => edge(source, target, strength, isBoth));
      const reached = [start("a")];
      const seen = new Set(["a"]);
      for (let level = [...reached]; level.length > 0; ) {
        level = nextLevel(level, edges, seen, direction);
        for (const one of level) seen.add(one.id);
        reached.push(...level);
      }
      assert.equal(new Set(reached.map(({ id }) => id)).size, reached.length);
      const depths = leastDepths(edges, direction);
      assert.deepEqual(new Map(reached.map(({ id, depth }) => [id, depth])), depths);
      for (const { depth, from, via } of reached) if (via && from) assert.equal(depths.get(from), depth - 1);
    }),
  );
});

/** By relaxing every edge until nothing changes. */
function leastDepths(edges: readonly Edge[], direction: Direction): Map<string, number> {
  const depths = new Map([["a", 0]]);
  const steps = edges.flatMap(({ source, target, bidirectional }) => [
    ...(bidirectional || direction !== "incoming" ? [[source, target] as const] : []),
    ...(bidirectional || direction !== "outgoing" ? [[target, source] as const] : []),
  ]);
  for (let round = 0; round < 8; round += 1)
    for (const [from, to] of steps) {
      const depth = (depths.get(from) ?? Infinity) + 1;
      if (depth < (depths.get(to) ?? Infinity)) depths.set(to, depth);
    }
  return depths;
}
