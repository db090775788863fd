/** What callers say of a memory beside its content: on the command line and over MCP, kept, shown, exported, imported. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { catalog, DEFAULT_TOOLS } from "../../src/catalog/catalog.ts";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { runCli } from "../../src/cli/run.ts";
import { settle } from "../decisions/decision-steps.ts";
import { streams } from "../hosts/fixtures/streams.ts";
import { connect, ownServer, transportTo } from "../mcp.ts";
import { type TestWorld, testWorld } from "../test-world.ts";
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
  const options = {
    catalog,
    tools: "full" as const,
    structured: true,
    defaultTools: DEFAULT_TOOLS,
    version: "0",
    guidance: "",
  };
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

describe("expiresAt", () => {
  const at = "2026-02-01T09:00:00.000Z";

  test("ends a memory of any scope: it is journaled, shown until then, and may be stored again", async () => {
    const world = await testWorld();
    const input = { content: "The release is frozen", expiresAt: "2026-02-01T10:00:00+01:00" };
    const kept = await remembering(world, input);
    assert.equal(kept.scope, "project");
    assert.notEqual(kept.call, null);
    assert.equal((await getting(world, kept.id)).expiresAt, at);
    world.clock.time = Date.parse(at) - 1;
    const held = () => dispatch(operations.list, {}, world).then(({ answer }) => answer.items.map(({ id }) => id));
    assert.deepEqual(await held(), [kept.id]);
    world.clock.time += 1;
    assert.deepEqual(await held(), []);
    const later = { ...input, expiresAt: "2026-02-02T10:00:00Z" };
    assert.equal((await remembering(world, later)).status, "stored", "it may be said again");
  });

  test("of a lasting memory is exported and imported", async () => {
    const world = await testWorld();
    const { id } = await remembering(world, { content: "The release is frozen", scope: "project", expiresAt: at });
    assert.equal((await elsewhere(world, id)).expiresAt, at);
  });

  test("stays when a memory moves to a wider scope; the lifetime of a working memory ends with its scope", async () => {
    const world = await testWorld();
    const frozen = await remembering(world, { content: "The release is frozen", expiresAt: at });
    const red = await remembering(world, { content: "The build is red", ttlSeconds: 60 });
    for (const { id } of [frozen, red]) await dispatch(operations.promote, { id, scope: "global" }, world);
    assert.equal((await getting(world, frozen.id)).expiresAt, at);
    assert.equal((await getting(world, red.id)).expiresAt, null);
  });

  test("prolongs the life of equal content, and never shortens it", async () => {
    const world = await testWorld();
    const input = { content: "The release is frozen", expiresAt: at };
    const { id } = await remembering(world, input);
    assert.equal((await remembering(world, { ...input, expiresAt: "2026-01-20" })).call, null);
    assert.equal((await getting(world, id)).expiresAt, at);
    const { status, call } = await remembering(world, { ...input, expiresAt: "2026-03-01T00:00:00Z" });
    assert.equal(status, "duplicate");
    assert.notEqual(call, null, "a longer life is journaled, and can be undone");
    assert.equal((await getting(world, id)).expiresAt, "2026-03-01T00:00:00.000Z");
  });

  const refused: [flags: string[], message: RegExp][] = [
    [["--expires-at", at, "--ttl-seconds", "60"], /ttlSeconds and expiresAt/],
    [["--expires-at", "2026-01-15T00:00:00Z"], /expires is not in the future/],
    [["--expires-at", "soon"], /"soon" is not understood as a time/],
  ];
  for (const [flags, message] of refused)
    test(`${flags.join(" ")} is invalid input`, async () => {
      const world = await testWorld();
      const { code, err } = await typed(world, "remember", "The release is frozen", ...flags);
      assert.equal(code, 2);
      assert.match(err, message);
      assert.equal((await dispatch(operations.list, {}, world)).answer.total, 0);
    });

  test("may be said over MCP, and tried on the command line", async () => {
    const world = await testWorld();
    const dry = await typed(world, "remember", "The release is frozen", "--expires-at", at, "--dry-run", "--json");
    assert.match(dry.out, new RegExp(`"expiresAt": ?${Date.parse(at)}\\b`));
    assert.equal((await dispatch(operations.list, {}, world)).answer.total, 0);
    const result = await called(world, "remember", { content: "The release is frozen", expiresAt: at });
    const { id } = result.structuredContent as { id: string };
    assert.equal((await getting(world, id)).expiresAt, at);
    const both = { content: "The build is red", expiresAt: at, ttlSeconds: 5 };
    assert.equal((await called(world, "remember", both)).isError, true);
  });
});

describe("background", () => {
  const CONTENT = "Deploys need two approvals";
  const BACKGROUND = "A botched rollout emptied the warehouse in spring.";
  const found = async (world: TestWorld, query: string, mode: string) =>
    (await dispatch(operations.recall, { query, mode, threshold: 0.2 }, world)).answer.hits.map(({ id }) => id);

  test("is kept, shown, exported and imported, and found by its words and its meaning in both places", async () => {
    const world = await testWorld();
    const { id } = await remembering(world, { content: CONTENT, background: BACKGROUND });
    await remembering(world, { content: "The kitchen has a kettle" });
    const there = await testWorld();
    const path = join(world.folder, "out.jsonl");
    await dispatch(operations.export, { path }, world);
    await dispatch(operations.import, { path }, there);
    for (const place of [world, there]) {
      const memory = await getting(place, id);
      assert.deepEqual([memory.content, memory.summary, memory.background], [CONTENT, CONTENT, BACKGROUND]);
      assert.deepEqual(await found(place, "warehouse rollout", "keyword"), [id]);
      assert.deepEqual(await found(place, "warehouse rollout", "semantic"), [id]);
      assert.deepEqual(await found(place, "approvals for deploys", "keyword"), [id]);
    }
  });

  test("is never quoted as what a long memory says", async () => {
    const world = await testWorld();
    const content = `${CONTENT}. ${"Somebody always waits for them. ".repeat(100)}`;
    await remembering(world, { content, background: BACKGROUND });
    const asked = async (query: string) =>
      (await dispatch(operations.recall, { query, mode: "keyword" }, world)).answer.hits.map((hit) => hit.content);
    const [shown = ""] = await asked("warehouse");
    assert.ok(content.startsWith(shown.replace(/…$/, "").trim()) && shown !== "", shown);
    assert.match((await asked("approvals")).join(), /^Deploys need two approvals\. /);
  });

  test("is no part of what makes content equal", async () => {
    const world = await testWorld();
    const first = await remembering(world, { content: CONTENT, background: BACKGROUND });
    const again = await remembering(world, { content: CONTENT, background: "Another reason" });
    assert.deepEqual([again.status, again.id], ["duplicate", first.id]);
    const there = await testWorld();
    await remembering(there, { content: CONTENT });
    const { items } = (await dispatch(operations.list, {}, there)).answer;
    assert.equal((await getting(world, first.id)).hash, items[0]?.hash);
  });

  test("is corrected in place, stays with new content, and comes back with a rollback", async () => {
    const world = await testWorld();
    const { id } = await remembering(world, { content: CONTENT, background: BACKGROUND });
    const edit = { id, background: "The auditors asked for it." };
    const { answer } = await dispatch(operations.update, edit, world);
    assert.deepEqual([answer.status, answer.id], ["revised", id]);
    assert.deepEqual(await found(world, "auditors", "keyword"), [id]);
    assert.deepEqual(await found(world, "warehouse", "keyword"), []);
    assert.equal((await dispatch(operations.update, edit, world)).answer.status, "unchanged");
    await dispatch(operations.update, { id, content: "Deploys need two approvals.", as: "revision" }, world);
    assert.deepEqual(await found(world, "auditors", "keyword"), [id]);
    await dispatch(operations.update, { id, content: "Deploys need three approvals", as: "replacement" }, world);
    const [successor] = (await dispatch(operations.list, {}, world)).answer.items;
    assert.equal(successor?.background, "The auditors asked for it.");
    const other = await remembering(world, { content: "Reviews take a day", background: BACKGROUND });
    const changed = await dispatch(operations.update, { ...edit, id: other.id }, world);
    await dispatch(operations.rollback, { call: changed.answer.call }, world);
    assert.equal((await getting(world, other.id)).background, BACKGROUND);
    assert.deepEqual(await found(world, "warehouse", "keyword"), [other.id]);
  });

  test("loses its secrets on the way in, in an edit and in an import", async () => {
    const world = await testWorld();
    const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const clean = /^The token was \[redacted:[\w-]+\]$/;
    const background = `The token was ${secret}`;
    const { id, redactions } = await remembering(world, { content: CONTENT, background });
    assert.deepEqual(
      redactions.map(({ count }) => count),
      [1],
    );
    assert.match((await getting(world, id)).background ?? "", clean);
    const { answer } = await dispatch(operations.update, { id, background: `The token was ${secret} ` }, world);
    assert.equal(answer.redactions.length, 1);
    const path = join(world.folder, "out.jsonl");
    await dispatch(operations.export, { path }, world);
    const lines = readFileSync(path, "utf8");
    assert.ok(!lines.includes(secret));
    writeFileSync(path, lines.replace(/\[redacted:[\w-]+\]/g, secret));
    const there = await testWorld();
    const imported = await dispatch(operations.import, { path }, there);
    assert.deepEqual(
      imported.answer.redactions.map(({ count }) => count),
      [1],
    );
    assert.match((await getting(there, id)).background?.trim() ?? "", clean);
  });

  test("may be missing from a file, and a file that has too much of it is refused", async () => {
    const world = await testWorld();
    const { id } = await remembering(world, { content: CONTENT });
    const path = join(world.folder, "out.jsonl");
    await dispatch(operations.export, { path }, world);
    const lines = readFileSync(path, "utf8");
    assert.ok(!lines.includes('"background"'), "none is spelt as in files from before there was any");
    const there = await testWorld();
    await dispatch(operations.import, { path }, there);
    assert.equal((await getting(there, id)).background, null);
    writeFileSync(path, lines.replace('"summary"', `"background":"${"x".repeat(2_001)}","summary"`));
    await assert.rejects(dispatch(operations.import, { path }, await testWorld()), /wrong background: it is too long/);
  });

  test("of a proposal is shown to the person who ratifies it, and goes on with the decision", async () => {
    const world = await testWorld();
    const { id } = await remembering(world, { content: "Use JWT", type: "decision", background: BACKGROUND });
    const { asked } = await settle(world, id);
    assert.match(asked[0]!.replaceAll(/\s+/g, " "), new RegExp(`Background: “${BACKGROUND.replaceAll(/\s+/g, " ")}”`));
    assert.equal((await getting(world, id)).background, BACKGROUND);
    const { hits } = (await dispatch(operations.recall, { query: "warehouse", shelf: ["decision"] }, world)).answer;
    assert.deepEqual(
      hits.map((hit) => hit.id),
      [id],
    );
  });

  test("is a flag of remember and update and a row of get, and may be tried and said over MCP", async () => {
    const world = await testWorld();
    const dry = await typed(world, "remember", CONTENT, "--background", BACKGROUND, "--dry-run", "--json");
    assert.ok(dry.out.includes(BACKGROUND), dry.out);
    assert.equal((await dispatch(operations.list, {}, world)).answer.total, 0);
    const kept = await typed(world, "remember", CONTENT, "--background", BACKGROUND, "--json");
    const { id } = JSON.parse(kept.out) as { id: string };
    assert.match((await typed(world, "get", id)).out, new RegExp(`^background +${BACKGROUND}$`, "m"));
    assert.equal((await typed(world, "update", id, "--background", "The auditors asked for it.")).code, 0);
    assert.match((await typed(world, "get", id)).out, /^background +The auditors asked for it\.$/m);
    const tool = await called(world, "remember", { content: "Reviews take a day", background: BACKGROUND });
    assert.equal((await getting(world, (tool.structuredContent as { id: string }).id)).background, BACKGROUND);
    const long = await called(world, "update", { id, background: "x".repeat(2_001) });
    assert.equal(long.isError, true);
  });
});
