import assert from "node:assert/strict";
import { test } from "node:test";
import { type Anchored, type KnownFile, anchorPath, staleness } from "../../src/logic/staleness.ts";

const known: Record<string, KnownFile> = {
  "same.ts": { modifiedAt: 5, changedAt: 5, symbols: new Set(["walk"]) },
  "changed.ts": { modifiedAt: 20, changedAt: 21, symbols: new Set(["walk"]) },
  "touched.ts": { modifiedAt: 20, changedAt: 5, symbols: null },
  "late.ts": { modifiedAt: 5, changedAt: 20, symbols: null },
};
const surroundings = {
  file: (path: string) => known[path] ?? null,
  isGone: (path: string) => path === "gone.ts",
};

const cases: [string, Partial<Anchored>, string | null][] = [
  ["a file as it was", { files: ["same.ts"] }, null],
  ["a file that changed", { files: ["same.ts", "changed.ts"] }, "changed.ts has changed since"],
  ["one that was only written again", { files: ["touched.ts"] }, null],
  ["one that was taken in later and is older", { files: ["late.ts"] }, null],
  ["one that is gone", { files: ["gone.ts"] }, "gone.ts is gone"],
  ["one that is in no index, but there", { files: ["image.png"] }, null],
  ["a symbol that is there", { files: ["same.ts"], symbols: ["walk"] }, null],
  ["a symbol that is gone", { files: ["same.ts"], symbols: ["walk", "run"] }, "same.ts no longer defines run"],
  ["a symbol that may be in another of the files", { files: ["same.ts", "late.ts"], symbols: ["run"] }, null],
  ["a symbol where none can be told", { files: ["late.ts"], symbols: ["run"] }, null],
  ["nothing named", { files: [], symbols: ["run"] }, null],
];
for (const [name, anchored, reason] of cases)
  test(`${name}: ${reason ?? "not stale"}`, () => {
    assert.equal(staleness({ files: [], symbols: [], since: 10, ...anchored }, surroundings), reason);
  });

const paths: [string, string | null][] = [
  ["src/a.ts", "src/a.ts"],
  ["./src//a.ts", "src/a.ts"],
  ["/project/src/a.ts", "src/a.ts"],
  ["src\\a.ts", "src/a.ts"],
  ["/elsewhere/a.ts", null],
  ["../a.ts", null],
  ["", null],
];
for (const [path, anchor] of paths)
  test(`${path || "nothing"} is ${anchor ?? "elsewhere"}`, () => assert.equal(anchorPath(path, "/project"), anchor));
