/** A keyring that does not answer: a session bus that accepts and says nothing, and one that is not there. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { systemKeyring } from "../../src/encryption/keyring.ts";
import { startChild } from "../child.ts";
import { until } from "../until.ts";

const envFor = (path: string) => {
  const escaped = path.split("/").map(encodeURIComponent).join("/");
  return { ...process.env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${escaped}` };
};

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);

/** One that has ended may wait for its parent to notice. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** A session bus that accepts and says nothing. `connections` are those that were made. */
async function silentBus(t: TestContext): Promise<{ bus: Server; path: string; connections: Socket[] }> {
  const folder = mkdtempSync(join(tmpdir(), "stele-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "bus");
  const connections: Socket[] = [];
  const bus = createServer((socket) => void connections.push(socket.resume())).listen(path);
  t.after(() => bus.close());
  await once(bus, "listening");
  return { bus, path, connections };
}

test("whoever asks a keyring that does not answer is told so in the end, and the process that asked is ended", async (t) => {
  const { bus, path, connections } = await silentBus(t);
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
  assert.equal(connections.length, 1);
});

for (const signal of ["SIGKILL", "SIGTERM"] as const)
  test(`the process that asks ends with its owner, even if ${signal} ends that one before the keyring has answered`, async (t) => {
    const { bus, path } = await silentBus(t);
    const keyring = new URL("../../src/encryption/keyring.ts", import.meta.url).href;
    const asking = `(await import(${JSON.stringify(keyring)})).systemKeyring().read("stele test")`;
    const connected = once(bus, "connection");
    await using owner = startChild(null, ["--input-type=module", "-e", asking], { env: envFor(path) });
    await connected;
    const children = childrenOf(owner.process.pid!);
    t.after(() => children.filter(isRunning).forEach((pid) => process.kill(pid, "SIGKILL")));
    assert.equal(children.length, 1);
    owner.kill(signal);
    await until(() => !children.some(isRunning));
  });

test("where there is no keyring, every question is refused with the reason", async () => {
  const keyring = systemKeyring({ env: envFor("/nonexistent/bus") });
  const refused = { code: "unavailable", message: /^The system's keyring cannot be used here: [^\n]+[^.\n]\.$/ };
  await assert.rejects(keyring.read("stele test"), refused);
  await assert.rejects(keyring.write("stele test", "text"), refused);
  await assert.rejects(keyring.remove("stele test"), refused);
});
