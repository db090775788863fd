import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Anchored,
  anchorPath,
  definedNames,
  isBareName,
  type KnownFile,
  staleness,
} from "../../src/memory/staleness.ts";

const walking = definedNames([
  { name: "walk", container: null },
  { name: "countPups", container: "Zoo.SealColony" },
  { name: "#hidden", container: "Zoo" },
]);
const known: Record<string, KnownFile> = {
  "same.ts": { bytes: 9, modifiedAt: 5, changedAt: 5, symbols: walking },
  "changed.ts": { bytes: 9, modifiedAt: 20, changedAt: 21, symbols: walking },
  "touched.ts": { bytes: 9, modifiedAt: 20, changedAt: 5, symbols: null },
  "late.ts": { bytes: 9, modifiedAt: 5, changedAt: 20, symbols: null },
  "gone.ts": { bytes: 9, modifiedAt: 5, changedAt: 5, symbols: null },
  "edited.ts": { bytes: 9, modifiedAt: 5, changedAt: 5, symbols: walking },
  "written.ts": { bytes: 9, modifiedAt: 5, changedAt: 5, symbols: walking },
  "before.ts": { bytes: 9, modifiedAt: 5, changedAt: 5, symbols: walking },
};
const seen: Record<string, { kind: string; bytes: number; modifiedAt: number }> = {
  ...Object.fromEntries(Object.entries(known).map(([path, file]) => [path, { kind: "file", ...file }])),
  "gone.ts": { kind: "absent", bytes: 0, modifiedAt: 0 },
  "nowhere.ts": { kind: "absent", bytes: 0, modifiedAt: 0 },
  "image.png": { kind: "file", bytes: 9, modifiedAt: 20 },
  "edited.ts": { kind: "file", bytes: 10, modifiedAt: 20 },
  "written.ts": { kind: "file", bytes: 9, modifiedAt: 20 },
  "before.ts": { kind: "file", bytes: 10, modifiedAt: 7 },
};
const surroundings = { known: (path: string) => known[path], seen: (path: string) => seen[path] };

const cases: [string, Partial<Anchored>, string | null][] = [
  ["a file as it was", { files: ["same.ts"] }, null],
  ["a file that changed", { files: ["same.ts", "changed.ts"] }, "changed.ts has changed since"],
  ["one that was only written again", { files: ["touched.ts"] }, null],
  ["one that was taken in later and is older", { files: ["late.ts"] }, null],
  ["one that is gone, which the index does not know yet", { files: ["gone.ts"] }, "gone.ts is gone"],
  ["one that is gone and in no index", { files: ["nowhere.ts"] }, "nowhere.ts is gone"],
  ["a bare name that is in no index", { files: ["nowhere.ts"], bareNames: ["nowhere.ts"] }, null],
  ["a bare name that the index knew", { files: ["gone.ts"], bareNames: ["gone.ts"] }, "gone.ts is gone"],
  ["one that is in no index, but there", { files: ["image.png"] }, null],
  ["one that changed after the index looked", { files: ["edited.ts"] }, "edited.ts has changed since"],
  ["one that was written after the index looked", { files: ["written.ts"] }, "written.ts has been written since"],
  ["one that changed before the memory was made", { files: ["before.ts"], symbols: ["run"] }, null],
  ["one that nobody looked at", { files: ["further.ts"] }, null],
  ["a symbol that is there", { files: ["same.ts"], symbols: ["walk", "walk()"] }, null],
  ["a method by its class", { files: ["same.ts"], symbols: ["SealColony.countPups", "countPups"] }, null],
  ["in other ways", { files: ["same.ts"], symbols: ["Zoo::SealColony#countPups()", "#hidden", "Zoo.SealColony.countPups"] }, null],
  ["a method of another class", { files: ["same.ts"], symbols: ["Zoo.countPups"] }, "same.ts no longer defines Zoo.countPups"],
  ["a symbol that is gone", { files: ["same.ts"], symbols: ["walk", "run"] }, "same.ts no longer defines run"],
  ["a symbol that may be in another of the files", { files: ["same.ts", "late.ts"], symbols: ["run"] }, null],
  ["a symbol where none can be told", { files: ["late.ts"], symbols: ["run"] }, null],
  ["nothing named", { files: [], symbols: ["run"] }, null],
]; // prettier-ignore
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

for (const [
  path,
  isBare,
] of [["express.json", true], ["./a.ts", false], ["src/a.ts", false], ["src\\a.ts", false], ["/project/a.ts", false]] as const) // prettier-ignore
  test(`${path} is ${isBare ? "a bare name" : "a path"}`, () => assert.equal(isBareName(path), isBare));
