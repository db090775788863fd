/** Decisions from proposal to history, at a terminal and with an MCP client, in both eras. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Client, ElicitResult } from "@modelcontextprotocol/client";
import { openWorld } from "../../src/app/compose.ts";
import { catalog, DEFAULT_TOOLS } from "../../src/catalog/catalog.ts";
import { runCli } from "../../src/cli/run.ts";
import { runChild } from "../child.ts";
import { streams } from "../hosts/fixtures/streams.ts";
import { connect, type Elicit, environment, type Era, ERAS, ownServer, STELE, transportTo } from "../mcp.ts";

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
  const project = ["--json", "--project", folder];
  const world = await openWorld({ host: "cli", home, project: folder, settings: { embedder: { provider: "hash" } } });
  const { io, out } = streams();
  await runCli(["propose", "--subject", "auth", "--decision", "JWT", ...project], {
    catalog,
    io,
    attended: false,
    open: async () => world,
  });
  const { id } = JSON.parse(out()) as Answer;
  const env = environment(home, { CLAUDECODE: "1" });
  const { code, output } = await runChild(null, [STELE, "ratify", id, ...project], { env, input: "y\n" });
  const { error } = JSON.parse(output) as Answer;
  assert.deepEqual([code, error.code], [4, "refused"]);
  assert.match(error.hint, new RegExp(`stele ratify ${id}`));
});

function client(era: Era, elicit?: Elicit): Promise<Client> {
  const home = join(folder, elicit ? era : "mute");
  const server = ownServer({
    catalog,
    tools: "full",
    structured: true,
    defaultTools: DEFAULT_TOOLS,
    version: "0",
    open: () => openWorld({ host: "mcp", home, project: folder, settings: { embedder: { provider: "hash" } } }),
  });
  return connect(transportTo(server), { era, elicit });
}

for (const era of ERAS) {
  test(`a person behind an MCP client of ${era} declines, cancels, then accepts`, async () => {
    let next: ElicitResult = { action: "decline" };
    const person = await client(era, () => next);
    const call = async (name: string, input: Record<string, unknown>) => {
      const result = await person.callTool({ name, arguments: input });
      const [content] = result.content as { text: string }[];
      return { isRefused: /^refused: /.test(content!.text), ...(result.structuredContent as Partial<Answer>) };
    };
    try {
      const { tools } = await person.listTools();
      const asking = tools.filter(({ _meta }) => _meta?.["anthropic/requiresUserInteraction"] === true);
      assert.deepEqual(
        asking.map(({ name }) => name),
        ["ratify", "merge"],
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
      await person.close();
    }
  });
}

test("a client that cannot ask leaves it pending and says how a person ratifies", async () => {
  const mute = await client("2026-07-28");
  try {
    const proposed = await mute.callTool({ name: "propose", arguments: { subject: "mail", decision: "SMTP" } });
    const { id } = proposed.structuredContent as unknown as Answer;
    const result = await mute.callTool({ name: "ratify", arguments: { id } });
    const [content] = result.content as { text: string }[];
    assert.equal(result.isError, true);
    assert.match(content!.text, new RegExp(`^refused: .*A person can run \`stele ratify ${id}\` in a terminal`));
    const { items } = (await mute.callTool({ name: "proposals", arguments: {} }))
      .structuredContent as unknown as Answer;
    assert.deepEqual(
      items.map((item) => item.id),
      [id],
    );
  } finally {
    await mute.close();
  }
});
