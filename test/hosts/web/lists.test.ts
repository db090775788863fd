/** What waits, what changed and how things hang together, from the answers of the verbs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  drawnGraph,
  fileId,
  firstPosition,
  matching,
  neighbourhood,
} from "../../../src/hosts/web/rules/graph-model.ts";
import { conflictsWith } from "../../../src/hosts/web/rules/import-file.ts";
import { headlineOf, nextKey, waitingIn } from "../../../src/hosts/web/rules/inbox.ts";
import { type JournalEntry, callsIn, deedOf, fieldChanges, subjectOf } from "../../../src/hosts/web/rules/journal.ts";

const item = (id: string, set: object = {}) => ({
  ...{ id, handle: id, shelf: "memory", type: "fact", scope: "project", status: "active", title: null },
  ...{ summary: `about ${id}`, createdAt: "2026-01-01T00:00:00Z" },
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
  ...{ call: "one", store: "project", number, at: "2026-01-01T00:00:00Z", verb: "update", host: "http", session: "" },
  ...{ by: null, space: null, kind: "revise_item", shelf: "memory", id: "a", handle: "a" },
  ...{ before: null, beforeNote: null, after: null, afterNote: null },
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
