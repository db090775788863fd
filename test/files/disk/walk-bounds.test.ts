/** What a walk does not enter, and ignore files that nobody can have whole, on a real disk. */
import assert from "node:assert/strict";
import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createNoteFiles } from "../../../src/files/disk/project-files.ts";
import { walkProject } from "../../../src/files/disk/walk-project.ts";
import { LIMITS, project, quiet } from "./project-on-disk.ts";

const LEFT_OUT = "slow patterns in it are ignored";

test("the folder with our own data is left out, also when it is named by way of a link", async () => {
  const { at, met } = project({ "data/a.md": "", "b/data/c.md": "", "d.md": "" }, ["data", "not-yet", "way/b"]);
  symlinkSync(".", at("way"));
  assert.deepEqual((await met()).found, ["d.md"]);
});

test("a project that lies in the folder with our own data is walked", async () => {
  assert.deepEqual((await project({ "a.md": "" }, ["..", "."]).met()).found, ["a.md"]);
});

test("a file in place of git's folder is none of the project's", async () => {
  const { met } = project({ ".git": "gitdir: ../elsewhere\n", "module/.git": "gitdir: x\n", "a.ts": "" });
  assert.deepEqual(await met(), { found: ["a.ts"], skipped: [], unread: [] });
});

test("folders whose names cannot be spoken of are named, not entered", async () => {
  const { found, skipped } = await project({ "bad\nname/a.ts": "", "b.ts": "" }).met();
  assert.deepEqual(found, ["b.ts"]);
  assert.deepEqual(skipped, [{ path: "bad\uFFFDname", reason: "its name has control characters" }]);
});

test("folders without end have an end", async () => {
  const deep = "d/".repeat(51);
  const { met } = project({ [`${deep.slice(2)}in.ts`]: "", [`${deep}out.ts`]: "" });
  assert.deepEqual(await met(), {
    found: [`${deep.slice(2)}in.ts`],
    skipped: [{ path: deep.slice(0, -1), reason: "more than 50 folders deep" }],
    unread: [],
  });
});

test("files that cannot be looked at are unread, not gone", async () => {
  const { at, met } = project({ "a.ts": "", "half/b.ts": "", "half/c.ts": "" });
  await met();
  chmodSync(at("half"), 0o444);
  const walk = await met();
  chmodSync(at("half"), 0o755);
  assert.deepEqual(walk, {
    found: ["a.ts"],
    skipped: ["half/b.ts", "half/c.ts"].map((path) => ({ path, reason: "may not be read" })),
    unread: ["half/b.ts", "half/c.ts"],
  });
});

test("a project that may not be looked into has no folders to watch", async () => {
  const { root, met } = project({ "a.ts": "" });
  await met();
  chmodSync(root, 0);
  const walk = await walkProject(root, { exclude: null, except: [] }, LIMITS);
  chmodSync(root, 0o755);
  assert.deepEqual(walk, {
    found: [],
    skipped: [{ path: ".", reason: "may not be read" }],
    unread: [""],
    rules: new Map(),
  });
});

test("patterns that would take years close their folder, unless they only let something in", async () => {
  const slow = `/${"a/**/".repeat(16)}b`;
  const path = "a/".repeat(32);
  const { met } = project({
    ".gitignore": `!${slow}\n*.log\n`,
    "c/.gitignore": slow,
    "c/x": "",
    [`${path}c.ts`]: "",
    "d.log": "",
  });
  assert.deepEqual(await met(), {
    found: [".gitignore", `${path}c.ts`],
    skipped: [
      { path: ".gitignore", reason: LEFT_OUT },
      { path: "c", reason: "not entered, because patterns in its .gitignore would take too long" },
    ],
    unread: ["c"],
  });
});

test("of patterns that take long there are not many", async () => {
  const slow = (count: number) => Array.from({ length: count }, (_, index) => `/a/**/b/**/${index}.ts`).join("\n");
  const few = project({ ".gitignore": slow(50), "a/b/49.ts": "", "a/b/50.ts": "" });
  assert.deepEqual((await few.met()).found, [".gitignore", "a/b/50.ts"]);
  const many = project({ ".gitignore": slow(51), "a/b/50.ts": "" });
  const { found, unread } = await many.met();
  assert.deepEqual([found, unread], [[], [""]]);
});

const rules = (count: number) => Array.from({ length: count }, (_, index) => `name-${index}`).join("\n");
const closing: [why: string, name: string, text: string, reason: RegExp][] = [
  ["too large", ".gitignore", `private\n${"#".repeat(1_000_000)}`, /its \.gitignore .*: larger than 1 MB$/],
  ["too large", ".steleignore", `private\n${"#".repeat(1_000_000)}`, /its \.steleignore .*: larger than 1 MB$/],
  ["too long", ".gitignore", `${rules(5_001)}\nprivate`, /its \.gitignore brings the rules to more than 5000$/],
];
for (const [why, name, text, reason] of closing)
  test(`a folder whose ${name} is ${why} is not entered`, async () => {
    const { met } = project({ [`in/${name}`]: text, "in/private": "", "in/deep/x.ts": "", "out.ts": "" });
    const { found, skipped, unread } = await met();
    assert.deepEqual([found, unread, skipped.map(({ path }) => path)], [["out.ts"], ["in"], ["in"]]);
    assert.match(skipped[0]?.reason ?? "", reason);
    const root = await project({ [name]: text, private: "" }).met();
    assert.deepEqual([root.found, root.unread, root.skipped[0]?.path], [[], [""], "."]);
  });

test("an ignore file may be as long as it is, within the limit", async () => {
  const { met } = project({ ".gitignore": `${"# words\n".repeat(20_000)}${rules(4_000)}\nprivate`, private: "" });
  assert.deepEqual((await met()).found, [".gitignore"]);
});

test("a folder whose ignore file may not be read, or is a link, is not entered", async () => {
  const { at, met } = project({ "shut/.gitignore": "private", "shut/private": "", "linked/private": "", "a.ts": "" });
  await met();
  chmodSync(at("shut/.gitignore"), 0);
  symlinkSync(at("a.ts"), at("linked/.steleignore"));
  const { found, skipped, unread } = await met();
  assert.deepEqual([found, unread], [["a.ts"], ["linked", "shut"]]);
  assert.match(skipped[0]?.reason ?? "", /its \.steleignore .*: a link$/);
  assert.match(skipped[1]?.reason ?? "", /its \.gitignore .*: may not be read$/);
});

test("what git excludes for one clone is had whole or not at all", async () => {
  const { at, met } = project({ ".git/HEAD": "", "elsewhere/exclude": "private\n", private: "", "a.ts": "" });
  assert.deepEqual((await met()).found, ["a.ts", "elsewhere/exclude", "private"]);
  symlinkSync(at("elsewhere"), at(".git/info"));
  assert.deepEqual((await met()).found, ["a.ts", "elsewhere/exclude"]);
  writeFileSync(at("elsewhere/exclude"), `private\n${"#".repeat(1_000_000)}`);
  const { found, skipped, unread } = await met();
  assert.deepEqual([found, unread], [[], [""]]);
  assert.match(skipped[0]?.reason ?? "", /its \.git\/info\/exclude .*: larger than 1 MB$/);
});

test("a folder of notes says so as well", async () => {
  const { root } = project({
    "in/.gitignore": "#".repeat(1_000_001),
    "in/a.md": "",
    ".gitignore": `!${"**/".repeat(9)}`,
  });
  const { found, skipped, unread } = await createNoteFiles(root, { polling: false, log: quiet, limits: LIMITS }).walk();
  assert.deepEqual([found, unread], [[], [join(root, "in")]]);
  assert.deepEqual(
    skipped.map(({ path }) => path),
    [join(root, ".gitignore"), join(root, "in")],
  );
});
