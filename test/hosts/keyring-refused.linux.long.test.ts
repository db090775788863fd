/** The system's keyring where there is none: no session bus, as over ssh, in a container or for cron. */
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openEncryption } from "../../src/app/compose-encryption.ts";
import { recordIn } from "../../src/encryption/record-file.ts";
import { writeRecord } from "../../src/encryption/record.ts";
import { runChild } from "../child.ts";
import { memoryKeyring } from "../encryption/memory-keyring.ts";
import { connect, shippedServer } from "../mcp.ts";
import { until } from "../until.ts";
import { encryptedHome, newHome, project } from "./fixtures/encrypted-home.ts";

const BIN = new URL("../../bin/stele.js", import.meta.url);
const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent/bus" };

test("encrypt --keyring is refused before anything happens, and names the other ways", async () => {
  const { home } = newHome();
  const argv = ["encrypt", "--keyring", "--yes", "--json"];
  const { code, output } = await runChild(BIN, argv, { env: { ...env, STELE_HOME: home }, cwd: project });
  const { error } = JSON.parse(output) as { error: Record<"code" | "message" | "hint", string> };
  assert.deepEqual([code, error.code], [5, "unavailable"]);
  assert.match(error.message, /^The system's keyring cannot be used here: .+ Nothing was encrypted\.$/);
  assert.match(error.hint, /--key-file FILE/);
  assert.ok(recordIn(home) === null && existsSync(join(home, "global.db")));
});

test("a memory whose key is in the keyring is locked there, not damaged", async () => {
  const { home } = await encryptedHome();
  const { folder, key } = recordIn(home)!;
  writeFileSync(join(home, "encryption.json"), writeRecord({ folder, key: { ...key!, kept: { kind: "keyring" } } }));
  const argv = ["recall", "herons", "--json"];
  const { code, output } = await runChild(BIN, argv, { env: { ...env, STELE_HOME: home }, cwd: project });
  const { error } = JSON.parse(output) as { error: Record<"code" | "message" | "hint", string> };
  assert.deepEqual([code, error.code], [5, "locked"]);
  assert.match(error.message, /^The system's keyring cannot be used here: .+ is kept there\.$/);
  assert.match(error.hint, /rekey --from-sheet/);
});

test("a server that got the key holds it for the others, who need no keyring then", async (t) => {
  const { home } = newHome();
  const { change, hold } = openEncryption({ home, lateHooksMs: 0, keyring: memoryKeyring() });
  const { key } = await change(null, { kind: "keyring" });
  const recall = async () =>
    (await runChild(BIN, ["recall", "herons"], { env: { ...env, STELE_HOME: home }, cwd: project })).code === 0;
  assert.equal(await recall(), false);

  const holding = await hold(key!);
  const server = await connect(shippedServer(home, "--project", project));
  t.after(() => server.close());
  const { content } = await server.callTool({ name: "recall", arguments: { query: "herons" } });
  assert.match(JSON.stringify(content), /herons fish at dawn/);
  await holding.release();
  await until(recall);
});
