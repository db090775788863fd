/** A keyring that does not answer: a session bus that accepts and says nothing, and one that is not there. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type Socket, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { systemKeyring } from "../../../src/providers/encryption/system-keyring.ts";

const envFor = (path: string) => {
  const escaped = path.split("/").map(encodeURIComponent).join("/");
  return { ...process.env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${escaped}` };
};

test("whoever asks a keyring that does not answer is told so in the end, and the process that asked is ended", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "stele-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "bus");
  const heard: Socket[] = [];
  const bus = createServer((socket) => void heard.push(socket.resume())).listen(path);
  t.after(() => bus.close());
  await once(bus, "listening");
  const connected = once(bus, "connection") as Promise<[Socket]>;
  const keyring = systemKeyring({ patienceMs: 3_000, env: envFor(path) });
  const asked = assert.rejects(keyring.read("stele test"), {
    code: "unavailable",
    message: /^The system's keyring cannot be used here: it has not answered for 3 seconds\.$/,
  });
  const [socket] = await connected;
  const ended = once(socket, "close");
  await asked;
  await ended;
  assert.equal(heard.length, 1);
});

test("where there is no keyring, every question is refused with the reason", async () => {
  const keyring = systemKeyring({ env: envFor("/nonexistent/bus") });
  const refused = { code: "unavailable", message: /^The system's keyring cannot be used here: [^\n]+[^.\n]\.$/ };
  await assert.rejects(keyring.read("stele test"), refused);
  await assert.rejects(keyring.write("stele test", "text"), refused);
  await assert.rejects(keyring.remove("stele test"), refused);
});
