/** Settings of recall, through the verbs: damping of ranks, hits where nobody says how many, history. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { reject } from "../../src/decisions/ratify.ts";
import decisions from "../../src/decisions/verbs/decisions.ts";
import log from "../../src/decisions/verbs/log.ts";
import why from "../../src/decisions/verbs/why.ts";
import searchCode from "../../src/files/verbs/search-code.ts";
import searchDocs from "../../src/files/verbs/search-docs.ts";
import recall from "../../src/recall/verbs/recall.ts";
import { decide, held, stage } from "../decisions/decision-steps.ts";
import { corpusWorld } from "../files/corpus-steps.ts";
import { ask, keep, testWorld } from "../test-world.ts";

for (const [rrfDamping, second] of [
  [0, 0.5],
  [1, 0.6667],
  [60, 0.9839],
] as const)
  test(`damped by ${rrfDamping}, the second place is worth ${second} of the first`, async () => {
    const world = await testWorld({ recall: { rrfDamping } });
    for (const content of ["walrus walrus walrus", "one walrus among many seals"]) await keep(world, content);
    const { hits } = await ask(world, "walrus", { recipe: "rrf", mode: "keyword" });
    assert.deepEqual(
      hits.map(({ score }) => score),
      [1, second],
    );
  });

test("every search shows as many hits as the setting says, unless the caller says how many", async () => {
  const words = ["one", "two", "three", "four"];
  const files = words.flatMap((word) => [
    [`${word}.md`, `# Walrus ${word}\n\nThe walrus dives ${word}.\n`],
    [`${word}.ts`, `// The walrus dives.\nexport const walrus_${word} = "${word}";\n`],
  ]);
  const world = await corpusWorld(Object.fromEntries(files), { recall: { limit: 2 } });
  await world.index();
  for (const word of words) {
    await keep(world, `The walrus dives ${word}`);
    await dispatch(log, { text: `We saw the walrus dive ${word}` }, world);
    await decide(world, `The walrus dives ${word}`, { subject: `walrus ${word}` });
  }
  const counted: [string, (limit?: number) => Promise<number>][] = [
    ["recall", async (limit) => (await dispatch(recall, { query: "walrus", limit }, world)).answer.hits.length],
    ["why", async (limit) => (await dispatch(why, { question: "walrus", limit }, world)).answer.hits.length],
    [
      "search_docs",
      async (limit) => (await dispatch(searchDocs, { query: "walrus", limit }, world)).answer.hits.length,
    ],
    [
      "search_code",
      async (limit) => (await dispatch(searchCode, { query: "walrus", limit }, world)).answer.hits.length,
    ],
    ["decisions", async (limit) => (await dispatch(decisions, { subject: "walrus", limit }, world)).answer.hits.length],
  ];
  for (const [verb, count] of counted) assert.deepEqual([await count(), await count(3)], [2, 3], verb);
  assert.equal((await held(world)).length, 4, "without a subject, decisions are listed");
});

test("without history a hit stands alone, and what was replaced is no hit either", async () => {
  for (const [history, expected] of [
    ["on", [1, 1, 1]],
    ["off", [0, 0, 0]],
  ] as const) {
    const world = await testWorld({ recall: { history } });
    const { id: old } = await keep(world, "The database is Sybase");
    const { id } = await keep(world, "We keep rows in Postgres", { supersedes: old });
    const [memory, ...others] = (await ask(world, "sybase", { mode: "keyword" })).hits;
    assert.deepEqual([memory!.id, others], [id, []], history);
    const before = await decide(world, "Tokens");
    await decide(world, "Cookies", { supersedes: [before] });
    const [decision] = await held(world, "auth");
    await reject(await stage(world, "Passwords", { subject: "login" }), "too weak", world);
    await decide(world, "Keys", { subject: "login" });
    const login = (await ask(world, "login keys", { mode: "keyword" })).hits.find(({ title }) => title === "login");
    assert.deepEqual(
      [memory, decision, login].map((hit) => hit!.history.length),
      expected,
    );
  }
});
