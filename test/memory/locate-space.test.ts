import assert from "node:assert/strict";
import { test } from "node:test";
import { type Located, locateSpace, lookalikeOf, type Whereabouts } from "../../src/memory/open-space.ts";
import type { Space } from "../../src/memory/space.ts";

const COMMIT = "a".repeat(40);
const REMOTE = "https://example.com/app.git";

const repository: Space = {
  id: "one",
  key: "/work/app/.git",
  root: "/work/app",
  remote: REMOTE,
  firstCommit: COMMIT,
  createdAt: 7,
};
const folder: Space = { id: "two", key: "/notes", root: "/notes", remote: null, firstCommit: null, createdAt: 8 };
const spaces = [folder, repository];

const inPlace: Whereabouts = { key: "/work/app/.git", root: "/work/app", remote: REMOTE, firstCommit: COMMIT };
const elsewhere: Whereabouts = { ...inPlace, key: "/home/app/.git", root: "/home/app" };

const nothingGone = () => false;
const onlyGone = (gone: string) => (path: string) => path === gone;

const cases: [string, Whereabouts, Space[], Located][] = [
  ["a known repository", inPlace, spaces, { how: "known", space: repository }],
  [
    "a known repository whose remote has changed",
    { ...inPlace, remote: "https://example.com/renamed.git" },
    spaces,
    { how: "known", space: repository },
  ],
  [
    "a known folder",
    { key: "/notes", root: "/notes", remote: null, firstCommit: null },
    spaces,
    { how: "known", space: folder },
  ],
  [
    "a folder that became a repository keeps its space under the new key",
    { key: "/notes/.git", root: "/notes", remote: null, firstCommit: null },
    spaces,
    { how: "moved", expectedKey: "/notes", space: { ...folder, key: "/notes/.git" } },
  ],
  ["what looks like a moved repository is new", elsewhere, spaces, { how: "new" }],
  [
    "a moved folder without git is new",
    { key: "/elsewhere", root: "/elsewhere", remote: null, firstCommit: null },
    spaces,
    { how: "new" },
  ],
  ["nothing is registered yet", inPlace, [], { how: "new" }],
];
for (const [name, here, known, expected] of cases)
  test(name, () => assert.deepEqual(locateSpace(here, known), expected));

const GONE = onlyGone("/work/app/.git");
const begun: Space = { ...repository, ...elsewhere, id: "three", createdAt: 9 };
const lookalikes: [string, Whereabouts, Space[], (path: string) => boolean, Space | null][] = [
  ["one that is gone, before this one is registered", elsewhere, spaces, GONE, repository],
  ["one that is gone, afterwards", elsewhere, [...spaces, begun], GONE, repository],
  ["not a younger one", elsewhere, [...spaces, { ...begun, createdAt: 6 }], GONE, null],
  ["not while the original stands: this is a copy", elsewhere, spaces, nothingGone, null],
  ["not if another space is gone", elsewhere, spaces, onlyGone("/notes"), null],
  ["not of another remote", { ...elsewhere, remote: "https://example.com/fork.git" }, spaces, GONE, null],
  ["not of another first commit", { ...elsewhere, firstCommit: "b".repeat(40) }, spaces, GONE, null],
  [
    "one without a remote, by its first commit",
    { ...elsewhere, remote: null },
    [{ ...repository, remote: null }],
    GONE,
    { ...repository, remote: null },
  ],
  [
    "none without a first commit",
    { ...elsewhere, firstCommit: null },
    [{ ...repository, firstCommit: null }],
    () => true,
    null,
  ],
  ["not itself", inPlace, spaces, () => true, null],
];
for (const [name, here, known, isGone, expected] of lookalikes)
  test(`a lookalike is ${name}`, () => assert.deepEqual(lookalikeOf(here, known, isGone), expected));
