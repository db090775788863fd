/** What somebody says about two memories, given what is there already. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Relation } from "../../src/graph/edge.ts";
import { type Edge, isSymmetric, newEdge, possibleEdgeIds } from "../../src/graph/edges.ts";
import { planLink, planUnlink } from "../../src/graph/link.ts";
import type { Change } from "../../src/journal/change.ts";
import { newItem } from "../store/suite/trial.ts";

const [a, b] = [newItem({ id: "a" }), newItem({ id: "b" })];
const NOW = 7;

const edge = (set: Partial<Edge> = {}): Edge =>
  newEdge({
    shelf: "memory",
    source: "a",
    target: "b",
    relation: "relates_to",
    strength: 1,
    bidirectional: true,
    status: "active",
    createdAt: 1,
    ...set,
  });
const back = { source: "b", target: "a" };
const dismissed = { status: "dismissed" as const };
const suggestion = edge({ ...back, made: true, status: "suggested", strength: 0.45 });

/** "+" an insertion, "-" a removal, "x" a closing. */
const said = (changes: readonly Change[]): string[] =>
  changes.map((change) => {
    if (change.kind === "insert_edge")
      return `+${change.edge.source}${change.edge.target} ${change.edge.relation} ${change.edge.strength} ${change.edge.status}`;
    return change.kind === "remove_edge" ? "-" : `x${"id" in change ? change.id : ""}`;
  });

const link = (between: Edge[], set: { relation?: Relation; strength?: number } = {}) => {
  const { status, changes } = planLink({ source: a, target: b, relation: "relates_to", ...set }, between, NOW);
  return [status, ...said(changes)];
};

const linking: [what: string, answer: string[], expected: string[]][] = [
  ["nothing is there", link([]), ["linked", "+ab relates_to 1 active"]],
  ["it is there", link([edge()]), ["unchanged"]],
  ["it is there the other way round", link([edge(back)]), ["unchanged"]],
  ["it was weaker", link([edge({ strength: 0.5 })], { strength: 0.8 }), ["linked", "-", "+ab relates_to 0.8 active"]],
  ["it was dismissed", link([edge({ ...back, ...dismissed })]), ["linked", "-", "+ab relates_to 1 active"]],
  ["it is suggested", link([suggestion]), ["accepted", "+ab relates_to 0.45 active"]],
  ["it is suggested weaker", link([suggestion], { strength: 0.9 }), ["accepted", "+ab relates_to 0.9 active"]],
  [
    "a directed one is there the other way round",
    link([edge({ ...back, relation: "refines", bidirectional: false })], { relation: "refines" }),
    ["linked", "+ab refines 1 active"],
  ],
  ["another relation is suggested", link([suggestion], { relation: "refines" }), ["linked", "+ab refines 1 active"]],
  ["one replaces the other", link([], { relation: "supersedes" }), ["linked", "xb", "+ab supersedes 1 active"]],
];
for (const [what, answer, expected] of linking) test(`linking when ${what}`, () => assert.deepEqual(answer, expected));

const unlink = (between: Edge[], relation?: Relation) => said(planUnlink(relation, between, NOW).changes);
const refines = edge({ relation: "refines", bidirectional: false });

const unlinking: [what: string, answer: string[], expected: string[]][] = [
  ["nothing is there", unlink([]), []],
  ["it was dismissed before", unlink([edge(dismissed), edge({ ...back, made: true, ...dismissed })]), []],
  ["one is there", unlink([edge()]), ["-"]],
  ["several are there", unlink([edge(), refines]), ["-", "-"]],
  ["one of several is meant", unlink([edge(), refines], "refines"), ["-"]],
  ["another is meant", unlink([edge()], "refines"), []],
  ["it is suggested", unlink([suggestion]), ["+ba relates_to 0.45 dismissed"]],
  ["it was made", unlink([edge({ made: true, strength: 0.7 })]), ["+ab relates_to 0.7 dismissed"]],
  [
    "it was accepted",
    unlink([edge(), edge({ made: true, strength: 0.45, ...dismissed })]),
    ["-", "+ab relates_to 0.45 dismissed"],
  ],
  ["the made one gave way to another relation", unlink([refines, edge({ made: true, ...dismissed })]), ["-"]],
  [
    "another relation than the made one is meant",
    unlink([refines, edge({ made: true, ...dismissed })], "refines"),
    ["-"],
  ],
];
for (const [what, answer, expected] of unlinking)
  test(`unlinking when ${what}`, () => assert.deepEqual(answer, expected));

test("every edge that unlinking dismisses is listed", () => {
  const accepted = [edge(), edge({ ...back, made: true, strength: 0.45, ...dismissed })];
  assert.deepEqual(planUnlink(undefined, accepted, NOW).edges, accepted);
  assert.deepEqual(planUnlink(undefined, [refines, accepted[1]!], NOW).edges, [refines]);
});

/** Applies changes to the edges between two, as a store does. */
function applied(between: readonly Edge[], changes: readonly Change[]): Edge[] {
  const edges = new Map(between.map((one) => [one.id, one]));
  for (const change of changes) {
    if (change.kind === "remove_edge") assert.ok(edges.delete(change.id), "only what is there is removed");
    if (change.kind !== "insert_edge") continue;
    assert.ok(!edges.has(change.edge.id), "only what is not there is inserted");
    edges.set(change.edge.id, change.edge);
  }
  return [...edges.values()];
}

const anyEdge = fc
  .record({
    isBack: fc.boolean(),
    relation: fc.constantFrom(...Relation.options),
    status: fc.constantFrom("active" as const, "dismissed" as const),
    isMade: fc.boolean(),
  })
  .map(({ isBack, relation, status, isMade }) =>
    isMade
      ? edge({ ...(isBack && back), made: true, strength: 0.45, status })
      : edge({ ...(isBack && back), relation, status, bidirectional: isSymmetric(relation) }),
  );
const anyBetween = fc.uniqueArray(anyEdge, { selector: ({ id }) => id, maxLength: 6 });

test("whatever is there: linking twice is linking once, unlinking leaves nothing, and dismissed stays dismissed", () => {
  fc.assert(
    fc.property(anyBetween, fc.constantFrom(...Relation.options), (between, relation) => {
      const request = { source: a, target: b, relation };
      const linked = applied(between, planLink(request, between, NOW).changes);
      assert.equal(planLink(request, linked, NOW).status, "unchanged");
      const unlinked = applied(linked, planUnlink(undefined, linked, NOW).changes);
      assert.ok(unlinked.filter(({ made }) => !made).every(({ status }) => status === "dismissed"));
      const isStated = linked.some((one) => !one.made && one.status === "active" && one.relation === "relates_to");
      const isMade = linked.some(({ made, status }) => made && (isStated || status === "active"));
      assert.ok(!isMade || unlinked.some(({ made, status }) => !made && status === "dismissed"));
      for (const { id } of [...linked, ...unlinked]) assert.ok(possibleEdgeIds("memory", "a", "b").includes(id));
    }),
  );
});
