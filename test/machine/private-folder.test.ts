/** Whose folder may be trusted: tables, since who runs the tests decides which folders can be made. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { claimPrivateFolder, isPrivate, isSafeParent } from "../../src/machine/private-files.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "stele-private-")));
after(() => rmSync(top, { recursive: true, force: true }));
const own = { uid: process.getuid!(), gid: process.getgid!() };
const person = { uid: 1000, gid: 1000 };
const folder = (mode: number, uid: number, gid = uid) => ({ mode, uid, gid, isDirectory: () => true });

const folders: [mode: number, uid: number, isPrivate: boolean, isSafeParent: boolean, string][] = [
  [0o700, 1000, true, true, "ours alone"],
  [0o500, 1000, true, true, "ours, and not even we may write"],
  [0o755, 1000, false, true, "others may read it"],
  [0o770, 1000, false, true, "only a group of our own may write to it"],
  [0o707, 1000, false, false, "others may write to it"],
  [0o701, 1000, false, true, "others may pass through it"],
  [0o700, 1001, false, false, "somebody else's"],
  [0o700, 0, false, true, "root's"],
  [0o1777, 0, false, true, "the shared temporary folder: nobody renames what is another's"],
  [0o777, 0, false, false, "root's, and anybody may rename what lies in it"],
];
for (const [mode, uid, private_, safe, why] of folders)
  test(`${mode.toString(8)} of ${uid}, for 1000: ${why}`, () => {
    assert.equal(isPrivate(folder(mode, uid), person), private_);
    assert.equal(isSafeParent(folder(mode, uid), person), safe);
  });

test("root trusts no folder of somebody else", () =>
  assert.equal(isPrivate(folder(0o700, 1000), { uid: 0, gid: 0 }), false));

test("a way that a group of others may write to is not safe", () => {
  assert.equal(isSafeParent(folder(0o775, 1000, 50), person), false);
  assert.equal(isSafeParent(folder(0o775, 1000, 100), { uid: 1000, gid: 100 }), false);
  assert.equal(isSafeParent(folder(0o1775, 0, 50), person), true);
});

test("what is no folder is not private", () => {
  assert.equal(isPrivate({ ...folder(0o700, 1000), isDirectory: () => false }, person), false);
});

test("a folder is made private, and found so again", () => {
  const path = join(top, "new");
  assert.deepEqual([claimPrivateFolder(path), claimPrivateFolder(path)], [path, path]);
  assert.equal(statSync(path).mode & 0o777, 0o700);
});

test("a folder of somebody else is refused", () => {
  const path = join(top, "theirs");
  mkdirSync(path, { mode: 0o700 });
  assert.equal(claimPrivateFolder(path, { ...own, uid: own.uid + 1 }), null);
});

test("a folder that others can reach around, or that nobody can make, is refused", () => {
  const open = join(top, "open");
  mkdirSync(open);
  chmodSync(open, 0o777);
  assert.equal(claimPrivateFolder(join(open, "inner")), null);
  assert.deepEqual(readdirSync(open), [], "nothing is made where it would not be used");
  assert.equal(claimPrivateFolder(join(top, "nowhere", "inner")), null);
  symlinkSync(join(top, "new"), join(top, "link"));
  assert.equal(claimPrivateFolder(join(top, "link")), null);
});
