import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Outcome, planIndex, planReading } from "../../src/logic/plan-index.ts";
import { CHANGED } from "../../src/logic/skip-rules.ts";
import type { FileState, FoundFile } from "../../src/model/corpus.ts";

const AT = 1_000_000;
const LOOKED = { rules: "r", lastLook: { rules: "r", at: AT } };

function state(path: string, set: Partial<FileState> = {}): FileState {
  return { path, shelf: "code", itemId: `item ${path}`, reason: null, bytes: 10, modifiedAt: 5, hash: "h", ...set };
}
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
];
for (const [why, file, known, toRead] of readings)
  test(`${why}: ${toRead ? "read" : "spared"}`, () => {
    const walk = { found: [found("a", file)], unread: [] };
    const plan = planReading(walk, known ? [state("a", known)] : [], LOOKED);
    assert.deepEqual(
      [paths(plan.toRead), paths(plan.unchanged), plan.gone],
      toRead ? [["a"], [], []] : [[], ["a"], []],
    );
  });

test("other rules, or none yet, spare nothing", () => {
  for (const lastLook of [null, { rules: "other", at: AT }]) {
    const plan = planReading({ found: [found("a")], unread: [] }, [state("a")], { rules: "r", lastLook });
    assert.deepEqual(paths(plan.toRead), ["a"]);
  }
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
      LOOKED,
    );
    assert.deepEqual(paths(plan.gone), gone);
    assert.equal(plan.unchanged.length, 4 - gone.length);
  });

const outcome = (path: string, set: Partial<FileState> = {}): Outcome => {
  const { shelf, bytes, modifiedAt, hash } = state(path, set);
  return { path, shelf, bytes, modifiedAt, hash };
};
const refused = (path: string, reason: string): Outcome => ({ ...found(path), shelf: "code", reason });

type Summary = Partial<
  Record<"added" | "updated" | "renamed" | "relabelled" | "touched" | "skipped" | "removed", string[]>
>;

function summary(plan: ReturnType<typeof planIndex>): Summary {
  const changed = (list: { file: { path: string }; was: { path: string } | null }[]) =>
    list.map(({ file, was }) => (was && was.path !== file.path ? `${was.path} > ${file.path}` : file.path));
  const lists = {
    added: paths(plan.added),
    updated: changed(plan.updated),
    renamed: changed(plan.renamed),
    relabelled: changed(plan.relabelled),
    touched: changed(plan.touched),
    skipped: changed(plan.skipped),
    removed: paths(plan.removed),
  };
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

const indexes: [why: string, outcomes: Outcome[], known: FileState[], gone: string[], expected: Summary][] = [
  ["a new file", [outcome("a")], [], [], { added: ["a"] }],
  ["a file that was skipped", [outcome("a")], [state("a", { itemId: null, hash: "" })], [], { added: ["a"] }],
  ["other bytes", [outcome("a", { hash: "i" })], [state("a")], [], { updated: ["a"] }],
  ["the same bytes at another time", [outcome("a", { modifiedAt: 6 })], [state("a")], [], { touched: ["a"] }],
  ["nothing new at all", [outcome("a")], [state("a")], [], {}],
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
    assert.deepEqual(summary(planIndex(outcomes, known, { gone: left, sameRules: true })), expected);
  });

test("the same bytes under other rules are labelled anew", () => {
  const plan = planIndex([outcome("a")], [state("a")], { gone: [], sameRules: false });
  assert.deepEqual(summary(plan), { relabelled: ["a"] });
});

test("a renamed file keeps its item", () => {
  const plan = planIndex([outcome("b")], [], { gone: [state("a")], sameRules: true });
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
      const { unchanged, toRead, gone } = planReading({ found: files, unread }, known, LOOKED);
      const all = [...paths(unchanged), ...paths(toRead), ...paths(gone)].sort();
      assert.deepEqual(all, [...new Set([...paths(files), ...paths(known)])].sort());
      const outcomes = toRead.map(({ path, ...set }) => outcome(path, set));
      const plan = planIndex(outcomes, known, { gone, sameRules: true });
      const written = [...plan.added, ...[...plan.updated, ...plan.renamed, ...plan.touched].map(({ file }) => file)];
      const after = [...unchanged, ...outcomes.map((file) => state(file.path, file))];
      assert.ok(written.every(({ path }) => paths(after).includes(path)));
      const again = planReading({ found: files, unread }, after, {
        rules: "r",
        lastLook: { rules: "r", at: AT + 9_999 },
      });
      assert.deepEqual([again.toRead, again.gone], [[], []]);
    }),
  );
});
