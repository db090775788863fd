/** What callers say of a memory beside its content: on the command line and over MCP, kept, shown, exported, imported. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { runCli } from "../../src/hosts/cli/run.ts";
import { dispatch } from "../../src/hosts/dispatch.ts";
import { DEFAULT_TOOLS, catalog } from "../../src/operations/catalog.ts";
import { type TestWorld, testWorld } from "../engine/test-world.ts";
import { streams } from "../hosts/fixtures/streams.ts";
import { connect, ownServer, transportTo } from "../mcp.ts";
import { operations } from "../whole-catalog.ts";

const opening = (world: TestWorld) => async () => ({ world, close: async () => undefined });

/** A command, as it is typed. */
async function typed(world: TestWorld, ...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const { io, out, err } = streams();
  const code = await runCli(argv, { catalog, io, attended: false, open: opening(world) });
  return { code, out: out(), err: err() };
}

/** A tool, as a client calls it. */
async function called(world: TestWorld, name: string, input: Record<string, unknown>): Promise<CallToolResult> {
  const options = { catalog, tools: "full" as const, defaultTools: DEFAULT_TOOLS, version: "0", guidance: "" };
  const server = ownServer({ ...options, idle: () => ({ stop: () => undefined }), open: opening(world) });
  const client = await connect(transportTo(server));
  try {
    return await client.callTool({ name, arguments: input });
  } finally {
    await client.close();
  }
}

const remembering = async (world: TestWorld, input: Record<string, unknown>) =>
  (await dispatch(operations.remember, input, world)).answer;
const getting = async (world: TestWorld, id: string) => (await dispatch(operations.get, { id }, world)).answer;

/** The memory as another store shows it after an export and an import. */
async function elsewhere(world: TestWorld, id: string) {
  const there = await testWorld();
  const path = join(world.folder, "out.jsonl");
  await dispatch(operations.export, { path }, world);
  await dispatch(operations.import, { path }, there);
  return getting(there, id);
}

describe("language", () => {
  const cases: [files: string[], language: string | undefined, kept: string | null, why: string][] = [
    [["src/a.py", "b.ts", "c.ts"], undefined, "typescript", "that of most files"],
    [["b.rs", "a.py"], undefined, "rust", "the first of several"],
    [["b.rs", "a.py"], "Go", "go", "what the caller says"],
    [["data.unknown"], undefined, null, "no name tells"],
    [[], undefined, null, "no files"],
  ];
  for (const [files, language, kept, why] of cases)
    test(`of ${JSON.stringify(files)} and ${language ?? "nothing said"} is ${kept}: ${why}`, async () => {
      const world = await testWorld();
      const { id } = await remembering(world, { content: "Retries are bounded", files, language });
      const memory = await getting(world, id);
      assert.equal(memory.context.language, kept);
      assert.deepEqual((await elsewhere(world, id)).context, memory.context);
    });

  test("is a flag of remember, a row of get and a filter of list and recall", async () => {
    const world = await testWorld();
    await typed(world, "remember", "Retries are bounded", "--language", "TypeScript");
    await typed(world, "remember", "Retries are logged", "--files", "lib/retry.py");
    const { out } = await typed(world, "list", "--language", "TYPESCRIPT", "--json");
    const { items } = JSON.parse(out) as { items: { id: string; content: string }[] };
    assert.deepEqual(
      items.map(({ content }) => content),
      ["Retries are bounded"],
    );
    assert.match((await typed(world, "get", items[0]!.id)).out, /^language +typescript$/m);
    const found = await typed(world, "recall", "retries", "--language", "python", "--json");
    const { hits } = JSON.parse(found.out) as { hits: { content: string }[] };
    assert.deepEqual(
      hits.map(({ content }) => content),
      ["Retries are logged"],
    );
  });

  test("may be said over MCP", async () => {
    const world = await testWorld();
    const result = await called(world, "remember", { content: "Retries are bounded", language: "zig" });
    const { id } = result.structuredContent as { id: string };
    assert.equal((await getting(world, id)).context.language, "zig");
  });
});
