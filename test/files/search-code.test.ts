/** Names, passages and patterns in one answer; what documents answer beside their words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createNoEmbedder } from "../../src/embed/embedders.ts";
import { oneLine } from "../../src/recall/show-hits.ts";
import { askCode, askDocs, COLONY, type CorpusWorld, corpusWorld } from "./corpus-steps.ts";

const readOnly = (world: CorpusWorld): CorpusWorld => ({ ...world, project: { ...world.project, readOnly: true } });

test("names that are merely alike leave room for what says the word", async () => {
  const counts = Array.from({ length: 12 }, (_, index) => [
    `src/count${index}.ts`,
    `export const maxRetryCount${index} = 1;\n`,
  ]);
  const said = "// We retry when the line was busy.\nexport const patience = 3;\n";
  const world = await corpusWorld({ ...Object.fromEntries(counts), "src/said.ts": said });
  const { hits } = await askCode(world, "retry");
  assert.ok(
    hits.some(({ path }) => path === "src/said.ts"),
    hits.map(({ path }) => path).join(" "),
  );
  assert.equal(hits.length, 10);
});

test("definitions of the very name go first, and leave half of the answer to what uses it", async () => {
  const defined = Array.from({ length: 8 }, (_, index) => [`src/one${index}.ts`, "export function retry() {}\n"]);
  const calls = "// Who wants to retry may retry, and retry.\nretry(retry(retry()));\n";
  const world = await corpusWorld({ ...Object.fromEntries(defined), "src/two.ts": calls });
  const { hits } = await askCode(world, "retry", { limit: 6 });
  assert.deepEqual(
    hits.slice(0, 3).map(({ symbol, relevance }) => [symbol, relevance]),
    Array.from({ length: 3 }, () => ["retry", 1]),
  );
  assert.equal(hits[3]?.path, "src/two.ts");
  assert.equal(new Set(hits.map(({ path }) => path)).size, 6);
});

test("a documented definition stands once, and scores fall from 1", async () => {
  const world = await corpusWorld({ "src/colony.ts": COLONY, "src/other.ts": "export const depth = walrusDive(2);\n" });
  for (const query of ["walrusDive", "walrsDive", "SealColony.countPups", "walrus", "depth"]) {
    const { hits } = await askCode(world, query);
    const scores = hits.map(({ score }) => score);
    assert.deepEqual([scores[0], scores], [1, scores.toSorted((a, b) => b - a)], query);
  }
  const { hits } = await askCode(world, "walrusDive");
  assert.deepEqual(
    hits.map(({ path, startLine }) => [path, startLine]),
    [
      ["src/colony.ts", 2],
      ["src/other.ts", 1],
    ],
  );
});

test("in an answer to everything a definition goes before what calls it, though its name was misspelt", async () => {
  const calls = "# parse_qs and parse_qs again\nparse_qs(parse_qs(parse_qs()))\n";
  const world = await corpusWorld({
    "lib/urllib/parse.py": "def parse_qs(query):\n    return query\n",
    "lib/calls.py": calls,
    "src/colony.ts": COLONY,
  });
  for (const query of ["parse_qs", "urllib.parse.parse_qs", "parseQs", "prase_qs"]) {
    const [first, second] = (await askCode(world, query)).hits;
    assert.deepEqual([first?.path, first?.startLine, first?.endLine], ["lib/urllib/parse.py", 1, 2], query);
    assert.notEqual(second?.path, "lib/urllib/parse.py", query);
  }
  const [deep] = (await askCode(world, "how deep does it dive", { mode: "hybrid" })).hits;
  assert.ok(deep && !("entity" in deep.why && deep.why.entity === 1));
});

test("a threshold holds for names too", async () => {
  const world = await corpusWorld({ "src/colony.ts": COLONY });
  const [close] = (await askCode(world, "walrsDive", { mode: "symbol" })).hits;
  assert.ok(close && close.relevance < 0.95 && close.score === 1);
  for (const mode of ["symbol", "hybrid"])
    assert.deepEqual((await askCode(world, "walrsDive", { mode, threshold: 0.95 })).hits, [], mode);
});

test("what stands before a dot tells equal names apart", async () => {
  const door = "export class Door {\n  countPups() {}\n}\n";
  const world = await corpusWorld({ "src/colony.ts": COLONY, "src/zoo.ts": door });
  const found = async (query: string) =>
    (await askCode(world, query, { mode: "symbol" })).hits.map(({ symbol, relevance }) => [symbol, relevance === 1]);
  assert.deepEqual(await found("Door.countPups"), [
    ["Door.countPups", true],
    ["SealColony.countPups", false],
  ]);
  assert.deepEqual(await found("SealColony::countPups"), [
    ["SealColony.countPups", true],
    ["Door.countPups", false],
  ]);
  assert.deepEqual(
    (await found("Window.countPups")).map(([, isExact]) => isExact),
    [false, false],
  );
});

test("what is cut never ends in half a character: a summary, a long definition, a line that is printed", async () => {
  const seals = "🦭".repeat(200);
  for (const shift of ["", "y"]) {
    const lines = `  // ${seals.slice(0, 200)}\n`.repeat(30);
    const doc = `${shift}${"x".repeat(120)}${seals.slice(0, 120)}`;
    const source = `/** ${doc} */\nexport function seal${shift}() {\n${lines}}\n`;
    const world = await corpusWorld({ "src/seal.ts": source });
    const [hit] = (await askCode(world, `seal${shift}`, { mode: "symbol" })).hits;
    assert.ok(hit && hit.summary.isWellFormed() && [...hit.summary].length <= 200, hit?.summary);
    assert.ok(hit.content.isWellFormed() && hit.content.length >= 3_999 && hit.content.length <= 4_000);
    assert.ok(oneLine(`${shift}${seals}`).isWellFormed());
  }
});

test("a pattern is held against a few files at a time, and only what was found is read again", async () => {
  const many = Array.from({ length: 60 }, (_, index) => [
    `src/f${String(index).padStart(2, "0")}.ts`,
    `let v = ${index};\n`,
  ]);
  const world = await corpusWorld({ ...Object.fromEntries(many), "lib/f.py": "v = 59\n" });
  await world.index();
  const reads: number[] = [];
  const { items } = world.project;
  const project: CorpusWorld["project"] = {
    ...world.project,
    list: () => Promise.reject(new Error("counts every row for each page")),
    async items(shelf, ids) {
      reads.push(ids.length);
      return items(shelf, ids);
    },
  };
  const found = async (more: Record<string, unknown>) =>
    (await askCode({ ...world, project }, "v = 5[89]", { regex: true, ...more })).hits.map(({ path }) => path);
  assert.deepEqual(await found({}), ["lib/f.py", "src/f58.ts", "src/f59.ts"]);
  assert.deepEqual(reads, [50, 11, 3]);
  assert.deepEqual(await found({ path: "src/", limit: 1 }), ["src/f58.ts"]);
  assert.deepEqual(await found({ language: ["python"] }), ["lib/f.py"]);
});

test("an answer tells that files could not be looked at, whatever was asked", async () => {
  const world = await corpusWorld({ "src/colony.ts": COLONY, "docs/a.md": "# A\n\nThe walrus.\n" });
  await world.index();
  const asked = [{}, { mode: "symbol" }, { mode: "text" }, { mode: "semantic" }, { regex: true }];
  for (const more of asked) {
    const { degraded } = await askCode(readOnly(world), "walrusDive", more);
    assert.match(degraded ?? "", /^read-only(?!.*read-only)/, JSON.stringify(more));
  }
  assert.match((await askDocs(readOnly(world), "walrus")).degraded ?? "", /^read-only(?!.*read-only)/);
});

test("without vectors words answer, and the mode says so", async () => {
  const world = await corpusWorld(
    { "src/colony.ts": COLONY, "docs/a.md": "# A\n\nThe walrus dives.\n" },
    { embedder: createNoEmbedder() },
  );
  for (const mode of ["hybrid", "semantic"]) {
    for (const query of ["walrusDive", "how deep it dives"])
      assert.equal((await askCode(world, query, { mode })).mode, "text");
    const { mode: told, hits } = await askDocs(world, "walrus", { mode });
    assert.deepEqual([told, hits.map(({ path }) => path)], ["keyword", ["docs/a.md"]]);
  }
});
