/** What becomes of imported items, by tables. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Item } from "../../src/memory/item.ts";
import { uniqueSlotOf } from "../../src/memory/remember-rules.ts";
import type { Shelf } from "../../src/memory/shelves.ts";
import type { Incoming } from "../../src/transfer/export-line.ts";
import { type EdgeSituation, importing, judgeEdge, judgeImport, keyOf } from "../../src/transfer/import-rules.ts";
import { edgeBetween } from "../store/suite/edges.ts";
import { newItem, newPassages } from "../store/suite/trial.ts";

const NOW = 1_000_000;
const incoming = (item: Item, shelf: Shelf = "memory"): Incoming => ({ shelf, item, passages: null, embed: true });

interface There {
  present?: Item[];
  /** Pairs of an incoming item and the one that says the same. */
  twins?: [Item, Item][];
  mayDecide?: boolean;
  /** Whether the versions in the file were chosen. */
  isChosen?: boolean;
}

function judge(
  items: Item[],
  { present = [], twins = [], mayDecide = true, isChosen = true }: There = {},
  shelf: Shelf = "memory",
) {
  return judgeImport(
    items.map((item) => incoming(item, shelf)),
    {
      now: NOW,
      present: new Map(present.map((item) => [keyOf(shelf, item), item])),
      twins: new Map(twins.map(([item, twin]) => [keyOf(shelf, item), twin])),
      clean: (text) => text.replaceAll("hunter2", "[redacted:x]"),
      mayDecide,
      isChosen: () => isChosen,
      decisions: new Map(),
    },
  );
}

const PERSON = "only a person can import decisions, with `stele import`";
const outcomes = (...asked: Parameters<typeof judge>) => judge(...asked).map(({ outcome }) => outcome);

const item = newItem({ id: "one", content: "the fact", version: 3 });
const cases: [why: string, present: Partial<Item> | null, becomes: string][] = [
  ["nothing is there", null, "inserted"],
  ["the same is there", {}, "unchanged"],
  ["the same is there and was read since", { accessedAt: NOW, accessCount: 9 }, "unchanged"],
  ["an older version is there", { version: 2, content: "another" }, "updated"],
  ["a newer version is there", { version: 4 }, "older"],
  ["this version says something else there", { content: "another" }, "conflict"],
  ["this version has another tag there", { tags: ["x"] }, "conflict"],
  ["this version has another detail there", { details: { a: 1 } }, "conflict"],
  ["an older version was born at another time", { version: 2, createdAt: 5 }, "conflict"],
];
for (const [why, set, becomes] of cases) {
  test(`${becomes}: ${why}`, () => {
    assert.deepEqual(outcomes([item], { present: set ? [{ ...item, ...set }] : [] }), [becomes]);
  });
}

test("without a person no decision is written, new or newer; what is here already is no conflict", () => {
  const becomes = (present: Item[], shelf: Shelf) => outcomes([item], { present, mayDecide: false }, shelf)[0];
  const older = { ...item, version: 2 };
  assert.deepEqual([becomes([], "decision"), becomes([older], "decision")], ["conflict", "conflict"]);
  assert.deepEqual([becomes([item], "decision"), becomes([], "memory")], ["unchanged", "inserted"]);
});

test("what only lost a secret on its way in is no conflict", () => {
  const stored = newItem({ id: "one", details: { note: "hunter2" } });
  assert.deepEqual(outcomes([{ ...stored, details: { note: "[redacted:x]" } }], { present: [stored] }), ["unchanged"]);
});

test("who says the same stands in the way, unless it has expired", () => {
  const twin = newItem({ id: "two", content: "the fact" });
  assert.deepEqual(judge([item], { twins: [[item, twin]] }), [
    { outcome: "conflict", reason: "memory two has the same content" },
  ]);
  const older = { ...item, version: 2, status: "archived" } as const;
  assert.deepEqual(outcomes([item], { present: [older], twins: [[item, twin]] }), ["conflict"]);
  const expired = { ...twin, expiresAt: NOW };
  assert.deepEqual(judge([item], { twins: [[item, expired]] }), [{ outcome: "inserted", clears: expired }]);
});

test("a place that one before gives up is free, one after does not", () => {
  const there = newItem({ id: "two", content: "the fact", version: 1 });
  for (const gone of [{ status: "archived" as const }, { content: "other", hash: "0".repeat(64) }]) {
    const given = { ...there, ...gone, version: 2 };
    const situation: There = { present: [there], twins: [[item, there]] };
    assert.deepEqual(outcomes([given, item], situation), ["updated", "inserted"]);
    assert.deepEqual(outcomes([item, given], situation), ["conflict", "updated"]);
  }
  const still = { ...there, priority: 9, version: 2 };
  assert.deepEqual(outcomes([still, item], { present: [there], twins: [[item, there]] }), ["updated", "conflict"]);
});

test("places are held by content, by path or not at all", () => {
  const path = "a.ts";
  const rows: [Shelf, Partial<Item>, string | null][] = [
    ["memory", {}, `memory project ${item.hash}`],
    ["memory", { status: "superseded" }, null],
    ["proposal", {}, null],
    ["proposal", { status: "pending" }, `proposal project ${item.hash}`],
    ["evidence", { scope: "global" }, `evidence global ${item.hash}`],
    ["decision", {}, null],
    ["document", { path }, "document project a.ts"],
    ["code", { path, status: "pruned" }, null],
    ["code", { path: null }, null],
  ];
  for (const [shelf, set, slot] of rows) assert.equal(uniqueSlotOf(shelf, { ...item, ...set }), slot, shelf);
});

/** A decision that holds from one time until another, and what replaces it. */
const decided = (id: string, from: number, until: number | null, supersededBy: string | null = null, version = 1) =>
  newItem({ id, version, type: "decision", validFrom: from, validUntil: until, supersededBy, createdAt: 0 });

test("what would break a chain stays out, and the rest comes in", () => {
  const [first, second] = [decided("first", 10, 20, "second"), decided("second", 20, null)];
  const reasons = (items: Item[], present: Item[] = []) =>
    judge(items, { present }, "decision").map((verdict) => ("reason" in verdict ? verdict.reason : verdict.outcome));
  const ahead = "would hold together with second, which replaces it";
  const behind = "would hold together with first, which it replaces";
  const loop = "would eventually replace itself";
  const rows: [why: string, items: Item[], present: Item[], becomes: string[]][] = [
    ["a chain, in its order", [first, second], [], ["inserted", "inserted"]],
    ["a chain, from its end", [second, first], [], ["inserted", "inserted"]],
    ["a window that has no end", [decided("first", 10, null, "second"), second], [], [ahead, "inserted"]],
    ["a window that ends late", [second, decided("first", 10, 21, "second")], [], ["inserted", ahead]],
    ["it is reopened", [decided("first", 10, null, "second", 2), second], [first, second], [ahead, "unchanged"]],
    ["it begins earlier", [first, decided("second", 19, null, null, 2)], [first, second], ["unchanged", behind]],
    ["both move", [decided("first", 10, 30, "second", 2), decided("second", 30, 40, null, 2)], [first, second], ["updated", "updated"]], // prettier-ignore
    ["what follows leads back", [first, decided("second", 20, 20, "first", 2)], [first, second], ["unchanged", loop]],
    ["it follows itself", [decided("first", 10, 10, "first")], [], [loop]],
    ["two follow each other", [decided("first", 10, 10, "second"), decided("second", 10, 10, "first")], [], [loop, "inserted"]], // prettier-ignore
    ["what replaces it is not here", [decided("first", 10, null, "elsewhere")], [], ["inserted"]],
    ["it is cut loose", [decided("first", 10, null, null, 2), second], [first, second], ["updated", "unchanged"]],
  ];
  for (const [why, items, present, becomes] of rows) assert.deepEqual(reasons(items, present), becomes, why);
});

test("chains that lead out of the file are looked at too, and other shelves have none", () => {
  const reopened = decided("first", 10, null, "second", 2);
  const becomes = (shelf: Shelf, decisions: Item[]) =>
    judgeImport([incoming({ ...reopened, type: shelf === "decision" ? "decision" : "fact" }, shelf)], {
      now: NOW,
      present: new Map(),
      twins: new Map(),
      clean: (text: string) => text,
      mayDecide: true,
      isChosen: () => true,
      decisions: new Map(decisions.map((one) => [one.id, one])),
    })[0]?.outcome;
  assert.equal(becomes("decision", [decided("second", 20, null)]), "conflict");
  assert.equal(
    becomes("decision", [decided("second", 20, null, "third"), decided("third", 5, null, "first")]),
    "conflict",
  );
  assert.equal(becomes("decision", []), "inserted");
  assert.equal(becomes("memory", [decided("second", 20, null)]), "inserted");
  const late = judgeImport([incoming(decided("second", 20, null), "decision")], {
    now: NOW,
    present: new Map(),
    twins: new Map(),
    clean: (text: string) => text,
    mayDecide: true,
    isChosen: () => true,
    decisions: new Map([["first", decided("first", 10, 21, "second")]]),
  });
  assert.equal(late[0]?.outcome, "conflict", "what is here leaves no room for it");
});

test("an item is written exactly; where one is there, its birth and its readers stay", () => {
  const passages = newPassages(["the fact"]);
  assert.deepEqual(importing(incoming(item), null, null, passages), [
    { kind: "insert_item", shelf: "memory", item, passages, embed: true },
  ]);
  const present = { ...item, version: 1, updatedAt: 77 };
  const { id, version, createdAt: _, accessedAt: __, accessCount: ___, ...set } = item;
  const expired = newItem({ id: "two", version: 7, updatedAt: 99 });
  const expected = { expectedVersion: 1, expectedUpdatedAt: 77 };
  assert.deepEqual(importing(incoming(item), present, expired, passages), [
    { kind: "remove_item", shelf: "memory", id: "two", expectedVersion: 7, expectedUpdatedAt: 99 },
    { kind: "revise_item", shelf: "memory", id, ...expected, version, set, passages, embed: true },
  ]);
});

test("a file that comes from elsewhere is looked at again, under its old name and its new one", () => {
  const present = { ...item, path: "old.md", version: 1 };
  const kinds = (shelf: Shelf, there: Item | null, path: string | null) =>
    importing(incoming({ ...item, path }, shelf), there, null, []).slice(1);
  assert.deepEqual(kinds("document", present, "new.md"), [{ kind: "drop_files", paths: ["old.md", "new.md"] }]);
  assert.deepEqual(kinds("code", present, "old.md"), [{ kind: "drop_files", paths: ["old.md"] }]);
  assert.deepEqual(kinds("code", null, "new.ts"), [{ kind: "drop_files", paths: ["new.ts"] }]);
  assert.deepEqual([kinds("document", null, null), kinds("memory", present, "new.md")], [[], []]);
});

const edge = edgeBetween("decision", newItem({ id: "a" }), newItem({ id: "b" }));
test("an edge that would have two items replace each other is refused, whoever said the other half", () => {
  const replacing = edgeBetween("memory", newItem({ id: "a" }), newItem({ id: "b" }), { relation: "supersedes" });
  const verdict = judgeEdge(replacing, {
    present: new Map(),
    isHere: () => true,
    mayDecide: true,
    successorOf: (_, id) => (id === "a" ? "b" : null),
  });
  assert.deepEqual(verdict, { outcome: "conflict", reason: "b supersedes a in this store" });
});

test("a newer version replaces nothing unless it was chosen, or a person agreed to the decision", () => {
  const older = { ...item, version: 2, content: "another" };
  const [verdict] = judge([item], { present: [older], isChosen: false });
  const reason = "version 2 is here, 3 in the file; `--replace one` takes that of the file";
  assert.deepEqual(verdict, { outcome: "conflict", reason });
  const decision = { ...decided("first", 10, null), version: 2 };
  const here = { present: [{ ...decision, version: 1 }], isChosen: false };
  assert.deepEqual(outcomes([decision], here, "decision"), ["updated"]);
  assert.deepEqual(outcomes([decision], { ...here, mayDecide: false }, "decision"), ["conflict"]);
});

const edgeCases: [string, Partial<EdgeSituation>, string][] = [
  ["both ends are here", {}, "inserted"],
  ["one end is not here", { isHere: (_, id) => id === "a" }, "decision b does not exist in this store"],
  ["it is here", { present: new Map([[edge.id, { ...edge, createdAt: 99 }]]) }, "unchanged"],
  [
    "another strength is here",
    { present: new Map([[edge.id, { ...edge, strength: 1 }]]) },
    "the one in this store is different",
  ],
  ["nobody decides", { mayDecide: false }, "only a person can import decisions, with `stele import`"],
  ["nobody decides, and it is here", { mayDecide: false, present: new Map([[edge.id, edge]]) }, "unchanged"],
];
for (const [why, situation, becomes] of edgeCases) {
  test(`an edge when ${why}: ${becomes}`, () => {
    const verdict = judgeEdge(edge, {
      present: new Map(),
      isHere: () => true,
      successorOf: () => null,
      mayDecide: true,
      ...situation,
    });
    assert.equal(verdict.outcome === "conflict" ? verdict.reason : verdict.outcome, becomes);
  });
}

const personal: [string, Shelf, Partial<Item>, Partial<Item> | null, boolean, string][] = [
  [
    "a decision among memories",
    "memory",
    { type: "decision" },
    null,
    true,
    "a decision cannot be imported as a memory",
  ],
  ["another text of evidence", "evidence", { version: 2, hash: "b" }, { hash: "a" }, true, "evidence is never changed"],
  ["the same text of evidence, in another state", "evidence", { version: 2, status: "archived" }, {}, false, "updated"],
  ["a proposal that waits", "proposal", { status: "pending" }, null, false, "inserted"],
  ["a settled proposal", "proposal", { status: "ratified" }, null, true, "inserted"],
  ["a settled proposal, and nobody is asked", "proposal", { status: "rejected" }, null, false, PERSON],
  [
    "one that waits again, and nobody is asked",
    "proposal",
    { version: 2, status: "pending" },
    { status: "ratified" },
    false,
    PERSON,
  ],
  [
    "one that stays as it was settled",
    "proposal",
    { version: 2, status: "rejected" },
    { status: "rejected" },
    false,
    "updated",
  ],
];
for (const [name, shelf, set, there, mayDecide, becomes] of personal)
  test(`${name}: ${becomes}`, () => {
    const plain = { ...item, type: "fact", version: 1 };
    const [verdict] = judge(
      [{ ...plain, ...set }],
      { mayDecide, present: there ? [{ ...plain, ...there }] : [] },
      shelf,
    );
    assert.equal(verdict?.outcome === "conflict" ? verdict.reason : verdict?.outcome, becomes);
  });
