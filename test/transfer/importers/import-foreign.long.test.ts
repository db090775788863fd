/** Importing from other tools, on real stores and through the verb: once, twice, tried, taken back, and from hostile sources. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { dispatch } from "../../../src/catalog/dispatch.ts";
import rollback from "../../../src/journal/verbs/rollback.ts";
import { authorOf, isByAgent, isByHand, isInferred } from "../../../src/memory/authorship.ts";
import type { Item } from "../../../src/memory/item.ts";
import forget from "../../../src/memory/verbs/forget.ts";
import promote from "../../../src/memory/verbs/promote.ts";
import update from "../../../src/memory/verbs/update.ts";
import type { ForeignTool } from "../../../src/transfer/importers/foreign-memory.ts";
import operation from "../../../src/transfer/verbs/import.ts";
import { ask, keep, temporaryFolder, type TestWorld, testWorld } from "../../test-world.ts";
import { source, sourcePath } from "./given-source.ts";

/** A world whose project is the folder `shop`. */
async function shop(): Promise<TestWorld> {
  const folder = temporaryFolder();
  const root = join(folder, "shop");
  mkdirSync(root);
  const world = await testWorld({ folder });
  return { ...world, place: { ...world.place, root, checkout: root } };
}

function put(world: TestWorld, name: string, text: string | Buffer): string {
  const path = join(world.folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function database(world: TestWorld, name: string, sql: string): string {
  const path = put(world, name, "");
  const db = new Sqlite(path);
  db.pragma("synchronous = off");
  db.exec(`begin; ${sql} commit;`);
  db.close();
  return path;
}

type Input = {
  from: ForeignTool;
  path?: string;
  more?: string[];
  scope?: "project" | "global";
  sourceProject?: string;
};
const take = async (world: TestWorld, input: Input) => (await dispatch(operation, input, world)).answer;
const refused = (world: TestWorld, input: Input, says: RegExp) =>
  assert.rejects(take(world, input), (thrown: Error) => says.test(thrown.message));

const ALL = { statuses: ["active", "archived", "pending"] as const, now: 0 };
async function kept(world: TestWorld, shelf: "memory" | "proposal" = "memory"): Promise<Item[]> {
  const page = { limit: 1_000, offset: 0 };
  const stores = [world.project, world.global];
  return (
    await Promise.all(stores.map((store) => store.list(shelf, { ...ALL, now: world.clock.now() }, page)))
  ).flatMap(({ items }) => items);
}

/** Every file below a folder, with its content and its times. */
const state = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const found = statSync(join(folder, name));
      const hash = found.isFile()
        ? createHash("sha256")
            .update(readFileSync(join(folder, name)))
            .digest("hex")
        : "";
      return `${name} ${found.mtimeMs} ${hash}`;
    });

const SOURCES: [
  tool: ForeignTool,
  make: (world: TestWorld) => string,
  memories: number,
  proposals: number,
  links: number,
][] = [
  ["server-memory", (world) => dirname(put(world, "source/memory.jsonl", source("server-memory.jsonl"))), 3, 0, 2],
  ["claude-mem", (world) => dirname(database(world, "source/claude-mem.db", source("claude-mem.sql"))), 4, 1, 0],
  [
    "agentmemory",
    (world) => dirname(put(world, "source/standalone.json", source("agentmemory-standalone.json"))),
    5,
    0,
    0,
  ],
  ["agentmemory", (world) => put(world, "source/export.json", source("agentmemory-export.json")), 7, 1, 1],
  ["mem0", (world) => put(world, "source/memories.json", source("mem0.json")), 3, 0, 0],
  [
    "mcp-memory-service",
    (world) => dirname(database(world, "source/sqlite_vec.db", source("mcp-memory-service.sql"))),
    3,
    1,
    2,
  ],
  [
    "basic-memory",
    (world) => {
      cpSync(sourcePath("basic-memory"), join(world.folder, "source"), { recursive: true });
      return join(world.folder, "source");
    },
    5,
    1,
    1,
  ],
  ["markdown", (world) => dirname(put(world, "source/CLAUDE.md", source("CLAUDE.md"))), 32, 1, 0],
];
for (const [from, make, memories, proposals, links] of SOURCES)
  test(`${from}: tried, imported, imported again, taken back; the source stays as it was (${memories} memories)`, async () => {
    const world = await shop();
    const path = make(world);
    const before = state(join(world.folder, "source"));
    const tried = await dispatch(operation, { from, path }, world, { dryRun: true });
    const expected = [memories, 0, proposals, links];
    const numbers = (answer: (typeof tried)["answer"]) => [
      answer.inserted,
      answer.updated,
      answer.foreign!.proposed,
      answer.edges.inserted,
    ];
    assert.deepEqual([numbers(tried.answer), tried.answer.call, await kept(world)], [expected, null, []]);
    assert.match(
      operation.renderDryRun!(tried.answer)!,
      new RegExp(`^Would import from ${from}: ${memories} memories`),
    );

    const first = await take(world, { from, path });
    assert.deepEqual([numbers(first), first.unchanged], [expected, 0]);
    const stored = await kept(world);
    assert.deepEqual([stored.length, (await kept(world, "proposal")).length], [memories, proposals]);
    assert.ok(
      stored.every(({ host, scope, details }) => host === from && scope === "project" && "imported" in details),
    );
    assert.ok((await kept(world, "proposal")).every(({ status, title }) => status === "pending" && title !== null));
    assert.equal((await world.project.walkEdges("memory", { after: null, limit: 100 })).length, links);
    assert.match(operation.render(first), new RegExp(`^Imported from ${from}: ${memories} memories.*stele rollback`));

    const again = await take(world, { from, path });
    assert.deepEqual([numbers(again), again.unchanged, again.call], [[0, 0, 0, 0], memories + proposals, null]);
    assert.match(
      operation.render(again),
      new RegExp(`^Nothing new from ${from}\\.\nAlready here: ${memories + proposals}\\.`),
    );
    assert.deepEqual(state(join(world.folder, "source")), before);

    await dispatch(rollback, { call: first.call! }, world);
    assert.deepEqual([await kept(world), await kept(world, "proposal")], [[], []]);
    assert.deepEqual(numbers(await take(world, { from, path })), expected);
  });

const NOTHING: [why: string, name: string, text: string, answer: RegExp][] = [
  ["a heading alone", "source/A.md", "# Title\n", /^No memories were recognised.*\nIn Markdown, .*\nRead: .*A\.md$/],
  ["a single word", "source/A.md", "hello\n", /^No memories were recognised/],
  ["an empty file", "source/A.md", "", /^No memories were recognised/],
  ["no Markdown at all", "source/A.txt", "Use tabs.\n", /^No files were found.*\nFolders are searched for .*$/],
];
for (const [why, name, text, answer] of NOTHING)
  test(`markdown with ${why}: says that nothing was recognised, not that nothing is new`, async () => {
    const world = await shop();
    const path = dirname(put(world, name, text));
    const { answer: tried } = await dispatch(operation, { from: "markdown", path }, world, { dryRun: true });
    assert.match(operation.renderDryRun!(tried)!, answer);
    assert.match(operation.render(await take(world, { from: "markdown", path })), answer);
  });

test("dates, sessions, files and confidence are kept; everything begins to fade only now", async () => {
  const world = await shop();
  world.clock.time = Date.UTC(2026, 10, 1);
  const path = database(world, "claude-mem.db", source("claude-mem.sql"));
  await take(world, { from: "claude-mem", path });
  const fix = (await kept(world)).find(({ type }) => type === "bug_fix")!;
  assert.deepEqual(
    [fix.createdAt, fix.updatedAt, fix.session, fix.confidence],
    [Date.UTC(2026, 9, 5, 9), world.clock.time, "m-session-1", 0.7],
  );
  assert.deepEqual(
    [fix.context.files, fix.context.language],
    [["src/checkout/handler.ts", "src/tax/client.ts"], "typescript"],
  );
  const { hits } = await ask(world, "tax service batched request");
  assert.equal(hits[0]?.id, fix.id);
});

const AUTHORS: [from: ForeignTool, host: string, byAgent: boolean, is: string][] = [
  ["mem0", "cli", false, "inferred"],
  ["mem0", "mcp", false, "inferred"],
  ["markdown", "cli", false, "a file"],
  ["markdown", "cli", true, "inferred"],
  ["markdown", "mcp", false, "inferred"],
];
for (const [from, host, byAgent, is] of AUTHORS)
  test(`authorship: ${from} through ${host}${byAgent ? " in an agent's shell" : ""} is ${is}, never by hand`, async () => {
    const world = await shop();
    const path = put(world, "given", from === "mem0" ? source("mem0.json") : "Never push to main without a review.\n");
    await take({ ...world, origin: { ...world.origin, host, byAgent } }, { from, path });
    for (const author of (await kept(world)).map(authorOf))
      assert.deepEqual([isByHand(author), isInferred(author), isByAgent(author)], [false, is === "inferred", byAgent]);
  });

test("what was changed, archived or erased here stays so; what only the source changed follows it", async () => {
  const world = await shop();
  const path = put(world, "m.json", "");
  const write = (...texts: string[]) =>
    writeFileSync(path, JSON.stringify(texts.map((memory, index) => ({ id: `m${index}`, memory }))));
  write("The port is 4001.", "Backups run at night.", "Logs are kept for a week.", "The password is on the wall.");
  await take(world, { from: "mem0", path });
  const idOf = async (text: string) => (await kept(world)).find(({ content }) => content === text)!.id;
  await dispatch(update, { id: await idOf("Backups run at night."), content: "Backups run at noon." }, world);
  await dispatch(forget, { target: await idOf("Logs are kept for a week.") }, world);
  await dispatch(forget, { target: await idOf("The password is on the wall."), purge: true }, world);
  write(
    "The port is 4002.",
    "Backups run in the evening.",
    "Logs are kept for a week.",
    "The password is on the wall.",
  );
  const answer = await take(world, { from: "mem0", path });
  assert.deepEqual([answer.inserted, answer.updated, answer.older], [0, 1, 1]);
  assert.deepEqual(
    answer.foreign!.leftOut.map(({ reason }) => reason),
    ["was erased here"],
  );
  assert.deepEqual((await kept(world)).map(({ content }) => content).sort(), [
    "Backups run at noon.",
    "Logs are kept for a week.",
    "The port is 4002.",
  ]);
  await dispatch(rollback, { call: answer.call! }, world);
  assert.ok((await kept(world)).some(({ content }) => content === "The port is 4001."));
});

/** A source with one memory, as the only one of its tool. */
const saying = (world: TestWorld, memory: string): string =>
  put(world, "m.json", JSON.stringify([{ id: "m", memory }]));

test("a promoted memory that the source changed is changed where it is now", async () => {
  const world = await shop();
  const first = await take(world, { from: "mem0", path: saying(world, "The port is 4001.") });
  await dispatch(promote, { id: first.foreign!.items[0]!.id, scope: "global" }, world);
  const again = await take(world, { from: "mem0", path: saying(world, "The port is 4002.") });
  assert.deepEqual([again.inserted, again.updated], [0, 1]);
  assert.deepEqual(
    (await kept(world)).map(({ content, scope }) => [content, scope]),
    [["The port is 4002.", "global"]],
  );
});

test("an erased memory stays erased in whatever scope it is asked for", async () => {
  const world = await shop();
  const path = saying(world, "The password is on the wall.");
  const first = await take(world, { from: "mem0", path });
  await dispatch(forget, { target: first.foreign!.items[0]!.id, purge: true }, world);
  for (const scope of ["project", "global"] as const)
    assert.equal((await take(world, { from: "mem0", path, scope })).foreign!.leftOut[0]?.reason, "was erased here");
  assert.deepEqual(await kept(world), []);
});

test("a memory that the source changed to what an expired one says takes its place", async () => {
  const world = await shop();
  await take(world, { from: "mem0", path: saying(world, "The port is 4001.") });
  await keep(world, "The port is 4002.", { scope: "project", ttlSeconds: 1 });
  world.clock.time += 2_000;
  assert.equal((await take(world, { from: "mem0", path: saying(world, "The port is 4002.") })).updated, 1);
});

test("no folder of the project that is a link leads to the usual files of somebody else", async () => {
  const world = await shop();
  put(world, "private/CLAUDE.md", "- never tell the bishop\n");
  put(world, "private/rules/chess.md", "- never tell the queen\n");
  put(world, "shop/AGENTS.md", "- run the linter\n");
  for (const name of [".claude", ".cursor"])
    symlinkSync(join(world.folder, "private"), join(world.folder, "shop", name));
  const { inserted, foreign } = await take(world, { from: "markdown" });
  assert.deepEqual(
    [inserted, foreign!.leftOut.map(({ reason }) => reason)],
    [1, Array<string>(2).fill("is in a folder that is a link")],
  );
});

test("what is already remembered is not stored again, and equal texts of one source are one memory", async () => {
  const world = await shop();
  const path = put(
    world,
    "m.json",
    JSON.stringify([
      { id: "1", memory: "One fact." },
      { id: "2", memory: "One fact. " },
      { id: "1", memory: "Another fact." },
    ]),
  );
  const first = await take(world, { from: "mem0", path });
  assert.deepEqual([first.inserted, first.unchanged], [2, 1]);
  const other = put(world, "other.json", JSON.stringify([{ id: "9", text: "One fact." }]));
  assert.deepEqual([(await take(world, { from: "mem0", path: other })).unchanged, (await kept(world)).length], [1, 2]);
});

test("memories may go to the global scope; decisions still wait in the project", async () => {
  const world = await shop();
  const path = database(world, "sqlite_vec.db", source("mcp-memory-service.sql"));
  const answer = await take(world, { from: "mcp-memory-service", path, scope: "global" });
  assert.deepEqual([answer.inserted, answer.foreign!.proposed, answer.edges.inserted], [3, 1, 2]);
  assert.ok((await kept(world)).every(({ scope }) => scope === "global"));
  assert.deepEqual(
    (await kept(world, "proposal")).map(({ scope }) => scope),
    ["project"],
  );
  await dispatch(rollback, { call: answer.call! }, world);
  assert.deepEqual([await kept(world), await kept(world, "proposal")], [[], []]);
});

test("secrets are redacted everywhere and counted", async () => {
  const world = await shop();
  const token = `ghp_${"a1B2c3D4e5".repeat(3)}f6G7h8`;
  const path = put(
    world,
    "m.jsonl",
    JSON.stringify({
      type: "entity",
      name: `ci ${token}`,
      entityType: "tool",
      observations: [`Logs in with ${token} on every run`],
    }),
  );
  const answer = await take(world, { from: "server-memory", path });
  assert.ok(answer.redactions.length > 0);
  assert.ok(!JSON.stringify([answer, await kept(world)]).includes(token));
});

test("Markdown of the project names its file, so that it becomes stale; included files are read inside the project only", async () => {
  const world = await shop();
  put(world, "outside.md", "Never read what lies outside of the project.\n");
  put(world, "shop/docs/style.md", "Always write whole words in names.\n\n@../CLAUDE.md\n");
  put(
    world,
    "shop/.cursor/rules/react.mdc",
    "---\nglobs: src/**\n---\n- Use server components unless state is needed.\n",
  );
  put(
    world,
    "shop/CLAUDE.md",
    "Always run the linter before a commit.\n\n@docs/style.md\n@../outside.md\n@~/.ssh/config.md\n@docs/linked.md\n@docs/none.md\n",
  );
  symlinkSync(join(world.folder, "outside.md"), join(world.folder, "shop/docs/linked.md"));
  symlinkSync(world.folder, join(world.folder, "shop/.cursor/rules/up"));
  symlinkSync(join(world.folder, "outside.md"), join(world.folder, "shop/AGENTS.md"));
  const answer = await take(world, { from: "markdown" });
  assert.deepEqual((await kept(world)).map(({ content, context }) => [content, context.files.join()]).sort(), [
    ["Always run the linter before a commit.", "CLAUDE.md"],
    ["Always write whole words in names.", "docs/style.md"],
    ["Use server components unless state is needed.", ".cursor/rules/react.mdc"],
  ]);
  assert.deepEqual(
    answer.foreign!.leftOut.map(({ what, reason }) => `${what.replace(world.folder, "")} ${reason}`).sort(),
    [
      "/shop/AGENTS.md is a link",
      "@../outside.md in CLAUDE.md leads outside the project",
      "@docs/linked.md in CLAUDE.md leads outside the project",
      "@docs/none.md in CLAUDE.md docs/none.md does not exist",
      "@~/.ssh/config.md in CLAUDE.md leads outside the project",
    ],
  );
});

test("without a path, the tool's usual place is read and named", async () => {
  const world = await shop();
  const path = put(world, "default/agentmemory/standalone.json", source("agentmemory-standalone.json"));
  assert.deepEqual((await take(world, { from: "agentmemory" })).foreign!.files, [path]);
  await refused(world, { from: "claude-mem" }, /^There is no .*default.claude-mem\.$/);
  await refused(world, { from: "markdown" }, /has none of CLAUDE\.md, /);
});

test("several paths are for Markdown, and an export needs none of this", async () => {
  const world = await shop();
  const one = put(world, "shop/a.md", "Never skip a failing test.\n");
  const two = put(world, "shop/b.txt", "Never merge without a review.\n");
  assert.equal((await take(world, { from: "markdown", path: one, more: [two, one] })).inserted, 2);
  await refused(world, { from: "mem0", path: one, more: [two] }, /is read from one path/);
  for (const input of [{}, { path: one, more: [two] }, { path: one, scope: "global" as const }])
    await assert.rejects(dispatch(operation, input, world), { code: "invalid_input" });
});

const BROKEN: [what: string, from: ForeignTool, make: (world: TestWorld) => string, says: RegExp][] = [
  ["nothing there", "mem0", (world) => join(world.folder, "none.json"), /none\.json does not exist/],
  ["a folder without the file", "claude-mem", (world) => world.folder, /is a folder\. It has no claude-mem\.db/],
  [
    "prose instead of JSON",
    "mem0",
    (world) => put(world, "a.json", "Dear diary"),
    /is not what mem0 writes: .*Expected: the JSON that get_all/,
  ],
  [
    "JSON that was cut off",
    "agentmemory",
    (world) => put(world, "a.json", '{"memories":[{"id"'),
    /is not what agentmemory writes/,
  ],
  [
    "the last line was cut off",
    "server-memory",
    (world) => put(world, "a.jsonl", `${source("server-memory.jsonl")}\n{"type":"ent`),
    /line \d+ is not a JSON object/,
  ],
  [
    "the database of another tool",
    "claude-mem",
    (world) => database(world, "a.db", source("mcp-memory-service.sql")),
    /is a database of something else\. It has no table observations/,
  ],
  [
    "a database that was cut off",
    "claude-mem",
    (world) => {
      const path = database(world, "a.db", source("claude-mem.sql"));
      truncateSync(path, 20_000);
      return path;
    },
    /is damaged or was cut off/,
  ],
  [
    "text where a database is expected",
    "mcp-memory-service",
    (world) => put(world, "sqlite_vec.db", "x".repeat(5_000)),
    /is not a SQLite database/,
  ],
  [
    "bytes that are no text",
    "mem0",
    (world) => put(world, "a.json", Buffer.from([0xff, 0xfe, 0x00, 0x7b])),
    /not valid UTF-8/,
  ],
  [
    "200 MB of JSON",
    "mem0",
    (world) => {
      const path = put(world, "a.json", "[");
      truncateSync(path, 200_000_000);
      return path;
    },
    /is too large/,
  ],
  [
    "2 GB of a database",
    "claude-mem",
    (world) => {
      const path = database(world, "a.db", source("claude-mem.sql"));
      truncateSync(path, 2_000_000_000);
      return path;
    },
    /has 2,000 MB; at most 1,000 MB can be imported/,
  ],
  [
    "a link",
    "server-memory",
    (world) => {
      symlinkSync(put(world, "m.jsonl", source("server-memory.jsonl")), join(world.folder, "link.jsonl"));
      return join(world.folder, "link.jsonl");
    },
    /is a link/,
  ],
];
test("a broken source is refused with what is wrong, and nothing is imported", async (context) => {
  const world = await shop();
  for (const [index, [what, from, make, says]] of BROKEN.entries())
    await context.test(what, async () => {
      const folder = join(world.folder, `broken ${index}`);
      mkdirSync(folder);
      await refused(world, { from, path: make({ ...world, folder }) }, says);
      assert.deepEqual([await kept(world), await kept(world, "proposal")], [[], []]);
    });
});

test("a memory that cannot be stored is left out and named, the others are imported", async () => {
  const world = await shop();
  const hostile =
    '[{"id":"1","memory":"\\u0000\\u0001"},{"id":"2","memory":"Fine \\u001b[2J\\u0007text."},{"id":"3","memory":"Old.","expiration_date":"2020-01-01"},{"__proto__":{"memory":"x"}},7,null]';
  const answer = await take(world, { from: "mem0", path: put(world, "a.json", hostile) });
  assert.deepEqual(
    (await kept(world)).map(({ content }) => content),
    ["Fine [2Jtext."],
  );
  assert.deepEqual(answer.foreign!.leftOut.map(({ reason }) => reason).sort(), [
    "has no text",
    "it has expired there",
    "its text is empty",
  ]);
});

test("in a folder, files that cannot be read are left out and named; more of them than can be read are refused", async () => {
  const world = await shop();
  put(world, "shop/rules/fine.md", "Never skip a failing test.\n");
  put(world, "shop/rules/binary.md", Buffer.from([0xff, 0xfe, 0x00]));
  put(world, "shop/rules/node_modules/package/README.md", "Always read the manual of this package.\n");
  put(world, `shop/rules/${"deep/".repeat(9)}far.md`, "Never nest this deep.\n");
  put(world, "shop/rules/picture.png", "Never read pictures.\n");
  truncateSync(put(world, "shop/rules/large.md", "x"), 3_000_000);
  const answer = await take(world, { from: "markdown", path: join(world.folder, "shop/rules") });
  assert.deepEqual(
    (await kept(world)).map(({ content }) => content),
    ["Never skip a failing test."],
  );
  assert.deepEqual(
    answer.foreign!.leftOut.map(({ what }) => what.slice("rules/".length).replace(/^(deep\/?)+$/, "deep")),
    ["binary.md", "deep", "large.md"],
  );
  for (let number = 0; number <= 50; number += 1) truncateSync(put(world, `many/${number}.md`, "x"), 1_000_000);
  await refused(world, { from: "markdown", path: join(world.folder, "many") }, /more than 2,000 files or 50 MB/);
});
