/** `stele encrypt` and its kin in odd places: parts behind a link, whose removal would leave what it leads to, and no temporary folder. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BOTH, contents, encryptedHome, filesWith, newHome, run } from "../hosts/fixtures/encrypted-home.ts";

function moveAway(path: string, to: string): void {
  renameSync(path, to);
  symlinkSync(to, path);
}

for (const part of ["spaces", "backups"]) {
  test(`nothing is encrypted while ${part} is a link, and everything once it is in its place`, async () => {
    const { home, keyFile } = newHome();
    const elsewhere = `${home}-${part}`;
    moveAway(join(home, part), elsewhere);
    for (const flags of [["--dry-run"], []]) {
      const refused = await run("encrypt", home, ["--key-file", keyFile, ...flags]);
      assert.equal(refused.code, 2);
      assert.equal(
        refused.answer.error.message,
        `${join(home, part)} is a link: what it leads to would stay as it is.`,
      );
    }
    assert.ok(!existsSync(keyFile) && !existsSync(join(home, "encryption.json")));
    assert.deepEqual(await contents(home), BOTH);

    rmSync(join(home, part));
    renameSync(elsewhere, join(home, part));
    assert.equal((await run("encrypt", home, ["--key-file", keyFile])).code, 0);
    assert.deepEqual(filesWith(home), []);
  });
}

test("the data folder itself may be a link", async () => {
  const { home, keyFile } = newHome();
  moveAway(home, `${home}-real`);
  assert.equal((await run("encrypt", home, ["--key-file", keyFile])).code, 0);
  assert.deepEqual(filesWith(`${home}-real`), []);
  assert.deepEqual(await contents(home), BOTH);
});

test("neither is anything decrypted or given another key while the encrypted stores are behind a link", async () => {
  const { home, nextKeyFile } = await encryptedHome();
  const { folder } = JSON.parse(readFileSync(join(home, "encryption.json"), "utf8")) as { folder: string };
  moveAway(join(home, folder), `${home}-stores`);
  assert.equal((await run("decrypt", home)).code, 2);
  assert.equal((await run("rekey", home, ["--key-file", nextKeyFile])).code, 2);
  assert.ok(readdirSync(`${home}-stores`).includes("global.db"));
  assert.deepEqual(await contents(home), BOTH);
});

test("a memory can be encrypted although the folder for temporary files is gone", async () => {
  const { home, keyFile } = newHome();
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = join(home, "gone");
  try {
    assert.equal((await run("encrypt", home, ["--key-file", keyFile])).code, 0);
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
  assert.deepEqual(filesWith(home), []);
});
