/** What each reader makes of a small store of its tool, and of something else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readAgentmemory } from "../../../src/transfer/importers/agentmemory.ts";
import { readBasicMemory } from "../../../src/transfer/importers/basic-memory.ts";
import { readClaudeMem } from "../../../src/transfer/importers/claude-mem.ts";
import { readMcpMemory } from "../../../src/transfer/importers/mcp-memory.ts";
import { readMem0 } from "../../../src/transfer/importers/mem0.ts";
import { readServerMemory } from "../../../src/transfer/importers/server-memory.ts";
import { notes, sound, source, told } from "./given-source.ts";

const HERE = { named: null, folder: "shop" };

test("server-memory: an entity is a memory with its observations and relations; relations are links", () => {
  const { memories, links, leftOut } = sound(readServerMemory(source("server-memory.jsonl")));
  assert.deepEqual(memories.map(told), [
    "architecture | billing-service | Runs on port 4002 behind the gateway\nInvoices are written to Postgres before the event is published\ndepends on release process | service | –",
    "context | default_user | Prefers small pull requests with one topic each\nWorks in the Europe/Vienna time zone\nmaintains billing-service | person | –",
    "convention | release process | Tags are cut from main on Thursdays\nWe decided to use Changesets for versioning because it keeps notes beside the code | process | –",
  ]);
  assert.deepEqual(
    links.map(({ source: from, relation, target }) => [from, relation, target]),
    [
      ["default_user", "relates_to", "billing-service"],
      ["billing-service", "relates_to", "release process"],
    ],
  );
  assert.deepEqual(leftOut, [{ what: "entity empty entity", reason: "says nothing" }]);
});

test("server-memory: an entity with much to say is divided between observations, and a short one is told with its name", () => {
  const line = (name: string, observations: string[]) =>
    JSON.stringify({ type: "entity", name, entityType: "thing", observations });
  const many = Array.from(
    { length: 40 },
    (_, index) => `Observation number ${index} about the same thing, in a few words`,
  );
  const { memories } = sound(readServerMemory([line("long", many), line("short", ["done"])].join("\n")));
  assert.deepEqual(
    memories.map(({ key }) => key),
    ["long", "long (2)", "short"],
  );
  assert.equal(
    memories
      .slice(0, 2)
      .flatMap(({ content }) => content.split("\n"))
      .join("\n"),
    many.join("\n"),
  );
  assert.equal(memories[2]!.content, "short: done");
});

test("agentmemory, standalone: types, concepts, files and dates are kept; a title that repeats the text is not", () => {
  const { memories, leftOut } = sound(readAgentmemory(JSON.parse(source("agentmemory-standalone.json")), HERE));
  assert.deepEqual(
    memories.map(({ type, title, content, tags, files }) => [type, title, content, tags.join(), files.join()]),
    [
      [
        "pattern",
        null,
        "The payments worker retries three times with a doubling delay",
        "payments,retry",
        "src/payments/worker.ts",
      ],
      ["convention", null, "Always run the migrations before the smoke tests", "migrations", ""],
      ["preference", null, "Prefer pnpm over npm in this repository", "", ""],
      ["bug_fix", null, "The flaky login test was caused by a shared clock; it now gets its own", "tests,clock", ""],
      ["architecture", null, "Sessions live in Redis, not in the database", "", ""],
    ],
  );
  assert.ok(memories.every(({ createdAt }) => createdAt! > Date.UTC(2026, 10, 1)));
  assert.deepEqual(leftOut, []);
});

test("agentmemory, export: current memories of this project, lessons, procedures, summaries and what was worth observing", () => {
  const { memories, links, leftOut } = sound(readAgentmemory(JSON.parse(source("agentmemory-export.json")), HERE));
  assert.deepEqual(memories.map(told), [
    "convention | – | Seed the database before the end-to-end tests. | tests | 2026-10-05T09:00:00.000Z",
    "fact | Seeds | The seeds contain two customers and forty orders. |  | 2026-10-05T10:00:00.000Z",
    "fact | – | Guests have carts without an owner. |  | 2026-10-05T11:00:00.000Z",
    "convention | Release | 1. Tag the commit\n2. Wait for the build |  | 2026-10-05T11:00:00.000Z",
    "pattern | – | Read the merge twice before changing it. | cart | 2026-10-05T11:00:00.000Z",
    "summary | Vouchers in merged carts | Found why vouchers vanish and fixed it.\n- The newer voucher wins | cart | 2026-10-05T11:00:00.000Z",
    "error | Carts lose their voucher | Merging two carts drops the voucher of the older one.\n- Only carts of guests do | cart | 2026-10-05T08:02:00.000Z",
    "decision | Voucher of a merged cart | The newer voucher wins when two carts are merged. | cart | 2026-10-05T08:03:00.000Z",
  ]);
  assert.deepEqual(links, [{ source: "mem_1", target: "mem_2", relation: "relates_to", strength: 1 }]);
  assert.deepEqual(
    leftOut.map(({ what }) => what),
    ["a memory", "project website", "one of observations"],
  );
  assert.equal(
    sound(readAgentmemory(JSON.parse(source("agentmemory-export.json")), { ...HERE, named: "*" })).memories.length,
    9,
  );
});

test("mem0: types by category or by what the text says; relations between names are left out", () => {
  const { memories, leftOut } = sound(readMem0(JSON.parse(source("mem0.json"))));
  assert.deepEqual(memories.map(told), [
    "preference | – | Prefers dark themes in all editors | preference | 2026-09-01T15:00:00.123Z",
    "convention | – | The user never wants force pushes to main | workflow | 2026-09-02T08:00:00.000Z",
    "fact | – | Ships the mobile app from a branch called release | mobile | 2026-09-03T08:00:00.000Z",
  ]);
  assert.deepEqual([memories[1]!.session, memories[2]!.files], ["run-7", ["fastlane/Fastfile"]]);
  assert.deepEqual(
    leftOut.map(({ reason }) => reason),
    ["has no text", "repeats what memories say"],
  );
});

test("mem0: a bare list and several pages are read alike", () => {
  const [one, two] = [
    { id: "1", memory: "one" },
    { id: "2", memory: "two" },
  ];
  for (const given of [
    [one, two],
    { results: [one, two] },
    [{ results: [one] }, { count: 2, next: null, results: [two] }],
  ])
    assert.deepEqual(
      sound(readMem0(given)).memories.map(({ content }) => content),
      ["one", "two"],
    );
});

test("basic-memory: the note, its observations with their categories, and relations between notes", () => {
  const { memories, links } = readBasicMemory(notes());
  assert.deepEqual(memories.map(told), [
    "decision | Live Search | Search as you type is left out until the index is fast enough | decision | –",
    "documentation | Product Catalog | Products come from the supplier feed at 03:00. See also [[Search Index]]. |  | –",
    "documentation | Search Index | The index is rebuilt every night from the product table, because incremental updates lost rows.\n\nObservations\n\n- [ ] Try incremental updates again | search,backend | 2026-08-01T00:00:00.000Z",
    "gotcha | Search Index | The rebuild takes a lock on products (seen in production) | search,backend,locking,gotcha | 2026-08-01T00:00:00.000Z",
    "preference | Search Index | Prefer plain SQL over the ORM in the rebuild job | search,backend,sql,preference | 2026-08-01T00:00:00.000Z",
    "architecture | Search Index | Search Index: Written in Go | search,backend,tech | 2026-08-01T00:00:00.000Z",
  ]);
  assert.deepEqual(
    links.map(({ source: from, relation, target }) => [from, relation, target]),
    [
      ["product-catalog.md", "relates_to", "search-index.md"],
      ["search-index.md", "relates_to", "product-catalog.md"],
      ["search-index.md", "contradicts", "decisions/live-search.md 1"],
    ],
  );
});

const row = { id: 1, project: "shop", type: "discovery", created_at_epoch: 1_791_190_800_000, narrative: "It waits." };
const claudeMemTypes: [set: object, type: string][] = [
  [{ type: "bugfix" }, "bug_fix"],
  [{ type: "feature" }, "progress"],
  [{ type: "decision" }, "decision"],
  [{ concepts: '["how-it-works"]' }, "code_description"],
  [{ concepts: '["pattern","how-it-works"]' }, "pattern"],
  [{ type: "bugfix", concepts: '["gotcha"]' }, "bug_fix"],
  [{ type: "security_alert" }, "gotcha"],
  [{ type: "something new" }, "observation"],
];
for (const [set, type] of claudeMemTypes)
  test(`claude-mem: ${JSON.stringify(set)} is of the type ${type}`, () => {
    const rows = new Map([["observations", [{ ...row, ...set }]]]);
    assert.deepEqual(
      readClaudeMem(rows, HERE).memories.map((memory) => memory.type),
      [type],
    );
  });

const projects: [project: string, named: string | null, isTaken: boolean][] = [
  ["shop", null, true],
  ["Shop", null, true],
  ["/home/me/shop/", null, true],
  ["clients/shop", null, true],
  ["website", null, false],
  ["website", "website", true],
  ["shop", "website", false],
  ["website", "*", true],
  ["", null, true],
];
for (const [project, named, isTaken] of projects)
  test(`a memory of "${project}" is ${isTaken ? "taken" : "left out"} if ${named ?? "no project"} is named`, () => {
    const { memories, leftOut } = readClaudeMem(new Map([["observations", [{ ...row, project }]]]), {
      named,
      folder: "shop",
    });
    assert.deepEqual([memories.length, leftOut.length], isTaken ? [1, 0] : [0, 1]);
  });

test("mcp-memory-service: what was replaced or deleted is left out, seconds become times, both directions are one link", () => {
  const memory = {
    content_hash: "a",
    content: "One",
    created_at: 1_791_190_800.25,
    tags: "x, y",
    memory_type: "learning",
  };
  const gone = [
    { ...memory, deleted_at: 5 },
    { ...memory, superseded_by: "b" },
  ];
  const edge = { source_hash: "a", target_hash: "b", similarity: 7, relationship_type: "related" };
  const { memories, links, leftOut } = readMcpMemory(
    new Map([
      ["memories", [memory, ...gone]],
      ["memory_graph", [edge, { ...edge, source_hash: "b", target_hash: "a" }, { ...edge, target_hash: "a" }]],
    ]),
  );
  assert.deepEqual(memories.map(told), ["fact | – | One | x,y | 2026-10-05T09:00:00.250Z"]);
  assert.deepEqual([links.length, links[0]!.strength, leftOut.length], [1, 1, 2]);
});

const others: [what: string, read: () => unknown, fault: RegExp][] = [
  ["server-memory, prose", () => readServerMemory("Once upon a time\n"), /line 1 is not a JSON object/],
  ["server-memory, cut off", () => readServerMemory('{"type":"entity","name":"a"'), /line 1 is not a JSON object/],
  ["server-memory, an export of mem0", () => readServerMemory('{"results":[]}'), /no line of the type entity/],
  ["agentmemory, a list", () => readAgentmemory([], HERE), /not a JSON object/],
  ["agentmemory, other JSON", () => readAgentmemory({ name: "x" }, HERE), /neither memories nor mem:memories/],
  ["mem0, no JSON", () => readMem0(undefined), /neither a list of memories/],
  ["mem0, a list of other things", () => readMem0([{ name: "x" }]), /none of its results has the text memory/],
];
for (const [what, read, fault] of others)
  test(`something else is named as what it is: ${what}`, () =>
    assert.match((read() as { fault: string }).fault, fault));

test("whatever a file contains, a reader neither fails nor changes what all objects have in common", () => {
  const hostile =
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"memories":[{"id":"1","content":"x","__proto__":{"deleted":true}}]}';
  assert.equal(sound(readAgentmemory(JSON.parse(hostile), HERE)).memories.length, 1);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 6 }),
      fc.constantFrom("memories", "results", "observations", "mem:memories"),
      (value, field) => {
        for (const given of [value, [value], { [field]: value }, { [field]: [value] }, { [field]: { a: [value] } }]) {
          readAgentmemory(given, HERE);
          readMem0(given);
          readServerMemory(JSON.stringify(given));
        }
      },
    ),
  );
});

test("JSON nested a hundred thousand deep is read like any other", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const parsed: unknown = JSON.parse(`{"memories":[{"id":"1","content":"x","concepts":${deep}}]}`);
  assert.deepEqual(
    sound(readAgentmemory(parsed, HERE)).memories.map(({ tags }) => tags),
    [[]],
  );
});
