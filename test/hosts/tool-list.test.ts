/** What a client carries through every conversation, counted as it is sent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ALWAYS_LOADED, catalog, DEFAULT_TOOLS, GUIDANCE, PROMPTS, RESOURCES } from "../../src/catalog/catalog.ts";
import { answerText } from "../../src/mcp/tool.ts";
import { READER } from "../catalog/reader.ts";
import { connect, ownServer, transportTo } from "../mcp.ts";
import { countTokens } from "../tokenizer.ts";

const BUDGET_TOKENS = 2_000;
/** Clients cut longer descriptions and instructions. */
const TEXT_BYTES = 2_048;

test("the default tools cost little and name no tool that a client does not have", async () => {
  const open = () => assert.fail("listing tools opens no world");
  const server = ownServer({
    catalog,
    tools: "default",
    defaultTools: DEFAULT_TOOLS,
    version: "0",
    guidance: GUIDANCE,
    open,
    alwaysLoaded: ALWAYS_LOADED,
    resources: RESOURCES,
    prompts: PROMPTS,
  });
  const client = await connect(transportTo(server));
  const { tools } = await client.listTools();
  const tokens = countTokens(JSON.stringify(tools));
  assert.ok(tokens <= BUDGET_TOKENS, `${tokens} tokens`);
  const names = tools.map(({ name }) => name);
  assert.deepEqual(new Set(names), new Set(DEFAULT_TOOLS));
  for (const name of ALWAYS_LOADED) assert.ok(names.includes(name), name);
  const hidden = catalog.names.filter((name) => !names.includes(name) && name.includes("_"));
  for (const { name, description = "" } of tools) {
    assert.ok(Buffer.byteLength(description) < TEXT_BYTES, name);
    for (const other of hidden) assert.ok(!description.includes(other), `${name} names ${other}`);
    assert.doesNotMatch(description, /`/, `${name} quotes what may not be there`);
  }
  assert.ok(Buffer.byteLength(client.getInstructions() ?? "") < TEXT_BYTES);
  assert.doesNotMatch(client.getInstructions() ?? "", /^About /m, "a few tools need no list by topic");
  await client.close();
});

test("an answer that nothing was found is not marked as recalled data", async () => {
  const recall = await catalog.load("recall");
  assert.equal(answerText(recall, { hits: [], degraded: null }, READER), "Nothing remembered about that.");
});

test("every verb that is offered as a resource or prompt exists, with its fields", async () => {
  for (const { uri, verb } of RESOURCES) {
    const { input } = await catalog.load(verb as (typeof catalog.names)[number]);
    for (const [, field] of uri.matchAll(/\{(\w+)\}/g)) assert.ok(field! in input.shape, `${verb} ${field}`);
  }
  for (const { verb, field } of PROMPTS) {
    const { input } = await catalog.load(verb as (typeof catalog.names)[number]);
    assert.ok(field === undefined || field in input.shape, `${verb} ${field}`);
  }
});
