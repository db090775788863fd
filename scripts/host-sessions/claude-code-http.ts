/** Claude Code against `stele serve`, set up by `stele init --http` alone: the token is in none of its files. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { claudePlace } from "./claude-code.ts";
import { ASKING, FACT, PROMPT, recalled, remembering } from "./judge.ts";
import { startModel } from "./model.ts";
import { type Place, STELE } from "./place.ts";

export async function claudeCodeOverHttp(folders: { lab: string; hosts: string }): Promise<string> {
  await using model = await startModel();
  const place = claudePlace("claude-http", folders, model);
  await using server = await serve(place);
  await place.stele("init", "claude-code", "--http", "--yes");
  const written = readFileSync(join(place.home, ".claude.json"), "utf8");
  assert.ok(written.includes(`${server.url}mcp`) && !written.includes(server.token));
  const list = await place.run("claude", "mcp", "list");
  assert.match(list, /stele: .*\(HTTP\).*Connected/);
  const tools = ["remember", "recall", "forget"].map((name) => `mcp__stele__${name}`);
  const session = (prompt: string) => place.run("claude", "-p", prompt, "--allowedTools", ...tools);
  model.script(remembering({ name: "mcp__stele__remember" }));
  await session(PROMPT);
  const [found = ""] = (await place.stele("recall", ASKING)).split("\n");
  assert.ok(found.includes(FACT), "what the host remembered is in the person's own memory");
  const [handle = ""] = found.split(" ");
  model.script([
    { tool: { name: "mcp__stele__recall", input: { query: ASKING } } },
    { tool: { name: "ToolSearch", input: { query: "select:mcp__stele__forget" } } },
    { tool: { name: "mcp__stele__forget", input: { target: handle, purge: true } } },
    { text: "In rack seven." },
  ]);
  await session(ASKING);
  const told = recalled(model.requests.slice(0, -2));
  const refused = model.requests.at(-1)!;
  assert.ok(refused.includes(`${server.url}#project=`), "what needs a person leads to the page");
  assert.ok((await place.stele("recall", ASKING)).includes(FACT), "and nothing was erased");
  await place.stele("init", "--remove", "claude-code", "--yes");
  assert.doesNotMatch(await place.run("claude", "mcp", "list"), /^stele:/m);
  return `connected over HTTP, remembered ${handle}, ${told}; erasing was answered with the page's address`;
}

interface Server extends AsyncDisposable {
  url: string;
  token: string;
}

async function serve({ data, project, home }: Place): Promise<Server> {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, STELE_HOME: data };
  const child = spawn(process.execPath, [STELE, "serve", "--port", "0"], { env, cwd: project, stdio: "pipe" });
  await once(child.stdout, "data");
  const read = (name: string) => readFileSync(join(data, "run", name), "utf8");
  const { url } = JSON.parse(read("http.json")) as { url: string };
  return {
    url,
    token: read("http-token").trim(),
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      const [code] = (await ended) as [number | null];
      assert.equal(code, 0, "the server ended in order");
    },
  };
}
