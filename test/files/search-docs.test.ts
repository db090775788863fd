/** Documents: how many passages of each, which kinds, what stands in for meaning, what they are worth, what is noted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { readerOf } from "../../src/catalog/operation.ts";
import { createNoEmbedder } from "../../src/embed/embedders.ts";
import searchDocs from "../../src/files/verbs/search-docs.ts";
import type { Hit } from "../../src/recall/hit.ts";
import type { World } from "../../src/world.ts";
import { READER } from "../catalog/reader.ts";
import { corpusWorld } from "./corpus-steps.ts";

const docs = async (world: World, query: string, more: Record<string, unknown> = {}) =>
  (await dispatch(searchDocs, { query, mode: "keyword", ...more }, world)).answer;
const paths = async (world: World, query: string, more: Record<string, unknown> = {}) =>
  (await docs(world, query, more)).hits.map(({ path }) => path);

const BARE = { title: null, why: {}, contradicts: [], history: [], related: [], status: "active" } as const;
const TWO_MONTHS_MS = 60 * 24 * 3_600_000;

test("a document of many passages leaves room for others", async () => {
  const section = (number: number) =>
    `## Walrus ${number}\n\nThe walrus, walrus ${number}. ${"Ice and snow. ".repeat(90)}\n\n`;
  const long = `# Walrus\n\n${Array.from({ length: 8 }, (_, index) => section(index)).join("")}`;
  const short = `# Seals\n\n${"Seals are no such animals. ".repeat(20)} A walrus is.\n`;
  const world = await corpusWorld({ "long.md": long, "one.md": short, "two.md": short.replace("Seals", "Bears") });
  const all = await paths(world, "walrus", { dedupe: false, limit: 4 });
  assert.deepEqual(all, ["long.md", "long.md", "long.md", "long.md"]);
  const some = await paths(world, "walrus", { maxChunksPerDoc: 2, limit: 4 });
  assert.deepEqual(some.toSorted(), ["long.md", "long.md", "one.md", "two.md"]);
  assert.equal((await paths(world, "walrus", { limit: 4 })).length, 3);
});

test("labels and types narrow an answer, each to any of those that are named", async () => {
  const files = ["a/one.md", "b/two.md", "c/three.md"].map((path) => [path, `# ${path}\n\nThe walrus.\n`]);
  const world = await corpusWorld(Object.fromEntries(files));
  const rules = [
    { glob: "a/**", label: "how", docType: "procedural" as const },
    { glob: "b/**", label: "what" },
  ];
  const ruled = { ...world, settings: { ...world.settings, labels: { rules } } };
  const found = async (more: Record<string, unknown>) => (await paths(ruled, "walrus", more)).toSorted();
  assert.deepEqual(await found({ docType: ["procedural"] }), ["a/one.md"]);
  assert.deepEqual(await found({ docType: ["procedural", "semantic"] }), ["a/one.md", "b/two.md", "c/three.md"]);
  assert.deepEqual(await found({ label: ["how", "what"] }), ["a/one.md", "b/two.md"]);
  assert.deepEqual(await found({ label: ["what"], docType: ["procedural"] }), []);
  const answer = await docs(ruled, "walrus", { label: ["how"] });
  const reader = readerOf({ query: "" }, world);
  const [hit] = answer.hits;
  assert.deepEqual([hit?.label, hit?.docType], ["how", "procedural"]);
  assert.match(searchDocs.render(answer, reader), /a\/one\.md.*, how, procedural;/);
  assert.match(searchDocs.renderForAgent?.(answer, reader) ?? "", /a\/one\.md.* how, procedural: /);
});

test("where there is no meaning words stand in, and parts of words for those", async () => {
  const files = { "a.md": "# A\n\nThe walrus dives.\n" };
  const world = await corpusWorld(files, { embedder: createNoEmbedder() });
  for (const [query, ranker] of [
    ["walrus", "keyword"],
    ["alru", "substring"],
  ] as const) {
    const { mode, hits } = await docs(world, query, { mode: "vector" });
    assert.deepEqual([mode, hits.length, ranker in hits[0]!.why], ["keyword", 1, true], query);
  }
});

test("of equal documents the one that others refer to leads, and one that was just looked at", async () => {
  const text = (name: string) => `# ${name}\n\nThe walrus dives for clams.\n`;
  const world = await corpusWorld({ "one.md": text("One"), "two.md": text("Two") });
  const [, second] = await paths(world, "walrus clams");
  await world.afterwards.settle();
  world.write("README.md", `# R\n\nSee [it](${second}).\n`);
  world.clock.time += 10_000;
  const [first, other] = await paths(world, "walrus clams");
  assert.equal(first, second);
  await world.afterwards.settle();
  // What nobody looks at fades, and loses more by that than its standing gives.
  world.clock.time += TWO_MONTHS_MS;
  assert.equal((await paths(world, "walrus clams", { path: other, limit: 1 }))[0], other);
  await world.afterwards.settle();
  assert.equal((await paths(world, "walrus clams"))[0], other);
});

test("the first five documents count as found together, each once, and every one shown as read", async () => {
  const files = Array.from({ length: 7 }, (_, index) => [
    `${index}.md`,
    `# N${index}\n\n${"The walrus. ".repeat(9 - index)}\n`,
  ]);
  const world = await corpusWorld(Object.fromEntries(files));
  const { hits } = await docs(world, "walrus", { maxChunksPerDoc: 3 });
  await world.afterwards.settle();
  const ids = [...new Set(hits.map(({ id }) => id))];
  assert.equal(ids.length, 7);
  const together = await Promise.all(ids.map(async (id) => (await world.project.foundTogetherWith(id, 9)).length));
  assert.deepEqual(together, [4, 4, 4, 4, 4, 0, 0]);
  const read = (await world.project.items("document", ids)).map(({ accessCount, confidence }) => [
    accessCount,
    confidence,
  ]);
  assert.deepEqual(
    read,
    Array.from({ length: 7 }, () => [1, 0.8 * 1.03]),
  );
});

test("in a pipe too, below the line at most three hits are told, and said to be guesses", () => {
  const hit = (number: number, relevance: number) =>
    ({ handle: `0000000${number}`, path: `${number}.md`, content: "Gardens.", type: "document", relevance }) as Hit;
  const told = (hits: readonly Hit[], input = {}) =>
    searchDocs
      .render({ mode: "hybrid", degraded: null, hits: hits.map((one) => ({ ...BARE, ...one })) }, { ...READER, input })
      .split("\n")
      .filter((line) => !line.startsWith(" "));
  const guesses = Array.from({ length: 8 }, (_, number) => hit(number, 0.01));
  const [lead, ...lines] = told(guesses);
  assert.deepEqual([lead, lines.length], ["Nothing clearly answers that; guesses:", 4]);
  assert.match(lines.at(-1)!, /^\(5 less relevant left out/);
  assert.equal(told(guesses, { threshold: 0 }).length, 9, "who names a threshold is told everything above it");
  assert.equal(told([hit(9, 0.6), ...guesses]).length, 9, "passages of files answer together");
});
