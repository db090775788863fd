/** The access log: each kind of access by its name, and what counts as one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contextAtStart } from "../../src/briefing/inject-at-start.ts";
import { contextForPrompt } from "../../src/briefing/inject-for-prompt.ts";
import context from "../../src/briefing/verbs/context.ts";
import orient from "../../src/briefing/verbs/orient.ts";
import surface from "../../src/briefing/verbs/surface.ts";
import { dispatch } from "../../src/catalog/dispatch.ts";
import decisions from "../../src/decisions/verbs/decisions.ts";
import evidence from "../../src/decisions/verbs/evidence.ts";
import log from "../../src/decisions/verbs/log.ts";
import why from "../../src/decisions/verbs/why.ts";
import inspect from "../../src/maintenance/verbs/inspect.ts";
import { erase } from "../../src/memory/forget.ts";
import get from "../../src/memory/verbs/get.ts";
import recall from "../../src/recall/verbs/recall.ts";
import { READER } from "../catalog/reader.ts";
import { decide } from "../decisions/decision-steps.ts";
import { askCode, askDocs, COLONY, corpusWorld } from "../files/corpus-steps.ts";
import { ask, itemIn, keep, testWorld } from "../test-world.ts";

test("what is read by id is a get, what a question finds is a search, what is said again is shown", async () => {
  const world = await corpusWorld({ "guide.md": "# Walrus\n\nIt dives.\n", "colony.ts": COLONY });
  let before = { get: 0, search: 0, shown: 0 };
  const accesses = async (act: () => Promise<unknown>) => {
    await act();
    await world.afterwards.settle();
    const { get: read, search, shown } = (await world.project.report()).accesses;
    const more = [read - before.get, search - before.search, shown - before.shown];
    before = { get: read, search, shown };
    return more;
  };
  const { id } = await keep(world, "The walrus dives at dawn");
  const { id: said } = (await dispatch(log, { text: "We saw the walrus" }, world)).answer;
  assert.deepEqual(await accesses(() => dispatch(get, { id }, world)), [1, 0, 0]);
  assert.deepEqual(await accesses(() => dispatch(evidence, { id: said }, world)), [1, 0, 0]);
  assert.deepEqual(await accesses(() => ask(world, "walrus")), [0, 1, 0]);
  assert.deepEqual(await accesses(() => ask(world, "walrus", { quiet: true })), [0, 0, 0]);
  assert.deepEqual(await accesses(() => dispatch(why, { question: "walrus" }, world)), [0, 1, 0]);
  assert.deepEqual(await accesses(() => askDocs(world, "walrus")), [0, 1, 0]);
  assert.deepEqual(await accesses(() => askCode(world, "walrusDive")), [0, 1, 0]);
  assert.deepEqual(await accesses(() => keep(world, "The walrus dives at dawn")), [0, 0, 1]);
  const { answer } = await dispatch(inspect, {}, world);
  assert.deepEqual(answer.stores.project.accesses, { get: 2, search: 4, shown: 1 });
  assert.match(inspect.render(answer, READER), /read 2 times by id, found 4 times by searches/);
});

const WALRUS = "The walrus dives at dawn";
const ROOF = "The walrus sleeps on the roof of the old harbour";

test("of an answer only the first memory counts as read, and only above the line", async () => {
  const world = await testWorld();
  const ids = [(await keep(world, WALRUS)).id, (await keep(world, ROOF)).id];
  await decide(world, "Otters are counted at noon", { subject: "otters" });
  const counts = async () => {
    await world.afterwards.settle();
    return Promise.all(ids.map(async (id) => (await itemIn(world, id))?.accessCount));
  };
  const { hits } = (await dispatch(recall, { query: WALRUS }, world)).answer;
  assert.deepEqual(hits.slice(0, 2).map(({ id }) => id), ids); // prettier-ignore
  assert.deepEqual(await counts(), [1, 0]);
  const noise = (await dispatch(recall, { query: "roof tax of an entirely different municipality abroad" }, world))
    .answer;
  assert.ok(noise.hits.length > 0 && noise.hits.every(({ relevance }) => relevance < 0.1), "all below the line");
  assert.deepEqual(await counts(), [1, 0]);
  const decided = (await dispatch(recall, { query: "otters are counted at noon, walrus" }, world)).answer.hits;
  assert.deepEqual([decided[0]?.shelf, decided.some(({ id }) => ids.includes(id))], ["decision", true]);
  assert.deepEqual(await counts(), [1, 0], "what stands behind a decision does not stand first");
  await dispatch(get, { id: ids[1]! }, world);
  assert.deepEqual(await counts(), [1, 1]);
});

test("erasing what a question found erases the question, also where that did not stand first", async () => {
  const world = await testWorld();
  const [first, second] = [(await keep(world, WALRUS)).id, (await keep(world, ROOF)).id];
  const { hits } = (await dispatch(recall, { query: WALRUS }, world)).answer;
  assert.deepEqual(hits.map(({ id }) => id), [first, second]); // prettier-ignore
  await world.afterwards.settle();
  const kept = () => world.project.queriesFor([first]);
  assert.deepEqual(await kept(), [WALRUS]);
  await erase(second, 5, world);
  assert.deepEqual(await kept(), []);
});

test("what is surfaced, injected or handed over counts as nothing", async () => {
  const world = await testWorld();
  const { id } = await keep(world, WALRUS);
  const prompt = "when does the walrus dive at dawn?";
  const handed = [
    await contextAtStart({ report: "1", session: "s", source: "startup", isLate: () => false }, world),
    await contextForPrompt(
      { report: "2", session: "t", prompt, transcript: null, mostTokens: 300, isLate: () => false },
      world,
    ),
    JSON.stringify((await dispatch(context, { query: prompt }, world)).answer),
    JSON.stringify((await dispatch(context, {}, world)).answer),
    JSON.stringify((await dispatch(orient, {}, world)).answer),
    JSON.stringify((await dispatch(surface, {}, world)).answer),
  ];
  for (const text of handed) assert.ok(text?.includes(WALRUS), String(text));
  await world.afterwards.settle();
  assert.equal((await itemIn(world, id))?.accessCount, 0);
  assert.deepEqual((await world.project.report()).accesses, { get: 0, search: 0, shown: 0 });
});

test("what a search finds behind a decision that has the subject in its name does not stand first", async () => {
  const world = await testWorld();
  await decide(world, "Otters are counted at noon", { subject: "otter counts" });
  await decide(world, "Otters eat before noon", { subject: "meals" });
  const { hits } = (await dispatch(decisions, { subject: "otter counts at noon", threshold: 0 }, world)).answer;
  await world.afterwards.settle();
  assert.deepEqual([hits.length, hits[0]?.title], [2, "otter counts"]);
  assert.equal((await world.project.report()).accesses.search, 0);
});

test("what is found where the archive is searched too counts once", async () => {
  const world = await testWorld();
  await dispatch(log, { text: `Ann: ${WALRUS}` }, world);
  const { hits } = (await dispatch(why, { question: WALRUS, archived: true }, world)).answer;
  await world.afterwards.settle();
  assert.equal(hits.length, 1);
  assert.equal((await world.project.report()).accesses.search, 1);
});

test("every document that is returned counts, however far below", async () => {
  const world = await corpusWorld({ "dive.md": `# Walrus\n\n${WALRUS}.\n`, "roof.md": `# Walrus\n\n${ROOF}.\n` });
  const { hits } = await askDocs(world, WALRUS);
  await world.afterwards.settle();
  const read = await world.project.items("document", hits.map(({ id }) => id)); // prettier-ignore
  assert.deepEqual([hits.length, read.map(({ accessCount }) => accessCount)], [2, [1, 1]]);
  assert.ok(read.every(({ confidence }) => Math.abs(confidence - 0.8 * 1.03) < 1e-9));
});
