import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { FileState, FoundFile } from "../../src/files/corpus.ts";
import { changesSince, inBatches, type Outcome, planIndex, planReading } from "../../src/files/plan-index.ts";
import { CHANGED } from "../../src/files/skip-rules.ts";

const AT = 1_000_000;
const BY = { rulesOf: () => "1 r", all: false };

function state(path: string, set: Partial<FileState> = {}): FileState {
  const file = { path, bytes: 10, modifiedAt: 5, hash: "h", rules: "1 r", lookedAt: AT };
  return { ...file, shelf: "code", itemId: `item ${path}`, reason: null, ...set };
}
const byPath = (states: readonly FileState[]) => new Map(states.map((one) => [one.path, one]));
const found = (path: string, set: Partial<FoundFile> = {}): FoundFile => ({ path, bytes: 10, modifiedAt: 5, ...set });
const paths = (list: readonly { path: string }[]) => list.map(({ path }) => path);

const readings: [why: string, file: Partial<FoundFile>, known: Partial<FileState> | null, toRead: boolean][] = [
  ["same size and time", {}, {}, false],
  ["a file that was skipped and has not changed", {}, { itemId: null, reason: "binary", hash: "" }, false],
  ["another size", { bytes: 11 }, {}, true],
  ["another time", { modifiedAt: 6 }, {}, true],
  ["an older time", { modifiedAt: 4 }, {}, true],
  ["nothing is known", {}, null, true],
  ["changed long enough before the look", { modifiedAt: AT - 2_000 }, { modifiedAt: AT - 2_000 }, false],
  ["changed right before the look", { modifiedAt: AT - 1_999 }, { modifiedAt: AT - 1_999 }, true],
  ["changed in the future", { modifiedAt: AT + 1e9 }, { modifiedAt: AT + 1e9 }, true],
  ["taken in by other rules", {}, { rules: "1 s" }, true],
  ["taken in before rules were noted", {}, { rules: "", lookedAt: 0 }, true],
  ["skipped by other rules", {}, { itemId: null, reason: "skipped by a rule", hash: "", rules: "1 s" }, true],
  ["to be tried once more", {}, { hash: "", reason: "indexed as plain text" }, true],
  ["indexed as plain text for good", {}, { reason: "indexed as plain text" }, false],
];
for (const [why, file, known, toRead] of readings)
  test(`${why}: ${toRead ? "read" : "spared"}`, () => {
    const walk = { found: [found("a", file)], unread: [] };
    const plan = planReading(walk, known ? [state("a", known)] : [], BY);
    assert.deepEqual(
      [paths(plan.toRead), paths(plan.unchanged), plan.gone],
      toRead ? [["a"], [], []] : [[], ["a"], []],
    );
  });

test("changes are told by size and time alone, and one that cannot be looked at is none", () => {
  const known = [
    ...[state("same"), state("resized"), state("saved"), state("gone"), state("hidden/file")],
    ...[state("skipped", { itemId: null }), state("skipped and gone", { itemId: null })],
  ];
  const files = [
    ...[found("same"), found("resized", { bytes: 11 }), found("saved", { modifiedAt: 60 })],
    ...[found("new", { modifiedAt: 70 }), found("moved here"), found("skipped", { bytes: 11 })],
  ];
  assert.deepEqual(changesSince(50, { found: files, unread: ["hidden"] }, known, 100), [
    { path: "resized", change: "changed", at: 100 },
    { path: "saved", change: "changed", at: 60 },
    { path: "new", change: "added", at: 70 },
    { path: "moved here", change: "added", at: 100 },
    { path: "gone", change: "deleted", at: 100 },
  ]);
});

test("whoever wants all of it read again is spared nothing", () => {
  const plan = planReading({ found: [found("a")], unread: [] }, [state("a")], { ...BY, all: true });
  assert.deepEqual([paths(plan.toRead), plan.gone], [["a"], []]);
});

const batches: [why: string, bytes: number[], sizes: number[]][] = [
  ["nothing", [], []],
  ["many small ones", Array<number>(70).fill(10), [32, 32, 6]],
  ["up to so many bytes", [200_000, 200_000, 100_000, 1], [3, 1]],
  ["large ones alone", [900_000, 900_000, 1, 1], [1, 1, 2]],
];
for (const [why, bytes, sizes] of batches)
  test(`a batch has bounds: ${why}`, () => {
    const files = bytes.map((size, at) => found(String(at), { bytes: size }));
    const made = [...inBatches(files)];
    assert.deepEqual([made.map(({ length }) => length), made.flat()], [sizes, files]);
  });

const absences: [unread: string[], gone: string[]][] = [
  [[], ["a/b/x", "a/x", "ab/x", "x"]],
  [["a"], ["ab/x", "x"]],
  [["a/b"], ["a/x", "ab/x", "x"]],
  [
    ["a/x", "x"],
    ["a/b/x", "ab/x"],
  ],
  [[""], []],
];
for (const [unread, gone] of absences)
  test(`what lies in a folder that cannot be read is not gone: ${JSON.stringify(unread)}`, () => {
    const plan = planReading(
      { found: [], unread },
      ["a/b/x", "a/x", "ab/x", "x"].map((path) => state(path)),
      BY,
    );
    assert.deepEqual(paths(plan.gone), gone);
    assert.equal(plan.hidden.length, 4 - gone.length);
  });

const outcome = (path: string, set: Partial<FileState> = {}): Outcome => {
  const { shelf, bytes, modifiedAt, hash, rules, lookedAt } = state(path, set);
  return { path, shelf, bytes, modifiedAt, hash, rules, lookedAt };
};
const refused = (path: string, reason: string): Outcome => {
  return { ...found(path), shelf: "code", rules: "1 r", lookedAt: AT, reason };
};

type Summary = Partial<Record<"added" | "updated" | "renamed" | "kept" | "skipped" | "removed", string[]>>;

function summary(plan: ReturnType<typeof planIndex>): Summary {
  const changed = (list: { file: { path: string }; was: { path: string } | null }[]) =>
    list.map(({ file, was }) => (was && was.path !== file.path ? `${was.path} > ${file.path}` : file.path));
  const lists = {
    added: paths(plan.added),
    updated: changed(plan.updated),
    renamed: changed(plan.renamed),
    kept: changed(plan.kept),
    skipped: changed(plan.skipped),
    removed: paths(plan.removed),
  };
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

const indexes: [why: string, outcomes: Outcome[], known: FileState[], gone: string[], expected: Summary][] = [
  ["a new file", [outcome("a")], [], [], { added: ["a"] }],
  ["a file that was skipped", [outcome("a")], [state("a", { itemId: null, hash: "" })], [], { added: ["a"] }],
  ["other bytes", [outcome("a", { hash: "i" })], [state("a")], [], { updated: ["a"] }],
  ["the same bytes at another time", [outcome("a", { modifiedAt: 6 })], [state("a")], [], { kept: ["a"] }],
  ["the same bytes under other rules", [outcome("a", { rules: "1 s" })], [state("a")], [], { kept: ["a"] }],
  ["the same bytes cut in another way", [outcome("a", { rules: "2 r" })], [state("a")], [], { updated: ["a"] }],
  ["bytes to be cut once more", [outcome("a")], [state("a", { hash: "" })], [], { updated: ["a"] }],
  ["nothing new, and old enough by now", [outcome("a")], [state("a", { lookedAt: 6 })], [], { kept: ["a"] }],
  ["nothing new at all", [outcome("a", { modifiedAt: AT })], [state("a", { modifiedAt: AT })], [], {}],
  ["a file that went", [], [state("a")], ["a"], { removed: ["a"] }],
  ["a file that moved", [outcome("b")], [state("a")], ["a"], { renamed: ["a > b"] }],
  [
    "a move to another shelf",
    [outcome("b", { shelf: "document" })],
    [state("a")],
    ["a"],
    { added: ["b"], removed: ["a"] },
  ],
  ["moved and changed", [outcome("b", { hash: "i" })], [state("a")], ["a"], { added: ["b"], removed: ["a"] }],
  ["a copy", [outcome("b")], [state("a")], [], { added: ["b"] }],
  ["one that became two", [outcome("b"), outcome("c")], [state("a")], ["a"], { added: ["b", "c"], removed: ["a"] }],
  ["two that became one", [outcome("c")], [state("a"), state("b")], ["a", "b"], { added: ["c"], removed: ["a", "b"] }],
  [
    "two that changed places",
    [outcome("a", { hash: "2" }), outcome("b", { hash: "1" })],
    [state("a", { hash: "1" }), state("b", { hash: "2" })],
    [],
    { updated: ["a", "b"] },
  ],
  ["a shelf that changed", [outcome("a", { shelf: "document" })], [state("a")], [], { added: ["a"], removed: ["a"] }],
  ["a file that became binary", [refused("a", "binary")], [state("a")], [], { skipped: ["a"], removed: ["a"] }],
  ["a binary file", [refused("a", "binary")], [], [], { skipped: ["a"] }],
  ["a file in the middle of being written", [refused("a", CHANGED)], [state("a")], [], {}],
];
for (const [why, outcomes, known, gone, expected] of indexes)
  test(why, () => {
    const left = known.filter(({ path }) => gone.includes(path));
    assert.deepEqual(summary(planIndex(outcomes, byPath(known), { gone: left, all: false })), expected);
  });

test("whoever wants all of it cut anew still knows a renamed file", () => {
  const known = byPath([state("a"), state("b", { hash: "i" })]);
  const plan = planIndex([outcome("a"), outcome("c", { hash: "i" })], known, { gone: [known.get("b")!], all: true });
  assert.deepEqual(summary(plan), { updated: ["a"], renamed: ["b > c"] });
});

test("a renamed file keeps its item", () => {
  const plan = planIndex([outcome("b")], byPath([]), { gone: [state("a")], all: false });
  assert.equal(plan.renamed[0]?.was.itemId, "item a");
});

const name = fc.constantFrom("a", "b", "c", "d/e", "d/f");
const size = fc.record({ bytes: fc.constantFrom(1, 2), modifiedAt: fc.constantFrom(1, AT) });
const foundFiles = fc.uniqueArray(fc.tuple(name, size), { selector: ([path]) => path });

test("whatever is found or known ends in one list, and a second look finds nothing to do", () => {
  fc.assert(
    fc.property(foundFiles, foundFiles, fc.constantFrom<string[][]>([], ["d"], [""]), (now, then, unread) => {
      const files = now.map(([path, set]) => found(path, set));
      const known = then.map(([path, set]) => state(path, set));
      const { unchanged, toRead, gone, hidden } = planReading({ found: files, unread }, known, BY);
      const all = [unchanged, toRead, gone, hidden].flatMap((list) => paths(list)).sort();
      assert.deepEqual(all, [...new Set([...paths(files), ...paths(known)])].sort());
      const outcomes = toRead.map(({ path, ...set }) => outcome(path, { ...set, lookedAt: AT + 9_999 }));
      const plan = planIndex(outcomes, byPath(known), { gone, all: false });
      const written = [...plan.added, ...[...plan.updated, ...plan.renamed, ...plan.kept].map(({ file }) => file)];
      const after = [...unchanged, ...hidden, ...written.map((file) => state(file.path, file))];
      const again = planReading({ found: files, unread }, after, BY);
      assert.deepEqual([again.toRead, again.gone], [[], []]);
    }),
  );
});
