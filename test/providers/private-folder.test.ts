/** Whose folder may be trusted: tables, since who runs the tests decides which folders can be made. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { claimPrivateFolder, isPrivate, isSafeWay } from "../../src/providers/private-folder.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "stele-private-")));
after(() => rmSync(top, { recursive: true, force: true }));
const user = process.getuid!();
const folder = (mode: number, uid: number) => ({ mode, uid, isDirectory: () => true });

const folders: [mode: number, uid: number, isPrivate: boolean, isSafeWay: boolean, string][] = [
  [0o700, 1000, true, true, "ours alone"],
  [0o500, 1000, true, true, "ours, and not even we may write"],
  [0o755, 1000, false, true, "others may read it"],
  [0o770, 1000, false, true, "the group may write to it"],
  [0o707, 1000, false, false, "others may write to it"],
  [0o701, 1000, false, true, "others may pass through it"],
  [0o700, 1001, false, false, "somebody else's"],
  [0o700, 0, false, true, "root's"],
  [0o1777, 0, false, true, "the shared temporary folder: nobody renames what is another's"],
  [0o777, 0, false, false, "root's, and anybody may rename what lies in it"],
];
for (const [mode, uid, private_, safe, why] of folders)
  test(`${mode.toString(8)} of ${uid}, for 1000: ${why}`, () => {
    assert.equal(isPrivate(folder(mode, uid), 1000), private_);
    assert.equal(isSafeWay(folder(mode, uid), 1000), safe);
  });

test("root trusts no folder of somebody else", () => assert.equal(isPrivate(folder(0o700, 1000), 0), false));

test("what is no folder is not private", () => {
  assert.equal(isPrivate({ mode: 0o700, uid: 1000, isDirectory: () => false }, 1000), false);
});

test("a folder is made private, and found so again", () => {
  const path = join(top, "new");
  assert.deepEqual([claimPrivateFolder(path), claimPrivateFolder(path)], [true, true]);
  assert.equal(statSync(path).mode & 0o777, 0o700);
});

test("a folder of somebody else is refused", () => {
  const path = join(top, "theirs");
  mkdirSync(path, { mode: 0o700 });
  assert.equal(claimPrivateFolder(path, user + 1), false);
});

test("a folder that others can reach around, or that nobody can make, is refused", () => {
  const open = join(top, "open");
  mkdirSync(open);
  chmodSync(open, 0o777);
  assert.equal(claimPrivateFolder(join(open, "inner")), false);
  assert.equal(claimPrivateFolder(join(top, "nowhere", "inner")), false);
  symlinkSync(join(top, "new"), join(top, "link"));
  assert.equal(claimPrivateFolder(join(top, "link")), false);
});
