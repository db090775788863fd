/** Two servers on an encrypted memory: they get the key from whoever holds it, hold it themselves, and follow a new key. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Client } from "@modelcontextprotocol/client";
import { openEncryption } from "../../src/app/compose-encryption.ts";
import { recordIn } from "../../src/encryption/record-file.ts";
import { open } from "../../src/index.ts";
import { runChild, startChild } from "../child.ts";
import { connect, environment, shippedServer } from "../mcp.ts";
import { until } from "../until.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-servers-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const [home, project] = [join(folder, "home"), join(folder, "project")];
const BIN = new URL("../../bin/stele.js", import.meta.url);
const PASSPHRASE = "four plain words suffice";

const server = () => connect(shippedServer(home, "--project", project));
const told = async (client: Client, name: string, input: object): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: { ...input } });
  return (content as { text: string }[]).map(({ text }) => text).join("\n");
};

test("servers share one key, survive its holder, and go on when it is changed", async () => {
  mkdirSync(project);
  const stele = await open({ home, project, settings: { embedder: { provider: "hash" } } });
  await stele.remember({ content: "herons fish at dawn" });
  await stele.close();
  const encryption = openEncryption({ home, lateHooksMs: 0 });
  await encryption.change(null, { kind: "passphrase", passphrase: PASSPHRASE });

  const [one, two] = [await server(), await server()];
  assert.match(await told(one, "recall", { query: "herons" }), /no running process holds its key/);
  const env = environment(home);
  await using unlocking = startChild(BIN, ["unlock", "--passphrase-stdin"], { input: `${PASSPHRASE}\n`, env });
  await unlocking.spoke();
  assert.match(await told(one, "recall", { query: "herons" }), /herons fish at dawn/);
  await told(two, "remember", { content: "storks nest on roofs" });
  assert.match(await told(one, "recall", { query: "storks" }), /storks nest on roofs/);

  unlocking.kill("SIGINT");
  assert.equal((await unlocking.ended).code, 0);
  // One of the two servers takes over.
  await until(async () => (await runChild(BIN, ["list"], { env, cwd: project })).code === 0);

  const { key, ...others } = openEncryption({ home, lateHooksMs: 0 });
  const former = recordIn(home)!.folder;
  await others.change(await key(), { kind: "file", path: join(folder, "keys", "stele.key") });
  assert.notEqual(recordIn(home)!.folder, former);
  await told(one, "remember", { content: "a cormorant dries its wings" });
  assert.match(await told(two, "recall", { query: "cormorant" }), /cormorant dries its wings/);
  await Promise.all([one.close(), two.close()]);
});
