/** Memories merged by a person: at a terminal, through an MCP client in both eras, and never without being asked. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { openWorld } from "../../src/app/compose.ts";
import { catalog, DEFAULT_TOOLS } from "../../src/catalog/catalog.ts";
import { runCli } from "../../src/cli/run.ts";
import { streams } from "../hosts/fixtures/streams.ts";
import { connect, ERAS, ownServer, transportTo } from "../mcp.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-merge-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const settings = { embedder: { provider: "hash" } };

interface Answer {
  id: string;
  handle: string;
  status: string;
  content: string;
  superseded: string[];
  hits: { id: string }[];
  error: { code: string; hint: string };
}

async function at(terminal: { typed?: string; attended?: boolean }, ...argv: string[]) {
  const { io, out, err } = streams({ stdin: terminal.typed ?? "", tty: true });
  const code = await runCli([...argv, "--json"], {
    catalog,
    io,
    attended: terminal.attended ?? true,
    open: () => openWorld({ host: "cli", home: join(folder, "cli"), project: folder, settings }),
  });
  return { code, asked: err(), answer: JSON.parse(out()) as Answer };
}

test("at a terminal a person sees both texts and agrees; without one it is refused", async () => {
  const { answer: one } = await at({}, "remember", "Deploys need the VPN");
  const { answer: two } = await at({}, "remember", "Deploys need the VPN and two approvals");
  const alone = await at({ typed: "y\n", attended: false }, "merge", one.handle, two.handle);
  assert.deepEqual([alone.code, alone.answer.error.code], [4, "refused"]);
  assert.match(alone.answer.error.hint, new RegExp(`stele merge ${one.handle} ${two.handle}`));
  const declined = await at({ typed: "n\n" }, "merge", one.handle, two.handle);
  assert.deepEqual([declined.code, declined.answer.error.code], [4, "refused"]);
  assert.equal((await at({}, "recall", "deploys")).answer.hits.length, 2);
  const merged = await at({ typed: "y\n" }, "merge", one.handle, two.handle);
  assert.deepEqual([merged.code, merged.answer.status, merged.answer.superseded], [0, "merged", [one.id, two.id]]);
  assert.match(merged.asked, new RegExp(`> Deploys need the VPN\n${two.handle}, fact, of .*:\n> Deploys .* approvals\nIt keeps the text of ${two.handle}, which says more`)); // prettier-ignore
  assert.deepEqual((await at({}, "recall", "deploys")).answer.hits.map(({ id }) => id), [merged.answer.id]); // prettier-ignore
  const twice = await at({ typed: "y\n" }, "merge", one.handle, two.handle);
  assert.deepEqual([twice.code, twice.answer.error.code, twice.asked.includes("[y/N]")], [4, "conflict", false]);
});

for (const era of ERAS)
  test(`an MCP client of ${era} asks the person; one that cannot ask is refused`, async () => {
    const home = join(folder, era);
    const asked: string[] = [];
    const yes = ({ message }: { message: string }): ElicitResult => {
      asked.push(message);
      return { action: "accept", content: { merge: true } };
    };
    const server = () =>
      ownServer({
        catalog,
        tools: "full" as const,
        structured: true,
        defaultTools: DEFAULT_TOOLS,
        version: "0",
        open: () => openWorld({ host: "mcp", home, project: folder, settings }),
      });
    const mute = await connect(transportTo(server()), { era });
    const remembered = [];
    for (const content of ["Ann reviews each release", "Ann reviews each release herself"])
      remembered.push((await mute.callTool({ name: "remember", arguments: { content } })).structuredContent as { id: string }); // prettier-ignore
    const [first, second] = remembered.map(({ id }) => id);
    const refused = await mute.callTool({ name: "merge", arguments: { first, second } });
    assert.ok(refused.isError);
    assert.match((refused.content as { text: string }[])[0]!.text, /^refused: /);
    await mute.close();
    const client = await connect(transportTo(server()), { era, elicit: yes });
    const content = "Ann reviews each release in person";
    const merged = await client.callTool({ name: "merge", arguments: { first, second, content } });
    assert.equal((merged.structuredContent as { content: string }).content, content);
    await client.close();
    assert.equal(asked.length, 1);
    assert.match(asked[0]!, /It gets this text:\n> Ann reviews each release in person/);
  });
