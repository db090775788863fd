/** Decisions from proposal to history, at a terminal and with the shipped MCP server, in both eras. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client, type ElicitResult } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { openWorld } from "../../src/compose.ts";
import { runCli } from "../../src/hosts/cli/run.ts";
import { catalog } from "../../src/operations/catalog.ts";
import { streams } from "../hosts/fixtures/streams.ts";

const STELE = fileURLToPath(new URL("../../bin/stele.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stele-decisions-"));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
  id: string;
  status: string;
  superseded: string[];
  hits: { id: string; history: { id: string }[]; validFrom: string }[];
  items: { id: string }[];
  error: { code: string; hint: string };
}

async function at(terminal: { typed?: string; attended?: boolean }, ...argv: string[]) {
  const { io, out, err } = streams({ stdin: terminal.typed ?? "", tty: true });
  const code = await runCli([...argv, "--json"], {
    catalog,
    io,
    attended: terminal.attended ?? true,
    open: () =>
      openWorld({
        host: "cli",
        home: join(folder, "cli"),
        project: folder,
        settings: { embedder: { provider: "hash" } },
      }),
  });
  return { code, asked: err(), answer: JSON.parse(out()) as Answer };
}

test("proposed by an agent, ratified by a person, superseded, and asked about at both times", async () => {
  const unattended = { typed: "y\n", attended: false };
  const { answer: first } = await at(unattended, "propose", "--subject", "auth", "--decision", "JWT with rotation");
  assert.equal(first.status, "proposed");
  const refused = await at(unattended, "ratify", first.id);
  assert.deepEqual([refused.code, refused.answer.error.code], [4, "refused"]);
  const declined = await at({ typed: "n\n" }, "ratify", first.id);
  assert.deepEqual([declined.code, declined.answer.error.code], [4, "refused"]);
  assert.deepEqual((await at(unattended, "decisions", "auth")).answer.hits, []);
  const ratified = await at({ typed: "y\n" }, "ratify", first.id);
  assert.deepEqual([ratified.code, ratified.answer.status, ratified.answer.superseded], [0, "ratified", []]);
  assert.match(ratified.asked, /Ratify this decision about auth\?\n> JWT with rotation\n.*\nRatify \[y\/N\] /);
  const [held] = (await at(unattended, "decisions", "auth")).answer.hits;
  assert.equal(held?.id, first.id);

  const more = ["--subject", "auth", "--decision", "Passkeys", "--supersedes", first.id];
  const { answer: second } = await at(unattended, "propose", ...more);
  assert.deepEqual((await at({ typed: "yes\n" }, "ratify", second.id)).answer.superseded, [first.id]);
  assert.deepEqual(
    (await at(unattended, "decisions", "auth")).answer.hits.map(({ id }) => id),
    [second.id],
  );
  const then = await at(unattended, "decisions", "auth", "--at", held!.validFrom);
  assert.deepEqual(
    then.answer.hits.map(({ id }) => id),
    [first.id],
  );
  const [recalled] = (await at(unattended, "recall", "auth")).answer.hits;
  assert.deepEqual([recalled?.id, recalled?.history.map(({ id }) => id)], [second.id, [first.id]]);
});

test("the program itself refuses under an agent", async () => {
  const home = join(folder, "program");
  const run = (env: Record<string, string>, ...argv: string[]) =>
    new Promise<{ code: unknown; answer: Answer }>((resolve) => {
      const options = { env: { PATH: process.env["PATH"] ?? "", STELE_HOME: home, STELE_EMBEDDER: "none", ...env } };
      const child = execFile(process.execPath, [STELE, ...argv, "--json", "--project", folder], options, (error, out) =>
        resolve({ code: error?.code ?? 0, answer: JSON.parse(out) as Answer }),
      );
      child.stdin?.end("y\n");
    });
  const { answer } = await run({}, "propose", "--subject", "auth", "--decision", "JWT");
  const refused = await run({ CLAUDECODE: "1" }, "ratify", answer.id);
  assert.deepEqual([refused.code, refused.answer.error.code], [4, "refused"]);
  assert.match(refused.answer.error.hint, new RegExp(`stele ratify ${answer.id}`));
});

async function connect(era: string, elicit: (() => ElicitResult) | null): Promise<Client> {
  const client = new Client(
    { name: "test", version: "0" },
    {
      capabilities: elicit ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: era === "2026-07-28" ? { pin: era } : "legacy" },
    },
  );
  if (elicit) client.setRequestHandler("elicitation/create", async () => elicit());
  const env = { STELE_HOME: join(folder, era), STELE_EMBEDDER: "hash", PATH: process.env["PATH"] ?? "" };
  const args = [STELE, "mcp", "--tools", "full", "--project", folder];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  return client;
}

for (const era of ["2025-11-25", "2026-07-28"]) {
  test(`a person behind an MCP client of ${era} declines, cancels, then accepts`, async () => {
    let next: ElicitResult = { action: "decline" };
    const client = await connect(era, () => next);
    const call = async (name: string, input: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: input });
      const [content] = result.content as { text: string }[];
      return { isRefused: /^refused: /.test(content!.text), ...(result.structuredContent as Partial<Answer>) };
    };
    try {
      const { tools } = await client.listTools();
      const asking = tools.filter(({ _meta }) => _meta?.["anthropic/requiresUserInteraction"] === true);
      assert.deepEqual(
        asking.map(({ name }) => name),
        ["ratify"],
      );
      const { id } = await call("propose", { subject: "auth", decision: "JWT" });
      for (const action of ["decline", "cancel"] as const) {
        next = { action };
        assert.ok((await call("ratify", { id })).isRefused, action);
        assert.deepEqual((await call("decisions", { subject: "auth" })).hits, []);
      }
      next = { action: "accept", content: { ratify: true } };
      assert.equal((await call("ratify", { id })).status, "ratified");
      const second = await call("propose", { subject: "auth", decision: "Passkeys", supersedes: [id] });
      assert.deepEqual((await call("ratify", { id: second.id })).superseded, [id]);
      const { hits } = await call("decisions", { subject: "auth" });
      assert.deepEqual(
        hits?.map((hit) => [hit.id, hit.history.map((past) => past.id)]),
        [[second.id, [id]]],
      );
    } finally {
      await client.close();
    }
  });
}

test("a client that cannot ask leaves it pending and says how a person ratifies", async () => {
  const client = await connect("2026-07-28", null);
  try {
    const proposed = await client.callTool({ name: "propose", arguments: { subject: "mail", decision: "SMTP" } });
    const { id } = proposed.structuredContent as unknown as Answer;
    const result = await client.callTool({ name: "ratify", arguments: { id } });
    const [content] = result.content as { text: string }[];
    assert.equal(result.isError, true);
    assert.match(content!.text, new RegExp(`^refused: .*A person can run \`stele ratify ${id}\` at a terminal`));
    const { items } = (await client.callTool({ name: "proposals", arguments: {} }))
      .structuredContent as unknown as Answer;
    assert.deepEqual(
      items.map((item) => item.id),
      [id],
    );
  } finally {
    await client.close();
  }
});
