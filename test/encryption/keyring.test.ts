/**
 * Keyrings: one suite for all, and what is said of a key that is not there.
 *
 * The system's own is tried too where `STELE_TEST_KEYRING` is set: in a session whose keyring is unlocked.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { bundle } from "../../scripts/bundle.ts";
import { systemKeyring } from "../../src/encryption/keyring.ts";
import { keepInKeyring, keyInKeyring } from "../../src/encryption/keys.ts";
import { storeKeyOf } from "../../src/encryption/store-key.ts";
import { Failure } from "../../src/errors.ts";
import type { Keyring } from "../../src/ports.ts";
import { runChild } from "../child.ts";
import { memoryKeyring } from "./memory-keyring.ts";

const KEYRINGS: Record<string, () => Keyring> = {
  "a keyring in memory": memoryKeyring,
  ...(process.env["STELE_TEST_KEYRING"] && { "the system's keyring": systemKeyring }),
};

const key = storeKeyOf(Buffer.alloc(32, 7));
const NAMES = ["stele test one", "stele test two"] as const;

for (const [what, create] of Object.entries(KEYRINGS))
  test(`${what} keeps what was written last under a name, until it is removed`, async () => {
    const [one, two] = NAMES;
    const keyring = create();
    for (const name of NAMES) await keyring.remove(name);
    assert.equal(await keyring.read(one), null);
    await keyring.write(one, "first");
    await keyring.write(one, "second ü 鳥");
    await keyring.write(two, "another");
    assert.deepEqual([await keyring.read(one), await keyring.read(two)], ["second ü 鳥", "another"]);
    assert.deepEqual([await keyring.remove(one), await keyring.remove(one)], [true, false]);
    assert.deepEqual([await keyring.read(one), await keyring.read(two)], [null, "another"]);
    await keyring.remove(two);
  });

test("a key is read as it was kept; one that is missing, something else or out of reach is locked, never damage", async () => {
  const keyring = memoryKeyring();
  const locked = (message: RegExp) => assert.rejects(keyInKeyring(key.id, keyring), { code: "locked", message });
  await keepInKeyring(key, keyring);
  assert.equal((await keyInKeyring(key.id, keyring)).toString("hex"), key.hex);
  keyring.isLocked = true;
  await locked(/The keyring is locked\. The key \w+ is kept there/);
  keyring.isLocked = false;
  keyring.entries.set(key.id, key.hex.slice(1));
  await locked(/holds something else than a key/);
  keyring.entries.clear();
  await locked(/has no entry under stele/);
});

test("a keyring that refuses or forgets is found out when the key is kept, and other places are named", async () => {
  const keyring = memoryKeyring();
  const refused = (given: Keyring, message: RegExp) =>
    assert.rejects(keepInKeyring(key, given), { code: "unavailable", message, hint: /--key-file FILE.*--passphrase/ });
  keyring.isLocked = true;
  await refused(keyring, /The keyring is locked\. Nothing was encrypted/);
  await refused({ ...memoryKeyring(), write: async () => undefined }, /did not keep the key/);
  keyring.isLocked = false;
  await refused({ ...keyring, read: async () => "something else" }, /did not keep the key/);
  assert.equal(keyring.entries.size, 0, "and no key stays there that opens nothing");
});

test("a keyring that could not be written is asked nothing more", async () => {
  const asked: string[] = [];
  const put = (question: string) => async () => {
    asked.push(question);
    throw new Failure("unavailable", "It has not answered.", "Unlock it.");
  };
  const silent = { write: put("write"), read: put("read"), remove: put("remove") };
  await assert.rejects(keepInKeyring(key, silent), { code: "unavailable" });
  assert.deepEqual(asked, ["write"]);
  await assert.rejects(keepInKeyring(key, { ...silent, write: async () => undefined }), { code: "unavailable" });
  assert.deepEqual(asked, ["write", "read", "remove"], "but what was written is removed");
});

const SOURCE = fileURLToPath(new URL("../../src/", import.meta.url));
const ASKING = "encryption/keyring-process.ts";
/** Its own file alone, without the packages that lie beside the program. */
const programs: [what: string, file: string, text: () => Promise<string>][] = [
  ["the source", "keyring-process.ts", async () => readFileSync(join(SOURCE, ASKING), "utf8")],
  ["the build", "keyring-process.js", async () => (await bundle(ASKING)).text],
];
for (const [what, file, text] of programs)
  test(`a library that is not installed is told as such: ${what}`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "stele-"));
    t.after(() => rmSync(folder, { recursive: true }));
    // The build knows its place in its folder.
    const path = join(folder, "providers", "encryption", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await text());
    const question = JSON.stringify({ ask: "read", name: "stele test", text: "" });
    const asking = `const stdio = ["pipe", "ignore", "ignore", "ipc"];
      const child = require("node:child_process").fork(process.argv[1], [], { execArgv: [], stdio });
      child.on("message", (answer) => console.log(JSON.stringify(answer)));
      child.send(${question});`;
    const { output } = await runChild(null, ["-e", asking, path]);
    assert.equal(output, `${JSON.stringify({ fault: "its library is not installed" })}\n`);
  });
