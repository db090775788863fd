/** The shipped MCP server and the official client, in both eras: default tools listed, each called, each answer checked. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import * as z from "zod";
import { DEFAULT_TOOLS } from "../../src/catalog/catalog.ts";
import { connect, ERAS, shippedServer } from "../mcp.ts";
import { catalog } from "../whole-catalog.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-mcp-"));
after(() => rmSync(folder, { recursive: true, force: true }));

type Structured = Record<string, unknown>;

for (const era of ERAS) {
  test(`the default tools, listed and called over ${era}`, async () => {
    const client = await connect(shippedServer(join(folder, era), "--project", folder), { era });
    try {
      assert.equal(client.getNegotiatedProtocolVersion(), era);
      const { tools } = await client.listTools();
      assert.deepEqual(tools.map(({ name }) => name).sort(), [...DEFAULT_TOOLS].sort());
      for (const { annotations } of tools) assert.equal(Object.keys(annotations ?? {}).length >= 4, true);

      const answers = new Map<string, Structured>();
      const call = async (name: string, input: Structured) => {
        const result = await client.callTool({ name, arguments: input });
        assert.ok(!result.isError, JSON.stringify(result.content));
        const { output } = catalog.find((operation) => operation.name === name)!;
        answers.set(name, z.strictObject(output.shape).parse(result.structuredContent) as Structured);
        return answers.get(name)!;
      };
      assert.deepEqual((await call("orient", {}))["lastSession"], null);
      const { id } = await call("remember", { content: "The release branch is cut on Mondays", type: "convention" });
      const { hits } = (await call("recall", { query: "when is the release branch cut" })) as { hits: Structured[] };
      assert.equal(hits[0]?.["id"], id);
      await call("get", { id });
      assert.equal((await call("observe", { event: "error_occurred", content: "ENOENT" }))["status"], "stored");
      assert.equal((await call("propose", { subject: "auth", decision: "JWT" }))["status"], "proposed");
      assert.deepEqual((await call("decisions", { subject: "auth" }))["hits"], []);
      assert.deepEqual((await call("search_docs", { query: "release" }))["hits"], []);
      assert.deepEqual((await call("search_code", { query: "release" }))["hits"], []);
      const { id: other } = await call("remember", { content: "The release notes are written on Fridays" });
      assert.equal((await call("settle", { one: other, other: id, as: "unrelated" }))["status"], "settled");
      assert.equal((await call("forget", { target: id }))["status"], "forgotten");
      assert.deepEqual([...answers.keys()].sort(), [...DEFAULT_TOOLS].sort());
    } finally {
      await client.close();
    }
  });
}

test("a server whose database was removed says so in every answer, and writes nothing", async () => {
  const home = join(folder, "removed");
  const client = await connect(shippedServer(home, "--project", folder, "--tools", "full"), { era: ERAS[0]! });
  const call = async (name: string, input: Structured) => {
    const result = await client.callTool({ name, arguments: input });
    const [content] = result.content as { text: string }[];
    return { isError: result.isError === true, text: content!.text };
  };
  try {
    await call("remember", { content: "The release branch is cut on Mondays" });
    const [name] = readdirSync(join(home, "spaces")).filter((file) => file.endsWith(".db"));
    rmSync(join(home, "spaces", name!));
    const read = await call("recall", { query: "release branch" });
    assert.ok(!read.isError, read.text);
    assert.match(read.text, /cut on Mondays/);
    assert.match(read.text, /the database was removed or replaced \(restart Stele\)/);
    const writing: [string, Structured][] = [["list", {}], ["remember", { content: "Lost at once" }]]; // prettier-ignore
    for (const [verb, input] of writing) {
      const refused = await call(verb, input);
      assert.ok(refused.isError);
      assert.match(refused.text, /the database was removed or replaced/);
    }
  } finally {
    await client.close();
  }
});
