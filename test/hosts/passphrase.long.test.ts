/** `stele encrypt --passphrase` and `unlock`. Every derivation takes 128 MB and some tenths of a second. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openEncryption } from "../../src/app/compose-encryption.ts";
import { runUnlock } from "../../src/cli/encryption.ts";
import { BOTH, contents, filesWith, newHome, openIn, PASSPHRASE, run, WORDS } from "./fixtures/encrypted-home.ts";
import { streams } from "./fixtures/streams.ts";

test("a passphrase opens nothing until somebody unlocks it; then one process holds the key for the others", async () => {
  const { home } = newHome();
  assert.equal((await run("encrypt", home, ["--passphrase", "--passphrase-stdin"], "too short")).code, 2);
  const unasked = await run("encrypt", home, ["--passphrase"]);
  assert.deepEqual([unasked.code, unasked.answer.error.message], [2, "No passphrase was given."]);
  const done = await run("encrypt", home, ["--passphrase-stdin"], `${PASSPHRASE}\n`);
  assert.deepEqual([done.code, done.answer.keyFile], [0, null]);
  assert.deepEqual(filesWith(home, [...WORDS, PASSPHRASE]), []);
  await assert.rejects(openIn(home), { code: "locked", message: /no running process holds its key/ });

  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const { io, out } = streams({ stdin: `${PASSPHRASE}\n` });
  const open = () => openEncryption({ home });
  const unlocked = runUnlock(["--passphrase-stdin"], { io, attended: false, open, stopped: () => stopped });
  for (let waited = 0; out() === "" && waited < 200; waited += 1) await new Promise((next) => setTimeout(next, 50));
  assert.match(out(), /Unlocked\. This process holds the key/);
  assert.deepEqual(await contents(home), BOTH);
  stop();
  assert.equal(await unlocked, 0);
  await assert.rejects(openIn(home), { code: "locked" });

  const wrong = await run("decrypt", home, ["--passphrase-stdin"], "not the right one\n");
  assert.deepEqual([wrong.code, wrong.answer.error.code], [5, "locked"]);
  const right = await run("decrypt", home, ["--passphrase-stdin"], `${PASSPHRASE}\n`);
  assert.equal(right.answer.status, "decrypted");
  assert.deepEqual(await contents(home), BOTH);
});
