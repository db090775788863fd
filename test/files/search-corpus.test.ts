/** Searching documents and code through the verbs, on files that were just written. */
import assert from "node:assert/strict";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import searchCode from "../../src/files/verbs/search-code.ts";
import searchDocs from "../../src/files/verbs/search-docs.ts";
import related from "../../src/graph/verbs/related.ts";
import rollback from "../../src/journal/verbs/rollback.ts";
import describeCode from "../../src/memory/verbs/describe-code.ts";
import { READER } from "../catalog/reader.ts";
import { ask, keep } from "../test-world.ts";
import { askCode, askDocs, COLONY, corpusWorld } from "./corpus-steps.ts";

const GUIDE = `# Guide

## Diving

The walrus dives for clams. ${"It holds its breath for long. ".repeat(40)}

## Breathing

The walrus breathes at the ice hole.

### Holes

Walrus holes freeze over.
`;

const FILES = {
  "src/walrus.ts": COLONY,
  "lib/walrus.py": "def walrus_dive(depth):\n    return depth\n",
  "docs/guide.md": GUIDE,
  "docs/adr/0001.md": "# Walrus first\n\nThe walrus was chosen.\n",
};

test("a definition is found by its very name, by a misspelt one, and within a class", async () => {
  const world = await corpusWorld(FILES);
  const [exact] = (await askCode(world, "walrusDive")).hits;
  assert.deepEqual(
    [exact?.path, exact?.symbol, exact?.startLine, exact?.endLine, exact?.shelf],
    ["src/walrus.ts", "walrusDive", 2, 4, "code"],
  );
  assert.match(exact!.content, /^export function walrusDive/);
  const [misspelt] = (await askCode(world, "walrsDive", { mode: "symbol" })).hits;
  assert.equal(misspelt?.symbol, "walrusDive");
  const [method] = (await askCode(world, "SealColony.countPups", { mode: "symbol" })).hits;
  assert.deepEqual([method?.symbol, method?.startLine], ["SealColony.countPups", 8]);
  const ofKind = (await askCode(world, "countPups", { mode: "symbol", kind: ["class"] })).hits;
  assert.deepEqual(ofKind.map(({ symbol }) => symbol).includes("SealColony.countPups"), false);
});

test("code is found by its words, by a pattern, in a language and below a path", async () => {
  const world = await corpusWorld(FILES);
  const paths = async (query: string, more: Record<string, unknown>) =>
    [...new Set((await askCode(world, query, more)).hits.map(({ path }) => path))].toSorted();
  assert.deepEqual(await paths("depth", { mode: "text" }), ["lib/walrus.py", "src/walrus.ts"]);
  assert.deepEqual(await paths("depth", { mode: "text", language: ["python"] }), ["lib/walrus.py"]);
  assert.deepEqual(await paths("depth", { mode: "text", path: "src/" }), ["src/walrus.ts"]);
  const { hits, mode } = await askCode(world, "def \\w+_dive", { regex: true });
  assert.deepEqual(
    [mode, hits.map(({ path, startLine, content }) => [path, startLine, content])],
    ["text", [["lib/walrus.py", 1, "def walrus_dive(depth):"]]],
  );
  await assert.rejects(askCode(world, "(", { regex: true }), { code: "invalid_input" });
});

test("documents answer with their best passage, its heading and its lines; more of them when asked", async () => {
  const world = await corpusWorld(FILES);
  const { hits } = await askDocs(world, "walrus ice hole", { mode: "keyword" });
  const [first] = hits;
  assert.deepEqual(
    [first?.path, first?.heading, first?.startLine, first?.type],
    ["docs/guide.md", "Guide > Breathing", 7, "semantic"],
  );
  assert.deepEqual(hits.map(({ path }) => path).toSorted(), ["docs/adr/0001.md", "docs/guide.md"]);
  const some = await askDocs(world, "walrus", { mode: "keyword", maxChunksPerDoc: 2 });
  assert.equal(some.hits.filter(({ path }) => path === "docs/guide.md").length, 2);
  const all = await askDocs(world, "walrus", { mode: "keyword", dedupe: false });
  assert.ok(all.hits.filter(({ path }) => path === "docs/guide.md").length > 2);
  assert.deepEqual(
    (await askDocs(world, "walrus", { label: ["adr"] })).hits.map(({ path }) => path),
    ["docs/adr/0001.md"],
  );
  assert.deepEqual((await askDocs(world, "walrus", { docType: ["procedural"] })).hits, []);
});

test("a look raises a document's confidence, and counts what was found together", async () => {
  const world = await corpusWorld(FILES);
  await askDocs(world, "walrus");
  await world.afterwards.settle();
  const guide = (await world.project.fileAt("document", "docs/guide.md"))!;
  assert.deepEqual([guide.accessCount, guide.confidence], [1, 0.8 * 1.03]);
  const [together] = await world.project.foundTogetherWith(guide.id, 5);
  assert.deepEqual([together?.path, together?.times], ["docs/adr/0001.md", 1]);
});

test("what is asked of files is cleaned before it is noted", async () => {
  const world = await corpusWorld(FILES);
  const secret = `ghp_${"a1B2c3D4e5".repeat(3)}f6G7h8`;
  const asked = [
    ...(await askDocs(world, `walrus ${secret}`)).hits,
    ...(await askCode(world, `walrus ${secret}`)).hits,
  ];
  await world.afterwards.settle();
  const noted = await world.project.queriesFor(asked.map(({ id }) => id));
  assert.ok(noted.length > 0 && !noted.join().includes(secret), noted.join());
});

test("what goes with a document: what it refers to, what refers to it, what is found with it", async () => {
  const world = await corpusWorld({ ...FILES, "README.md": "# R\n\nSee [guide](docs/guide.md). Of seals.\n" });
  await askDocs(world, "walrus", { mode: "keyword" });
  await world.afterwards.settle();
  const goesWith = async (target: string) =>
    (await dispatch(related, { target }, world)).answer.items.map(({ path, by, times }) => [path, by, times]);
  assert.deepEqual(await goesWith("docs/guide.md"), [
    ["docs/adr/0001.md", ["found_together"], 1],
    ["README.md", ["referred_by"], 0],
  ]);
  assert.deepEqual(await goesWith("./README.md"), [["docs/guide.md", ["refers_to"], 0]]);
  await assert.rejects(goesWith("gone.md"), { code: "not_found" });
});

test("a search looks at what changed since; who looked a moment ago, and may, does not", async () => {
  const world = await corpusWorld(FILES);
  const symbols = async () => (await askCode(world, "brandNew", { mode: "symbol" })).hits.map(({ symbol }) => symbol);
  assert.deepEqual(await symbols(), []);
  world.write("src/new.ts", "export function brandNew() {}\n");
  world.clock.time += 10;
  const patient = { ...world, settings: { ...world.settings, index: { ...world.settings.index, freshMs: 60_000 } } };
  assert.deepEqual((await askCode(patient, "brandNew", { mode: "symbol" })).hits, []);
  assert.deepEqual(await symbols(), ["brandNew"]);
});

test("a search before the first index has finished says so, rather than that there is nothing", async () => {
  const world = await corpusWorld(FILES);
  const at = world.clock.now();
  const lease = { kind: "take_lease", name: "index", owner: "another", at, until: at + 12_000 } as const;
  await world.project.apply([lease], world.origin);
  const hurried = { ...world, settings: { ...world.settings, index: { ...world.settings.index, waitMs: 1 } } };
  const answers = [await askDocs(hurried, "walrus"), await askCode(hurried, "walrus")] as const;
  for (const { degraded, hits } of answers)
    assert.deepEqual([degraded, hits], ["the first index has not finished", []]);
  const said = "Nothing found yet. Ask again, or run `stele index`.\n(the first index has not finished)";
  assert.deepEqual([searchDocs.render(answers[0], READER), searchCode.render(answers[1], READER)], [said, said]);
  await world.project.apply([{ kind: "release_lease", name: "index", owner: "another" }], world.origin);
  const { degraded, hits } = await askDocs(world, "zebra", { mode: "keyword" });
  assert.deepEqual([degraded, hits], [null, []]);
  assert.equal(searchDocs.render({ mode: "hybrid", degraded, hits }, READER), "No document found.");
  const elsewhere = { ...hurried, place: { ...hurried.place, checkout: "/elsewhere" } };
  const again = { ...lease, at: world.clock.now(), until: world.clock.now() + 60_000 };
  await world.project.apply([again], world.origin);
  assert.equal((await askDocs(elsewhere, "zebra")).degraded, "the first index has not finished");
  await world.afterwards.settle();
});

test("a memory that names a file is stale once that file has changed or gone", async () => {
  const world = await corpusWorld(FILES);
  await world.index();
  const root = world.files.resolve("project");
  const placed = { ...world, place: { ...world.place, root } };
  const context = { files: ["./src/walrus.ts"], symbols: ["walrusDive"] };
  await keep(placed, "the walrus dives twice as deep as asked", { context });
  const stale = async () => (await ask(placed, "how deep does the walrus dive")).hits[0]?.stale;
  assert.equal(await stale(), null);
  world.write("src/walrus.ts", COLONY.replace("depth * 2", "depth * 3"));
  utimesSync(join(root, "src/walrus.ts"), new Date(world.clock.now() + 1), new Date(world.clock.now() + 1));
  await world.index();
  assert.equal(await stale(), "src/walrus.ts has changed since");
  world.write("src/walrus.ts", COLONY.replace("walrusDive", "sealDive"));
  await world.index();
  assert.equal(await stale(), "src/walrus.ts no longer defines walrusDive");
  world.remove("src/walrus.ts");
  await world.index();
  assert.equal(await stale(), "src/walrus.ts is gone");
});

test("staleness needs no index, and is not told of files of another project", async () => {
  const world = await corpusWorld(FILES);
  const context = { files: ["src/walrus.ts"] };
  await keep(world, "the walrus dives twice as deep as asked", { context, scope: "project" });
  const elsewhere = { ...world, place: { ...world.place, spaceId: "another" } };
  await keep(elsewhere, "the zebra grazes in lib", { context: { files: ["lib/zebra.ts"] }, scope: "global" });
  await keep(world, "the okapi grazes in lib", { context: { files: ["lib/okapi.ts"] }, scope: "global" });
  const stale = async (query: string) => (await ask(world, query)).hits[0]?.stale;
  assert.equal(await stale("how deep does the walrus dive"), null);
  assert.equal(await stale("where does the zebra graze"), null);
  assert.equal(await stale("where does the okapi graze"), "lib/okapi.ts is gone");
  await world.index();
  world.write("src/walrus.ts", `${COLONY}// more`);
  const later = new Date(world.clock.now() + 1);
  utimesSync(join(world.place.root, "src/walrus.ts"), later, later);
  assert.equal(await stale("how deep does the walrus dive"), "src/walrus.ts has changed since");
  world.remove("src/walrus.ts");
  assert.equal(await stale("how deep does the walrus dive"), "src/walrus.ts is gone");
});

test("a description is found and leads to its code; a new one takes the place of the older pair", async () => {
  const world = await corpusWorld(FILES);
  const describe = async (description: string, more: Record<string, unknown> = {}) =>
    (await dispatch(describeCode, { path: "src/walrus.ts", description, ...more }, world)).answer;
  const first = await describe("Doubles how deep it goes", { startLine: 2, endLine: 4 });
  assert.deepEqual([first.status, first.superseded], ["stored", []]);
  const [code] = await world.project.items("memory", [first.codeId]);
  assert.deepEqual([code?.type, code?.path, code?.context.language], ["code", "src/walrus.ts", "typescript"]);
  assert.match(code!.content, /^export function walrusDive[^]*}$/);
  const [hit] = (await ask(world, "doubles how deep it goes")).hits;
  assert.deepEqual([hit?.id, hit?.related], [first.id, [first.codeId]]);
  const edges = await world.project.edgesOf("memory", [first.id], { limit: 5 });
  assert.deepEqual(
    edges.map(({ source, relation, target }) => [source, relation, target]),
    [[first.id, "source_of", first.codeId]],
  );
  const waiting = await world.project.whole("memory", [first.id, first.codeId]);
  assert.deepEqual(waiting.map(({ item, embed }) => [item.type, embed]).toSorted(), [
    ["code", false],
    ["code_description", true],
  ]);
  assert.equal((await describe("Doubles how deep it goes", { startLine: 2, endLine: 4 })).status, "duplicate");
  const second = await describe("Goes twice as deep as told");
  assert.deepEqual(second.superseded.toSorted(), [first.id, first.codeId].toSorted());
  const { call } = second;
  await dispatch(rollback, { call: call! }, world);
  assert.equal((await ask(world, "doubles how deep it goes")).hits[0]?.id, first.id);
  await assert.rejects(describe("x", { path: "../outside.ts" }), { code: "not_found" });
});

test("files that are described alike keep pairs of their own", async () => {
  const world = await corpusWorld({ "a/index.ts": "export * from './x'\n", "b/index.ts": "export * from './x'\n" });
  const describe = async (path: string, more: Record<string, unknown> = {}) =>
    (await dispatch(describeCode, { path, description: "The door of the folder", ...more }, world)).answer;
  await keep(world, "The door of the folder", { scope: "project" });
  const [a, b] = [await describe("a/index.ts"), await describe("b/index.ts")];
  const pair = async ({ id, codeId }: typeof a) =>
    (await world.project.items("memory", [id, codeId])).map(({ status, path, type }) => `${status} ${type} ${path}`);
  for (const [answer, path] of [
    [a, "a/index.ts"],
    [b, "b/index.ts"],
  ] as const) {
    assert.deepEqual([answer.status, answer.superseded], ["stored", []]);
    assert.deepEqual((await pair(answer)).toSorted(), [`active code ${path}`, `active code_description ${path}`]);
  }
  assert.deepEqual([(await describe("a/index.ts")).id, (await describe("b/index.ts")).id], [a.id, b.id]);
  assert.equal((await describe("b/index.ts")).status, "duplicate");
  await assert.rejects(describe("c.ts", { code: "The door of the folder\n" }), { code: "invalid_input" });
});

test("what no index takes in is not read for a description", async () => {
  const world = await corpusWorld({
    ".env": "NAME=walrus\n",
    ".git/config": "[core]\n",
    ".gitignore": "/private/\n",
    "private/plan.ts": "export const plan = 1;\n",
    "src/.steleignore": "own.ts\n",
    "src/own.ts": "export const own = 1;\n",
    "src/node_modules/x.ts": "export const x = 1;\n",
    "src/open.ts": "export const open = 1;\n",
  });
  const describe = (path: string) => dispatch(describeCode, { path, description: `About ${path}` }, world);
  for (const path of [
    ".env",
    "./.env",
    ".git/config",
    ".GIT/config",
    "private/plan.ts",
    "src/own.ts",
    "src/node_modules/x.ts",
  ])
    await assert.rejects(describe(path), { code: "invalid_input" }, path);
  assert.equal((await describe("src/open.ts")).answer.status, "stored");
});

test("links to code take no place among the documents that go with one", async () => {
  const world = await corpusWorld({
    "a.ts": "export const a = 1;\n",
    "guide.md": "# Guide\n\nSee [code](a.ts) and [other](other.md).\n",
    "other.md": "# Other\n",
  });
  await world.index();
  const { items } = (await dispatch(related, { target: "guide.md", limit: 1 }, world)).answer;
  assert.deepEqual(
    items.map(({ path }) => path),
    ["other.md"],
  );
});
