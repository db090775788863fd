/** Questions: one for each kind of thing, each with what its kind needs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { keepEvidence } from "../../src/decisions/evidence.ts";
import { createNoEmbedder } from "../../src/embed/embedders.ts";
import { SHELVES } from "../../src/memory/shelves.ts";
import { type RecallRequest, searchPlaces } from "../../src/recall/places.ts";
import { prepareQuestions, withoutMeaning } from "../../src/recall/question.ts";
import { OWN_RECIPES } from "../../src/recall/ranking.ts";
import { countingEmbedder, type TestWorld, testWorld } from "../test-world.ts";

const prepared = (world: TestWorld, query: string, set: Partial<RecallRequest> = {}) => {
  const request: RecallRequest = { query, mode: "hybrid", limit: 10, threshold: 0, ...set };
  return prepareQuestions(request, searchPlaces(request.shelves ?? SHELVES, {}, world), world);
};

test("shelves of one kind share a question and a recipe", async () => {
  const questions = await prepared(await testWorld(), "walrus");
  assert.deepEqual(
    questions.map(({ kind, places }) => [kind, [...new Set(places.map(({ shelf }) => shelf))]]),
    [
      ["memory", ["memory", "decision", "proposal"]],
      ["session", ["evidence"]],
      ["prose", ["document"]],
      ["code", ["code"]],
    ],
  );
  for (const { kind, recipe, places } of questions) {
    assert.equal(recipe, OWN_RECIPES[kind]);
    assert.equal(new Set(places.map(({ store }) => store)).size, 2);
  }
});

test("where passages are ranked, evidence is a conversation", async () => {
  const [question] = await prepared(await testWorld(), "walrus", { shelves: ["evidence"], eachPassage: true });
  assert.equal(question!.kind, "conversation");
});

test("speakers are those whom the question names and who speak", async () => {
  const world = await testWorld();
  await keepEvidence({ turns: [{ text: "The walrus sleeps", speaker: "Ann" }] }, world);
  const [talk, other] = await prepared(world, "did Ann or Bo see the walrus", { shelves: ["evidence", "memory"] });
  assert.deepEqual([talk!.speakers, other!.speakers], [["Ann"], []]);
});

const modes: [RecallRequest["mode"], boolean, boolean, boolean][] = [
  ["hybrid", true, true, true],
  ["keyword", true, false, false],
  ["semantic", false, true, false],
];
for (const [mode, words, meaning, signals] of modes)
  test(`${mode}: what counts, and whether it is embedded`, async () => {
    const embedder = countingEmbedder();
    const [question] = await prepared(await testWorld({ embedder }), "walrus", { mode, shelves: ["memory"] });
    assert.deepEqual(question!.channels, { words, meaning, signals });
    assert.deepEqual([question!.vector !== null, embedder.texts], [meaning, meaning ? ["walrus"] : []]);
  });

test("a report is embedded by its gist, and its first line once more by itself", async () => {
  const report = "Crash on dive\nThe walrus is lost.\n```\ntrace\n```\n";
  const embedder = countingEmbedder();
  const [question] = await prepared(await testWorld({ embedder }), report, { shelves: ["code"] });
  assert.deepEqual([question!.kind, question!.opening], ["report", "Crash on dive"]);
  assert.equal(embedder.texts[1], "Crash on dive");
  assert.ok(question!.openingVector && !embedder.texts[0]!.includes("trace"));
});

test("without a model there is no vector, and the question says why", async () => {
  const [question] = await prepared(await testWorld({ embedder: createNoEmbedder() }), "walrus");
  assert.deepEqual([question!.vector, question!.problems], [null, ["no embedder, searched by words only"]]);
});

test("where meaning finds nothing, words and signals are asked anew", async () => {
  const [question] = await prepared(await testWorld(), "walrus", { mode: "semantic" });
  const { vector, channels, problems, terms } = withoutMeaning(question!);
  assert.deepEqual([vector, problems, terms], [null, [], question!.terms]);
  assert.deepEqual(channels, { words: true, meaning: false, signals: true });
});
