/** What taking calls back writes of edges. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Edge, newEdge } from "../../src/graph/edges.ts";
import type { EdgeImage, EdgeRecord, Gone } from "../../src/journal/journal.ts";
import { type EdgeGoal, edgeGoalsOf, type Goal, planEdgeRollback } from "../../src/journal/rollback-rules.ts";
import { newItem } from "../store/suite/trial.ts";

const edge: Edge = newEdge({
  shelf: "memory",
  source: "a",
  target: "b",
  relation: "relates_to",
  strength: 0.5,
  bidirectional: true,
  status: "active",
  createdAt: 1,
});
const stronger = { ...edge, strength: 0.9 };

const gone = (why: Gone): EdgeImage => ({ item: null, edge: null, why });
const there = (one: Edge): EdgeImage => ({ item: null, edge: one });
const record = (seq: number, call: string, before: EdgeImage, after: EdgeImage): EdgeRecord => ({
  seq,
  transaction: seq,
  at: seq,
  verb: "link",
  host: "cli",
  session: "s",
  call,
  space: "space",
  kind: before.edge ? "remove_edge" : "insert_edge",
  shelf: "memory",
  itemId: edge.id,
  before,
  after,
  passages: null,
});
const came = (seq: number, call: string, one = edge) => record(seq, call, gone("absent"), there(one));
const went = (seq: number, call: string, one = edge) => record(seq, call, there(one), gone("absent"));

/** Oldest first: what happened, what is there now, and what taking back `mine` makes of it. */
const cases: [string, EdgeRecord[], Edge | null, { from: Edge | null; to: Edge | null } | "nothing" | "refused"][] = [
  ["what came goes", [came(1, "mine")], edge, { from: edge, to: null }],
  ["what went comes back", [came(1, "other"), went(2, "mine")], null, { from: null, to: edge }],
  ["what is as it was stays", [came(1, "mine"), went(2, "other")], null, "nothing"],
  ["what came and went again stays", [came(1, "mine"), went(2, "mine")], null, "nothing"],
  [
    "what was said anew says the old again",
    [came(1, "x"), went(2, "mine"), came(3, "mine", stronger)],
    stronger,
    { from: stronger, to: edge },
  ],
  [
    "what others took and brought back does not stand in the way",
    [came(1, "mine"), went(2, "x"), came(3, "y")],
    edge,
    { from: edge, to: null },
  ],
  [
    "what another made of it stands in the way",
    [came(1, "mine"), went(2, "x"), came(3, "x", stronger)],
    stronger,
    "refused",
  ],
  ["what others did alone stays", [came(1, "x"), went(2, "y"), came(3, "x")], edge, "nothing"],
  ["what ended without a record stays away", [came(1, "mine")], null, "nothing"],
  ["what was erased stays away", [came(1, "x"), record(2, "mine", gone("erased"), gone("absent"))], null, "nothing"],
];
for (const [title, oldestFirst, now, expected] of cases) {
  test(title, () => {
    const current = new Map(now ? [[edge.id, now]] : []);
    const found = edgeGoalsOf({ calls: new Set(["mine"]), records: oldestFirst.toReversed(), current });
    if (expected === "refused") {
      const said = { why: "changed since", shelf: "memory", isEdge: true, call: "x", verb: "link" };
      const refusal = { ...said, id: "a relates to b" };
      assert.deepEqual(found, { refusal });
    } else {
      const goals = "goals" in found ? found.goals.map(({ from, to }) => ({ from, to })) : found;
      assert.deepEqual(goals, expected === "nothing" ? [] : [expected]);
    }
  });
}

const goal: EdgeGoal = { shelf: "memory", id: edge.id, from: null, to: edge, entries: 1 };
const item = (id: string, from: boolean, to: boolean): Goal => ({
  shelf: "memory",
  id,
  kept: null,
  since: 1,
  entries: 1,
  from: from ? newItem({ id }) : null,
  to: to ? newItem({ id }) : null,
});
const insertion = { edges: [goal], changes: [{ kind: "insert_edge", edge }] };

test("edges come back after their ends, and go before them", () => {
  const back = planEdgeRollback([goal], [item("a", false, true)], new Map([["a", "mine"]]));
  assert.deepEqual(back, { going: [], coming: [insertion] });
  const away = { ...goal, from: edge, to: null };
  assert.deepEqual(planEdgeRollback([away], [item("a", true, false)], new Map()), {
    going: [{ edges: [away], changes: [{ kind: "remove_edge", shelf: "memory", id: edge.id }] }],
    coming: [],
  });
});

test("one that went with an item stays away when its other end is gone; one that went by itself is refused", () => {
  const missing = new Map([
    ["a", "mine"],
    ["b", "other"],
  ]);
  assert.deepEqual(planEdgeRollback([goal], [item("a", false, true)], missing), { going: [], coming: [] });
  const refusal = { why: "loose end", shelf: "memory", edge: "a relates to b", other: "b", call: "other" };
  assert.deepEqual(planEdgeRollback([goal], [], new Map([["b", "other"]])), { refusal });
  for (const changed of [item("a", true, true), item("a", true, false)])
    assert.ok(
      "refusal" in planEdgeRollback([goal], [changed], new Map([["b", "other"]])),
      "nor does one that stays carry it",
    );
});

test("one that is said anew goes and comes, and counts once", () => {
  const anew = { ...goal, from: stronger };
  assert.deepEqual(planEdgeRollback([anew], [], new Map()), {
    going: [{ edges: [], changes: [{ kind: "remove_edge", shelf: "memory", id: edge.id }] }],
    coming: [{ edges: [anew], changes: [{ kind: "insert_edge", edge }] }],
  });
});
