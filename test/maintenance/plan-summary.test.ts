/** What is folded into a summary, and the changes that do it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inOrder, isFolded, planSummary, summaryOf } from "../../src/maintenance/summarize.ts";
import type { Item } from "../../src/memory/item.ts";
import { newItem } from "../store/suite/trial.ts";

const BEFORE = 1_000_000;
const FOLDED: [Partial<Item>, boolean, string][] = [
  [{ scope: "working", type: "scratchpad" }, true, "working memories"],
  [{ scope: "working", type: "fact" }, true, "whatever their type"],
  [{ scope: "project", type: "progress" }, true, "progress of the project"],
  [{ scope: "project", type: "fact" }, false, "what lasts"],
  [{ scope: "global", type: "progress" }, false, "what belongs to all projects"],
  [{ scope: "working", pinned: true }, false, "what is pinned"],
  [{ scope: "project", type: "progress", path: "notes/a.md" }, false, "notes"],
  [{ scope: "working", type: "code" }, false, "code"],
  [{ scope: "working", status: "superseded" }, false, "what is closed"],
  [{ scope: "project", type: "progress", supersededBy: "x" }, false, "what a decision will replace"],
  [{ scope: "working", createdAt: BEFORE }, false, "what is new"],
];
for (const [set, folded, what] of FOLDED)
  test(`${what}: ${folded ? "folded" : "left alone"}`, () =>
    assert.equal(isFolded(newItem(set), { before: BEFORE, byPerson: true }), folded));

const given = {
  ...({ session: "s", source: "system_auto", details: { space: "space" } } as const),
  context: { branch: "main", commits: [], files: [], symbols: [], language: null },
};
const provenance = { id: "summary", now: BEFORE, origin: { host: "cli", session: "s" } };

function sources(): [Item, Item] {
  const context = { branch: null, commits: ["c"], files: ["a.ts"], symbols: ["f"], language: null };
  return [
    newItem({ id: "one", scope: "working", content: "The parser fails on tabs.", expiresAt: BEFORE + 9, tags: ["x"] }),
    newItem({
      id: "two",
      type: "progress",
      content: "Fixed tabs in the lexer.",
      priority: 8,
      context,
      tags: ["x", "y"],
    }),
  ];
}

test("a summary has their sentences, tags, files and highest priority", () => {
  const item = summaryOf(sources(), given, provenance).item;
  const { type, scope, title, content, tags, priority, context } = item;
  assert.deepEqual([type, scope, title, priority], ["summary", "project", "Summary of session s", 8]);
  assert.equal(content, "The parser fails on tabs.\nFixed tabs in the lexer.");
  assert.deepEqual([tags, context.commits, context.files, context.symbols], [["x", "y"], ["c"], ["a.ts"], ["f"]]);
});

test("texts without words still become a summary", () => {
  const marks = ["!!!", "???"].map((content) => newItem({ content }));
  assert.equal(summaryOf(marks, given, provenance).item.content, "!!!\n???");
});

test("sources are folded in the order in which they were made", () => {
  const [one, two] = sources();
  assert.deepEqual(inOrder([{ ...two, createdAt: 2 }, { ...one, createdAt: 1 }]).map(({ id }) => id), ["one", "two"]); // prettier-ignore
});

test("the changes close the sources, keep the working one, and tie the summary to both", () => {
  const own = sources();
  const item = summaryOf(own, given, provenance).item;
  const situation = { now: BEFORE, passages: [], twin: null, known: new Set<string>(), clearing: [] };
  const [first, second, insertion, ...edges] = planSummary(own, item, situation);
  assert.ok(first?.kind === "revise_item" && second?.kind === "revise_item");
  const closed = { status: "superseded", supersededBy: "summary" };
  assert.partialDeepStrictEqual(first.set, { ...closed, scope: "project", expiresAt: null });
  assert.partialDeepStrictEqual(second.set, closed);
  assert.ok(!("scope" in second.set));
  assert.deepEqual(insertion, { kind: "insert_item", shelf: "memory", item, passages: [], embed: true });
  const ends = edges.map((change) => change.kind === "insert_edge" && [change.edge.source, change.edge.relation, change.edge.target]); // prettier-ignore
  assert.deepEqual(ends, [["summary", "derived_from", "one"], ["summary", "derived_from", "two"]]); // prettier-ignore
});

test("a memory that already says it takes the summary's place, with the edges it lacks", () => {
  const own = sources();
  const item = summaryOf(own, given, provenance).item;
  const twin = newItem({ id: "twin" });
  const situation = { now: BEFORE, passages: [], twin, known: new Set<string>(), clearing: [] };
  const changes = planSummary(own, item, situation);
  assert.deepEqual(changes.map(({ kind }) => kind), ["revise_item", "revise_item", "insert_edge", "insert_edge"]); // prettier-ignore
  const known = changes.flatMap((change) => (change.kind === "insert_edge" ? [change.edge.id] : []));
  const again = planSummary(own, item, { ...situation, known: new Set(known.slice(0, 1)) });
  assert.equal(again.filter(({ kind }) => kind === "insert_edge").length, 1);
});
