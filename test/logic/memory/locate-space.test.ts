import assert from "node:assert/strict";
import { test } from "node:test";
import { type Located, locateSpace, type Whereabouts } from "../../../src/logic/memory/locate-space.ts";
import type { Space } from "../../../src/model/memory/space.ts";

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

const cases: [string, Whereabouts, Space[], (path: string) => boolean, Located][] = [
  ["a known repository", inPlace, spaces, nothingGone, { how: "known", space: repository }],
  [
    "a known repository whose remote has changed",
    { ...inPlace, remote: "https://example.com/renamed.git" },
    spaces,
    nothingGone,
    { how: "known", space: repository },
  ],
  [
    "a known folder",
    { key: "/notes", root: "/notes", remote: null, firstCommit: null },
    spaces,
    nothingGone,
    { how: "known", space: folder },
  ],
  [
    "a folder that became a repository keeps its space under the new key",
    { key: "/notes/.git", root: "/notes", remote: null, firstCommit: null },
    spaces,
    nothingGone,
    { how: "moved", expectedKey: "/notes", space: { ...folder, key: "/notes/.git" } },
  ],
  [
    "a moved repository is known again, and learns its new place",
    elsewhere,
    spaces,
    onlyGone("/work/app/.git"),
    {
      how: "moved",
      expectedKey: "/work/app/.git",
      space: { ...repository, key: "/home/app/.git", root: "/home/app" },
    },
  ],
  ["a copy is a new project while the original stands", elsewhere, spaces, nothingGone, { how: "new" }],
  ["the original counts, not another space that is gone", elsewhere, spaces, onlyGone("/notes"), { how: "new" }],
  [
    "another remote is another project",
    { ...elsewhere, remote: "https://example.com/fork.git" },
    spaces,
    onlyGone("/work/app/.git"),
    { how: "new" },
  ],
  [
    "another first commit is another project",
    { ...elsewhere, firstCommit: "b".repeat(40) },
    spaces,
    onlyGone("/work/app/.git"),
    { how: "new" },
  ],
  [
    "a moved repository without a remote is known by its first commit",
    { ...elsewhere, remote: null },
    [{ ...repository, remote: null }],
    onlyGone("/work/app/.git"),
    {
      how: "moved",
      expectedKey: "/work/app/.git",
      space: { ...repository, remote: null, key: "/home/app/.git", root: "/home/app" },
    },
  ],
  [
    "without a first commit nothing is known again",
    { ...elsewhere, firstCommit: null },
    [{ ...repository, firstCommit: null }],
    () => true,
    { how: "new" },
  ],
  [
    "a moved folder without git is new",
    { key: "/elsewhere", root: "/elsewhere", remote: null, firstCommit: null },
    spaces,
    () => true,
    { how: "new" },
  ],
  ["nothing is registered yet", inPlace, [], () => true, { how: "new" }],
];
for (const [name, here, known, isGone, expected] of cases)
  test(name, () => assert.deepEqual(locateSpace(here, known, isGone), expected));
