/** Logging, reading and finding what was said, through the verbs, on real stores. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { readerOf } from "../../src/catalog/operation.ts";
import evidence from "../../src/decisions/verbs/evidence.ts";
import log from "../../src/decisions/verbs/log.ts";
import why from "../../src/decisions/verbs/why.ts";
import rollback from "../../src/journal/verbs/rollback.ts";
import { CLEAR } from "../../src/recall/ranking.ts";
import { keep, type TestWorld, testWorld } from "../test-world.ts";

const TALK =
  "Ann: cookies or tokens?\n\nBo: tokens,\nthe app has no cookies\n\n\nAnn: and rotation?\nBo: every refresh \n";

const keepText = async (world: TestWorld, text: string, more: Record<string, string> = {}) =>
  (await dispatch(log, { text, ...more }, world)).answer;
const read = async (world: TestWorld, id: string) => (await dispatch(evidence, { id }, world)).answer;
const find = async (world: TestWorld, question: string, more: Record<string, unknown> = {}) =>
  (await dispatch(why, { question, ...more }, world)).answer.hits;

test("a conversation is kept as it was written, blank lines and all, and read with its turns", async () => {
  const world = await testWorld();
  const { status, id, redactions } = await keepText(world, TALK, { session: "review", at: "2025-12-24T10:00:00Z" });
  assert.deepEqual([status, redactions], ["stored", []]);
  const answer = await read(world, id);
  assert.deepEqual(
    [answer.text, answer.session, answer.createdAt, answer.status],
    [TALK, "review", "2025-12-24T10:00:00.000Z", "active"],
  );
  assert.deepEqual(
    answer.passages.map(({ speaker, text, startLine, endLine }) => [speaker, text, startLine, endLine]),
    [
      ["Ann", "Ann: cookies or tokens?", 1, 1],
      ["Bo", "Bo: tokens,\nthe app has no cookies", 3, 4],
      ["Ann", "Ann: and rotation?", 7, 7],
      ["Bo", "Bo: every refresh", 8, 8],
    ],
  );
  const lines = answer.text.split("\n");
  for (const { text, startLine, endLine } of answer.passages) {
    assert.equal(
      lines
        .slice(startLine! - 1, endLine!)
        .join("\n")
        .trim(),
      text,
    );
  }
});

test("plain text is one turn of nobody; a duplicate has nothing to take back; a log is taken back whole", async () => {
  const world = await testWorld();
  const first = await keepText(world, "We measured both.\nTokens won.");
  assert.deepEqual(
    (await read(world, first.id)).passages.map(({ speaker, role }) => [speaker, role]),
    [[null, null]],
  );
  const again = await keepText(world, "We measured both.\nTokens won.");
  assert.deepEqual([again.status, again.id, again.call], ["duplicate", first.id, null]);
  await dispatch(rollback, { call: first.call! }, world);
  await assert.rejects(read(world, first.id), { code: "not_found" });
});

test("an opening that nobody filled leaves the text as it is", async () => {
  const world = await testWorld();
  const text = "Ann: yes\nBo: \n\nAnn: no\nBo: \n\nBo: hm\nAnn: so";
  assert.equal((await read(world, (await keepText(world, text)).id)).text, text);
});

test("why shows the best passage of each item, word for word, with session and time", async () => {
  const world = await testWorld();
  const { id } = await keepText(world, TALK, { session: "review", at: "2025-12-24" });
  const other = await keepText(world, "The cookies of the canteen are stale.", { session: "lunch", at: "2026-01-02" });
  const hits = await find(world, "why does the app use tokens, not cookies");
  assert.deepEqual(
    hits.map((hit) => hit.id),
    [id, other.id],
  );
  const [best] = hits;
  assert.deepEqual(
    [best?.content, best?.session, best?.createdAt, best?.passage?.speaker, best?.shelf],
    ["Bo: tokens,\nthe app has no cookies", "review", "2025-12-24T00:00:00.000Z", "Bo", "evidence"],
  );
  const ids = async (more: Record<string, unknown>) => (await find(world, "cookies", more)).map((hit) => hit.id);
  assert.deepEqual(await ids({ session: "lunch" }), [other.id]);
  assert.deepEqual(await ids({ until: "2025-12-31" }), [id]);
  assert.deepEqual(await ids({ since: "2026-01-01" }), [other.id]);
});

test("what nobody said is asked of memories and decisions, as a second question with its own list", async () => {
  const world = await testWorld();
  const { id: proposed } = await keep(world, "tokens rotate on every refresh", { type: "decision" });
  await keep(world, "the walrus sleeps");
  const { answer } = await dispatch(why, { question: "why do tokens rotate on refresh" }, world);
  assert.deepEqual([answer.hits, answer.remembered?.map(({ id }) => id)], [[], [proposed]]);
  const lines = why.render(answer, readerOf({ question: "" }, world)).split("\n");
  assert.deepEqual(lines.slice(0, 2), [
    "Nothing was said about that.",
    "Memories and decisions, asked as a second question:",
  ]);
  assert.match(lines[2]!, /tokens rotate on every refresh/);
  const { answer: nothing } = await dispatch(why, { question: "gigabit switches" }, world);
  assert.deepEqual(nothing.remembered, []);
  assert.match(
    why.render(nothing, readerOf({ question: "" }, world)),
    /^Nothing was said about that\.\nNothing is remembered about it either\.$/,
  );
});

test("where nothing that was said clearly answers, at most three turns are told, as guesses", async () => {
  const world = await testWorld();
  for (const day of [1, 2, 3, 4, 5])
    await keepText(world, `On day ${day} the app was moved to another server, and the tokens stayed`);
  const { answer } = await dispatch(why, { question: "why was the kangaroo given to the app" }, world);
  assert.equal(answer.hits.length, 5);
  assert.ok(answer.hits.every(({ relevance }) => relevance < CLEAR));
  const reader = readerOf({ question: "" }, world);
  for (const text of [why.render(answer, reader), why.renderForAgent!(answer, reader)]) {
    assert.match(text, /^Nothing clearly answers that; guesses:\n/);
    assert.equal(text.match(/was moved to another server/g)?.length, 3);
  }
});

test("where somebody said it, no second question is asked", async () => {
  const world = await testWorld();
  await keep(world, "tokens rotate on every refresh");
  await keepText(world, TALK);
  const { answer } = await dispatch(why, { question: "why does the app use tokens, not cookies" }, world);
  assert.deepEqual([answer.hits.length, answer.remembered], [1, undefined]);
});

test("why reads the shelf of evidence and no other", async () => {
  const world = await testWorld();
  await keep(world, "tokens rotate on every refresh", { type: "decision" });
  await keep(world, "tokens rotate on every refresh, says the wiki");
  assert.deepEqual(await find(world, "why do tokens rotate on refresh"), []);
});
