/** What waits, what changed and how things hang together, from the answers of the verbs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AT_REST, createLayout } from "../../src/page/graph/settle.ts";
import {
  drawnGraph,
  fileId,
  firstPosition,
  isSameGraph,
  matching,
  neighbourhood,
  startingSpots,
} from "../../src/page/rules/graph-model.ts";
import { conflictsWith } from "../../src/page/rules/import-file.ts";
import { headlineOf, nextKey, waitingIn } from "../../src/page/rules/inbox.ts";
import { callsIn, deedOf, fieldChanges, type JournalEntry, subjectOf } from "../../src/page/rules/journal.ts";

const item = (id: string, set: object = {}) => ({
  id,
  handle: id,
  shelf: "memory",
  type: "fact",
  scope: "project",
  status: "active",
  title: null,
  summary: `about ${id}`,
  createdAt: "2026-01-01T00:00:00Z",
  ...set,
});
const relation = (source: string, target: string) =>
  ({ source, target, relation: "relates_to", strength: 0.5, isSymmetric: true }) as const;
const graph = (set: object = {}) => ({ items: [], relations: [], files: [], isCut: false, ...set }) as never;

test("all that waits is one list; a relation whose ends are not shown is left out", () => {
  const list = waitingIn({
    proposals: [{ handle: "p1", subject: "auth", decision: "Tokens" } as never],
    graph: graph({ items: [item("a"), item("b")], relations: [relation("a", "b"), relation("a", "hidden")] }),
    pairs: [{ first: { handle: "x", text: "one" }, second: { handle: "y" }, likeness: 0.714 } as never],
    conflicts: [{ id: "c", handle: "c", shelf: "memory", reason: "differs", theirs: null }],
  });
  assert.deepEqual(list.map(({ key }) => key), ["c-c", "p1", "a-b", "x+y"]); // prettier-ignore
  assert.deepEqual(list.map(headlineOf), [
    { title: "differs", text: "c" },
    { title: "auth", text: "Tokens" },
    { title: "is related to", text: "about a" },
    { title: "71 % alike", text: "one" },
  ]);
  assert.deepEqual([nextKey(list, "p1"), nextKey(list, "x+y"), nextKey(list, "gone")], ["a-b", "a-b", "c-c"]);
});

test("a conflict is shown with the file's version, and broken lines do no harm", () => {
  const lines = ["{broken", "null", '{"id": 1}', JSON.stringify({ id: "a", title: "T", content: "<b>theirs</b>" })];
  const reported = { handle: "a", shelf: "memory", reason: "differs here" };
  const found = conflictsWith(lines.join("\n"), [
    { ...reported, id: "a", edge: null },
    { ...reported, id: "b", edge: null },
    { ...reported, id: "a", edge: { relation: "refines" } },
  ]);
  assert.deepEqual(found.map(({ id, theirs }) => [id, theirs?.content]), [["a", "<b>theirs</b>"], ["b", undefined]]); // prettier-ignore
});

const entry = (number: number, set: Partial<JournalEntry> = {}): JournalEntry => ({
  call: "one",
  store: "project",
  number,
  at: "2026-01-01T00:00:00Z",
  verb: "update",
  host: "http",
  session: "",
  by: null,
  space: null,
  kind: "revise_item",
  shelf: "memory",
  id: "a",
  handle: "a",
  before: null,
  beforeNote: null,
  after: null,
  afterNote: null,
  ...set,
});

test("changes of one call belong together, those without a call stand alone", () => {
  const calls = callsIn([entry(3), entry(9, { call: "two" }), entry(2), entry(1, { call: null })]);
  assert.deepEqual(calls.map(({ key, entries }) => [key, entries.length]), [["one", 2], ["two", 1], ["project-1", 1]]); // prettier-ignore
  assert.deepEqual(
    [
      { verb: "forget", host: "cli" },
      { verb: "remember", host: "codex" },
      { verb: "import_adr", host: "" },
    ].map(deedOf),
    ["You forgot", "codex remembered", "Somebody ran import adr on"],
  );
});

test("what changed is told by field, without what nobody reads", () => {
  const changed = entry(1, {
    before: { content: "Postgres 15", tags: ["a"], pinned: false, updatedAt: "then" },
    after: { content: "Postgres 16", tags: ["a", "b"], pinned: true, updatedAt: "now" },
  });
  assert.deepEqual(
    fieldChanges(changed).map(({ field, pieces }) => [field, pieces.map(({ kind }) => kind).join(" ")]),
    [
      ["content", "same removed added"],
      ["tags", "removed added"],
      ["pinned", "removed added"],
    ],
  );
  assert.deepEqual([subjectOf(changed), subjectOf(entry(2))], ["Postgres 16", "a"]);
});

const answer = graph({
  items: [item("a"), item("b", { shelf: "decision", title: "Auth" }), item("c", { summary: "x".repeat(90) })],
  relations: [relation("a", "c")],
  files: [
    { path: "src/a.ts", items: ["a", "c"] },
    { path: "src/b.ts", items: ["b"] },
  ],
});

test("the graph has what is asked for, and no line without both ends", () => {
  const all = drawnGraph(answer, new Set(["memory", "decision", "file"]));
  assert.deepEqual(all.nodes.map(({ id, degree }) => [id, degree]), [["a", 2], ["b", 1], ["c", 2], [fileId("src/a.ts"), 2], [fileId("src/b.ts"), 1]]); // prettier-ignore
  assert.ok(all.nodes.every(({ label }) => label.length <= 34));
  const some = drawnGraph(answer, new Set(["decision", "file"]));
  assert.deepEqual([some.nodes.map(({ id }) => id), some.lines.length], [["b", fileId("src/b.ts")], 1]);
  assert.deepEqual([...neighbourhood("a", all.lines)].sort(), ["a", "c", fileId("src/a.ts")]);
  assert.deepEqual([matching("  ", all.nodes), [...matching("SRC b", all.nodes)!]], [null, [fileId("src/b.ts")]]);
  assert.notDeepEqual(firstPosition(1), firstPosition(2));
});

test("what is drawn keeps its place, and what is new begins beside what it is related to", () => {
  const relations = { items: [item("a"), item("b"), item("c")], relations: [relation("a", "c")] };
  const drawn = drawnGraph(graph(relations), new Set(["memory"] as const));
  const known = new Map([
    ["a", { x: 100, y: 200 }],
    ["gone", { x: 1, y: 1 }],
  ]);
  const { spots, newOnes } = startingSpots(drawn, known);
  assert.equal(newOnes, 2);
  assert.deepEqual([spots[0], spots[1]], [known.get("a"), firstPosition(1)]);
  assert.ok(Math.hypot(spots[2]!.x - 100, spots[2]!.y - 200) < 10);
  assert.notDeepEqual(spots[2], spots[0]);
  assert.equal(startingSpots(drawn, new Map(drawn.nodes.map(({ id }) => [id, { x: 0, y: 0 }]))).newOnes, 0);
});

test("a graph that looks the same is not drawn again", () => {
  const kinds = new Set(["memory", "file"] as const);
  const of = (set: object) => drawnGraph(graph({ items: [item("a"), item("b")], ...set }), kinds);
  assert.ok(isSameGraph(of({}), of({})));
  const others = [{ items: [item("a")] }, { items: [item("a"), item("b", { title: "other" })] }];
  for (const other of [...others, { relations: [relation("a", "b")] }, { files: [{ path: "f", items: ["a"] }] }])
    assert.ok(!isSameGraph(of({}), of(other)) && !isSameGraph(of(other), of({})));
});

test("a layout comes to rest, the same way every time, with related nodes nearer than others", () => {
  const order = 60;
  const loose = {
    places: new Float32Array(
      Array.from({ length: order }, (_, node) => firstPosition(node)).flatMap(({ x, y }) => [x, y]),
    ),
    // Two rings that nothing connects.
    lines: new Uint32Array(Array.from({ length: order }, (_, node) => [node, (node + 2) % order]).flat()),
  };
  const run = () => {
    const layout = createLayout(loose);
    let steps = 0;
    for (let resting = 0; resting < 3 && steps < 1_000; steps += 1) resting = layout.step() < AT_REST ? resting + 1 : 0;
    return { steps, ends: layout.places() };
  };
  const { steps, ends } = run();
  assert.ok(steps < 1_000, "it never rests");
  assert.deepEqual(run().ends, ends);
  const distance = (one: number, two: number) =>
    Math.hypot(ends[one * 2]! - ends[two * 2]!, ends[one * 2 + 1]! - ends[two * 2 + 1]!);
  const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
  const nodes = Array.from({ length: order }, (_, node) => node);
  const near = mean(nodes.map((node) => distance(node, (node + 2) % order)));
  assert.ok(near < mean(nodes.map((node) => distance(node, (node + 31) % order))) / 2);
});
