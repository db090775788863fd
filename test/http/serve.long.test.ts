/** The server as programs meet it: real stores, a real port, the official MCP client. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { openWorld } from "../../src/app/compose.ts";
import { catalog, DEFAULT_TOOLS } from "../../src/catalog/catalog.ts";
import type { Failure } from "../../src/errors.ts";
import { type Served, serveHttp } from "../../src/http/serve.ts";
import { open, type Stele } from "../../src/index.ts";
import { systemClock } from "../../src/machine/clock.ts";
import { connect, ERAS } from "../mcp.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-http-"));
const servers: Served[] = [];
after(async () => {
  for (const server of servers) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});
const TOKEN = "secret";

interface Options {
  graceMs?: number;
  tools?: "default" | "full";
}

async function served(
  name: string,
  { graceMs = 60_000, tools = "default" }: Options = {},
): Promise<{ server: Served; project: string; home: string }> {
  const [home, project] = [join(folder, name, "home"), join(folder, name, "project")];
  mkdirSync(project, { recursive: true });
  const settings = { embedder: { provider: "hash" } } as const;
  const server = await serveHttp({
    catalog,
    version: "1",
    clock: systemClock,
    token: TOKEN,
    host: "127.0.0.1",
    port: 0,
    graceMs,
    open: (named) => openWorld({ host: "http", project: named, home, settings }),
    spaces: async () => [],
    examine: async () => [],
    mcp: { catalog, version: "1", tools, defaultTools: DEFAULT_TOOLS },
  });
  servers.push(server);
  return { server, project, home };
}

const remote = (url: string, project: string, token = TOKEN): Promise<Stele> => open({ url, token, project });

test("the library speaks to a server with the same methods and failures", async () => {
  const { server, project, home } = await served("library");
  const stele = await remote(server.url, project);
  const { handle } = await stele.remember({ content: "Deploys need the VPN", type: "gotcha" });
  const { hits } = await stele.recall({ query: "deploys" });
  assert.deepEqual([hits[0]?.handle, hits[0]?.byAgent], [handle, true]);
  const { changes } = await stele.dryRun("remember", { content: "Another fact" });
  assert.ok(changes.length > 0);
  await assert.rejects(stele.get({ id: "00000000" }), { code: "not_found" });
  await assert.rejects(stele.export({ path: join(folder, "out.jsonl") }), { code: "refused" });
  await assert.rejects((await remote(server.url, project, "wrong")).list({}), { code: "unauthorized" });
  await stele.close();
  await assert.rejects(stele.list({}), { code: "unavailable" });
  await server.stop();
  await assert.rejects((await remote(server.url, project)).list({}), { code: "unavailable" });
  const local = await open({ home, project, settings: { embedder: { provider: "hash" } } });
  assert.equal((await local.list({})).total, 1, "what was written there is here");
  await local.close();
});

test("what only a person may do is refused to an agent, with the command that a person can run", async () => {
  const { server, project } = await served("person");
  const stele = await remote(server.url, project);
  const { handle } = await stele.propose({ subject: "auth", decision: "JWT" });
  const link = `${server.url}#project=${encodeURIComponent(project).replaceAll("%20", "+")}&item=${handle}`;
  await assert.rejects(stele.ratify({ id: handle }), ({ code, hint }: Failure) => {
    assert.equal(code, "refused");
    return hint.includes(` ${link} `) && hint.includes(`stele ratify ${handle}`);
  });
  const { id } = await stele.remember({ content: "Deploys need the VPN" });
  await assert.rejects(stele.forget({ target: id, purge: true }), { code: "refused" });
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  const post = async (route: string, body: object) =>
    (await fetch(new URL(route, server.url), { method: "POST", headers, body: JSON.stringify(body) })).json();
  const { token } = (await post("person/tokens", { code: server.issueCode() })) as { token: string };
  const asked: string[] = [];
  const person = await open({
    url: server.url,
    token,
    project,
    async ask({ message }) {
      asked.push(message);
      return { action: "accept", values: { ratify: true, agree: true, confirm: true } };
    },
  });
  await person.ratify({ id: handle }).catch((thrown: unknown) => assert.fail(String(thrown)));
  assert.match(asked.join("\n"), /Ratify this decision about auth\?/);
  assert.equal((await person.decisions({ subject: "auth" })).hits[0]?.handle, handle);
  await server.stop();
});

for (const era of ERAS)
  test(`a client of ${era} that could answer a form gets the handle and the link instead`, async () => {
    const { server, project } = await served(`ask-${era}`, { tools: "full" });
    const { handle } = await (await remote(server.url, project)).propose({ subject: "auth", decision: "JWT" });
    const url = new URL(`mcp?project=${encodeURIComponent(project)}`, server.url);
    const transport = new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
    });
    const asked: string[] = [];
    const client = await connect(transport, {
      era,
      elicit: ({ message }) => {
        asked.push(message);
        return { action: "accept", content: { agree: true } };
      },
    });
    const result = await client.callTool({ name: "ratify", arguments: { id: handle } });
    assert.equal(result.isError, true);
    const text = JSON.stringify(result.content);
    assert.ok(text.includes(`${server.url}#project=`) && text.includes(`&item=${handle} `), text);
    assert.deepEqual(asked, []);
    const path = { name: "export", arguments: { path: join(folder, "out.jsonl") } };
    const refused = await client.callTool(path);
    assert.deepEqual([refused.isError, existsSync(join(folder, "out.jsonl"))], [true, false], "no path either");
    await client.close();
    await server.stop();
  });

for (const era of ERAS)
  test(`an MCP client of ${era} finds the tools and calls them`, async () => {
    const { server, project } = await served(`mcp-${era}`);
    const requestInit = { headers: { authorization: `Bearer ${TOKEN}`, "stele-project": encodeURIComponent(project) } };
    const transport = new StreamableHTTPClientTransport(new URL("mcp", server.url), { requestInit });
    const client = await connect(transport, { era });
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), [...DEFAULT_TOOLS].sort());
    await client.callTool({ name: "remember", arguments: { content: "Deploys need the VPN" } });
    const { content } = await client.callTool({ name: "recall", arguments: { query: "deploys" } });
    assert.match(JSON.stringify(content), /Deploys need the VPN/);
    await client.close();
    await server.stop();
  });

const META = "io.modelcontextprotocol";
const LISTEN = {
  notifications: { toolsListChanged: true },
  _meta: {
    [`${META}/protocolVersion`]: "2026-07-28",
    [`${META}/clientCapabilities`]: {},
    [`${META}/clientInfo`]: { name: "test", version: "0" },
  },
};

/** What a connection sends and then leaves at that; null opens it and says nothing. */
const UNFINISHED: (string | null)[] = [
  null,
  "POST /v1/recall HTTP/1.1\r\nHost: HOST\r\nContent-Le",
  "POST /v1/recall HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer secret\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{",
  "POST /mcp HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer secret\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
];

test("200 connections at once, half of them slow or half-open: everybody else is answered", async () => {
  const { server, project } = await served("slow", { graceMs: 100 });
  const { hostname, port, host } = new URL(server.url);
  const sockets: Socket[] = [];
  for (let count = 0; count < 200; count++) {
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.on("error", () => undefined);
    const said = UNFINISHED[count % UNFINISHED.length];
    if (said != null) socket.write(said.replace("HOST", host));
    sockets.push(socket);
  }
  const stele = await remote(server.url, project);
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => stele.remember({ content: `Fact ${index}` })),
  );
  assert.ok(answers.every(({ status }) => status === "stored"));
  assert.equal((await stele.list({ limit: 1 })).total, 200);
  await server.stop();
  for (const socket of sockets) socket.destroy();
});

/** As bytes, because no client sends these: an answer of the server's own, or the connection is closed. */
const SMUGGLED: [string, string, string][] = [
  ["two lengths", "POST /v1/list HTTP/1.1\r\nHost: HOST\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}", "400"],
  [
    "a length and chunks",
    "POST /v1/list HTTP/1.1\r\nHost: HOST\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "400",
  ],
  [
    "two hosts",
    "GET /health HTTP/1.1\r\nHost: HOST\r\nHost: evil.example\r\nAuthorization: Bearer secret\r\n\r\n",
    "40",
  ],
  ["no host", "GET /health HTTP/1.1\r\nAuthorization: Bearer secret\r\n\r\n", "400"],
  ["no host, as long ago", "GET /health HTTP/1.0\r\nAuthorization: Bearer secret\r\n\r\n", "40"],
  [
    "another machine's address",
    "GET http://evil.example/health HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer secret\r\n\r\n",
    "403",
  ],
  ["a folded header", "GET /health HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer\r\n secret\r\n\r\n", "40"],
  ["headers without end", `GET / HTTP/1.1\r\nHost: HOST\r\nA: ${"a".repeat(20_000)}\r\n\r\n`, "431"],
  [
    "two tokens",
    "GET /health HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer wrong\r\nAuthorization: Bearer secret\r\n\r\n",
    "401",
  ],
];
test("what the parser and the guard could read differently is refused", async () => {
  const { server } = await served("smuggled");
  const { hostname, port, host } = new URL(server.url);
  for (const [what, said, status] of SMUGGLED) {
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.on("error", () => undefined);
    socket.write(said.replace("HOST", host));
    const [first] = (await once(socket, "data")) as [Buffer];
    assert.match(first.toString("latin1"), new RegExp(`^HTTP/1\\.1 ${status}`), what);
    socket.destroy();
  }
  await server.stop();
});

test("streams that never end by themselves do not hold up the end", async () => {
  const { server, project } = await served("streams");
  const headers = { authorization: `Bearer ${TOKEN}`, "stele-project": encodeURI(project) };
  const changes = await fetch(new URL("v1/changes", server.url), { headers });
  const reader = changes.body!.pipeThrough(new TextDecoderStream()).getReader();
  const revision = async () => ((await reader.read()).value ?? "").trim();
  const first = await revision();
  await (await remote(server.url, project)).remember({ content: "Deploys need the VPN" });
  assert.notEqual(await revision(), first);
  const head = await fetch(new URL("v1/changes", server.url), { method: "HEAD", headers });
  assert.equal(head.status, 200);
  const health = (await (await fetch(new URL("health", server.url), { headers })).json()) as { listeners: number };
  assert.equal(health.listeners, 1, "nobody listens through HEAD");
  const listening = await fetch(new URL("mcp", server.url), {
    method: "POST",
    headers: {
      ...headers,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-method": "subscriptions/listen",
      "mcp-protocol-version": "2026-07-28",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params: LISTEN }),
  });
  assert.match(listening.headers.get("content-type") ?? "", /event-stream/, String(listening.status));
  await server.stop();
  assert.equal((await reader.read()).done, true);
});

test("a call that runs while the server is stopped is finished first", async () => {
  const { server, project } = await served("stopping");
  const stele = await remote(server.url, project);
  await stele.list({});
  const calls = Array.from({ length: 20 }, (_, index) => stele.remember({ content: `Fact ${index}` }));
  await calls[0];
  const stopped = server.stop();
  for (const settled of await Promise.allSettled(calls)) {
    if (settled.status === "rejected") assert.equal((settled.reason as { code: string }).code, "unavailable");
  }
  await stopped;
});
