/** Where edges lead. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Edge, edgeId, nearestWithin, neighboursOf, newEdge } from "../../src/graph/edges.ts";

const edge = (source: string, target: string, strength: number, relation: Edge["relation"] = "relates_to"): Edge =>
  newEdge({
    shelf: "memory",
    source,
    target,
    relation,
    strength,
    bidirectional: false,
    status: "active",
    createdAt: 1,
  });

test("from either end, each once by its strongest edge, the strongest first; ties by id", () => {
  const edges = [
    edge("a", "b", 0.2),
    edge("b", "a", 0.6, "refines"),
    edge("c", "a", 0.6),
    edge("old", "d", 0.9),
    edge("a", "old", 1),
    edge("x", "y", 1),
  ];
  assert.deepEqual(neighboursOf(new Set(["a", "old"]), edges), [
    { id: "d", strength: 0.9 },
    { id: "b", strength: 0.6 },
    { id: "c", strength: 0.6 },
  ]);
  assert.deepEqual(neighboursOf(new Set(), edges), []);
});

test("the same relation of the same two has one id, and any other has another", () => {
  const ties = { shelf: "memory", source: "a", target: "b", relation: "refines" } as const;
  const others = [
    { ...ties, shelf: "decision" as const },
    { ...ties, source: "b", target: "a" },
    { ...ties, relation: "relates_to" as const },
    { ...ties, source: "a b" },
  ];
  assert.equal(edgeId(ties), edgeId({ ...ties }));
  assert.equal(new Set([ties, ...others].map(edgeId)).size, 5);
});

test("within two steps: nearer ones first, each once, at most so many", () => {
  const first = [edge("a", "b", 0.5), edge("c", "a", 0.9)];
  const second = [edge("b", "d", 0.4), edge("c", "e", 0.8), edge("b", "c", 1), edge("a", "b", 0.5), edge("x", "y", 1)];
  const within = (most: number) => nearestWithin(new Set(["a"]), [first, second], most);
  assert.deepEqual(within(9), ["c", "b", "e", "d"]);
  assert.deepEqual(within(3), ["c", "b", "e"]);
  assert.deepEqual(within(1), ["c"]);
  assert.deepEqual(nearestWithin(new Set(["a"]), [first, []], 9), ["c", "b"]);
});
