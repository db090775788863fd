/** `stele encrypt --keyring` and what follows, with a keyring in memory. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openEncryption } from "../../src/app/compose-encryption.ts";
import { runEncryption } from "../../src/cli/encryption.ts";
import type { Intent } from "../../src/encryption/encrypting.ts";
import { recordIn } from "../../src/encryption/record-file.ts";
import { memoryKeyring } from "../encryption/memory-keyring.ts";
import { filesWith, newHome } from "./fixtures/encrypted-home.ts";
import { streams } from "./fixtures/streams.ts";

test("a key lives in the keyring, is changed there, and is locked while the keyring is away, emptied or of another", async () => {
  const { home } = newHome();
  const keyring = memoryKeyring();
  const open = () => openEncryption({ home, lateHooksMs: 0, keyring });
  const run = async (intent: Intent, ...argv: string[]) => {
    const { io, out } = streams();
    const code = await runEncryption(intent, [...argv, "--yes", "--json"], { io, attended: false, open });
    return { code, answer: JSON.parse(out()) };
  };
  keyring.isLocked = true;
  const refused = await run("encrypt", "--keyring");
  assert.deepEqual([refused.code, refused.answer.error.code, recordIn(home)], [5, "unavailable", null]);
  assert.match(refused.answer.error.hint, /--key-file FILE.*--passphrase/);
  keyring.isLocked = false;

  const { answer } = await run("encrypt", "--keyring", "--sheet");
  assert.deepEqual([answer.status, answer.kept, answer.keyFile], ["encrypted", "keyring", null]);
  const { id, hex } = (await open().key())!;
  assert.deepEqual([...keyring.entries], [[id, hex]]);
  assert.deepEqual(filesWith(home, ["herons", "storks", hex]), []);

  // Without another word the new key is kept as the former was, which stays for copies and exports.
  const rekeyed = await run("rekey");
  assert.deepEqual([rekeyed.answer.kept, rekeyed.answer.formerInKeyring], ["keyring", id]);
  assert.equal(keyring.entries.size, 2);
  const present = rekeyed.answer.keyId as string;
  const locked = (message: RegExp) => assert.rejects(open().key(), { code: "locked", message });
  keyring.isLocked = true;
  await locked(/The keyring is locked\. The key \w+ is kept there/);
  assert.equal((await run("decrypt")).answer.error.code, "locked");
  keyring.isLocked = false;
  const kept = keyring.entries.get(present)!;
  keyring.entries.set(present, hex);
  await locked(/This is the key of another memory/);
  keyring.entries.delete(present);
  await locked(/has no entry under stele/);
  keyring.entries.set(present, kept);
  assert.equal((await run("decrypt")).answer.status, "decrypted");
  assert.ok(filesWith(home).length > 0);
});

test("a process that holds the key is asked before the keyring", async () => {
  const { home } = newHome();
  const keyring = memoryKeyring();
  const { change } = openEncryption({ home, lateHooksMs: 0, keyring });
  const { key } = await change(null, { kind: "keyring" });
  keyring.isLocked = true;
  const opened = openEncryption({ home, keyring });
  const holding = await opened.hold(key!);
  assert.deepEqual(await opened.key(), key);
  await holding.release();
  await assert.rejects(opened.key(), { code: "locked", message: /The keyring is locked/ });
});

test("what failed is told, even if the keyring goes away meanwhile; otherwise it keeps no key that opens nothing", async () => {
  for (const isLocked of [false, true]) {
    const { home } = newHome();
    const keyring = memoryKeyring();
    const fail = () => {
      keyring.isLocked = isLocked;
      throw new Error("The disk is full.");
    };
    await assert.rejects(openEncryption({ home, keyring }).change(null, { kind: "keyring" }, fail), /The disk is full/);
    assert.deepEqual([keyring.entries.size, recordIn(home)], [isLocked ? 1 : 0, null]);
  }
});
