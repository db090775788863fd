/** What a person or an agent reads is what they can type: handles from the text, at a terminal and over MCP. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openWorld } from "../../src/app/compose.ts";
import { catalog, DEFAULT_TOOLS } from "../../src/catalog/catalog.ts";
import { runCli } from "../../src/cli/run.ts";
import { streams } from "../hosts/fixtures/streams.ts";
import { connect, ownServer, transportTo } from "../mcp.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-handles-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const WHOLE_ID = /[0-9a-f]{8}-[0-9a-f]{4}-7/;

/** The handle that a text tells after these words. */
function told(text: string, words: string): string {
  const [, handle] = new RegExp(`${words}([0-9a-f]{8})\\b`).exec(text) ?? [];
  assert.ok(handle, `no handle after "${words}" in: ${text}`);
  return handle;
}

/** Any other digit in its place, so that it is still a handle but nobody's. */
const mistyped = (handle: string): string => handle.slice(0, -1) + (handle.endsWith("0") ? "1" : "0");

/** What both surfaces are put through; `call` gives the text, and fails with the code and its hint. */
async function roundTrip(call: (verb: string, input: Record<string, unknown>) => Promise<string>): Promise<void> {
  const short = async (verb: string, input: Record<string, unknown>): Promise<string> => {
    const text = await call(verb, input);
    assert.doesNotMatch(text.replace(/session \S+/g, ""), WHOLE_ID, `${verb} shows handles`);
    return text;
  };
  const first = told(await short("remember", { content: "Deploys need the VPN" }), "Remembered: ");
  assert.match(await short("recall", { query: "VPN" }), new RegExp(`^${first} .*Deploys need the VPN`, "m"));
  assert.match(await short("list", {}), new RegExp(`^${first}  `, "m"));
  assert.match(await call("get", { id: first }), new RegExp(`^(?:handle +)?${first}\\b`, "m"));
  const update = await short("update", { id: first.slice(0, 6), content: "Deploys need two approvals" });
  const second = told(update, `Replaced ${first} with `);
  assert.match(await call("get", { id: second }), new RegExp(`replaced:? +${first}: Deploys need the VPN`));
  assert.match(await short("promote", { id: second, scope: "global" }), new RegExp(`^${second} is now global`));
  const forgotten = await short("forget", { target: second });
  assert.match(forgotten, new RegExp(`^Archived ${second} \\(Deploys need two approvals\\)\\.`));
  const undone = await short("rollback", { call: told(forgotten, "stele rollback ") });
  assert.match(undone, new RegExp(`\nReverted: ${second} \\(memory, global\\)\n`));
  assert.match(await short("audit", { id: second, limit: 1 }), new RegExp(`  changed memory ${second}, `));
  const said = told(await short("log", { text: "the app has no cookies" }), "Kept: ");
  assert.match(await call("evidence", { id: said }), new RegExp(`^${said}  \\(\\S+${said}\\)\n`, "m"));
  const proposed = await short("propose", { subject: "auth", decision: "Use JWT", evidence: [said] });
  const proposal = told(proposed, "pending ratification: ");
  assert.match(await short("proposals", {}), new RegExp(`^${proposal}  auth: Use JWT`, "m"));
  assert.match(await short("reject", { id: proposal, reason: "not yet" }), new RegExp(`^Rejected ${proposal}`, "m"));
  await assert.rejects(call("get", { id: mistyped(second) }), {
    message: `not_found: Did you mean ${second} (Deploys need two approvals)?`,
  });
  await assert.rejects(call("forget", { target: mistyped(second) }), {
    message: `not_found: Did you mean ${second} (Deploys need two approvals)?`,
  });
  await assert.rejects(call("ratify", { id: second }), { message: /^not_found: `stele proposals` lists/ });
}

interface Told {
  error: { code: string; hint: string };
}

const openFor = (host: "cli" | "mcp") =>
  openWorld({ host, home: join(folder, host), project: folder, settings: { embedder: { provider: "hash" } } });

test("at a terminal", async () => {
  const open = () => openFor("cli");
  const at = async (argv: string[]) => {
    const { io, out } = streams({ stdin: "" });
    return { code: await runCli(argv, { catalog, io, attended: false, open }), text: out() };
  };
  await roundTrip(async (verb, input) => {
    const flags = Object.entries(input).flatMap(([name, value]) =>
      [value].flat().flatMap((one) => [`--${name}`, String(one)]),
    );
    const { code, text } = await at([verb, ...flags]);
    if (code === 0) return text;
    const { error } = JSON.parse((await at([verb, ...flags, "--json"])).text) as Told;
    assert.equal(code, 3);
    throw new Error(`${error.code}: ${error.hint}`);
  });
});

test("over MCP", async () => {
  const tools = { catalog, tools: "full", structured: true, defaultTools: DEFAULT_TOOLS, version: "0" } as const;
  const client = await connect(transportTo(ownServer({ ...tools, open: () => openFor("mcp") })));
  try {
    await roundTrip(async (verb, input) => {
      const result = await client.callTool({ name: verb, arguments: input });
      const [content] = result.content as { text: string }[];
      if (!result.isError) return content!.text;
      const { code, hint } = result._meta!["stele/error"] as Told["error"];
      throw new Error(`${code}: ${hint}`);
    });
  } finally {
    await client.close();
  }
});
