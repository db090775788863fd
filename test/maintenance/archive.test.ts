/** Evidence grows old: archived, read, asked, taken back, carried to another store and erased, on real stores. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { dispatch } from "../../src/catalog/dispatch.ts";
import evidence from "../../src/decisions/verbs/evidence.ts";
import log from "../../src/decisions/verbs/log.ts";
import why from "../../src/decisions/verbs/why.ts";
import { recallWithArchive } from "../../src/decisions/why.ts";
import audit from "../../src/journal/verbs/audit.ts";
import rollback from "../../src/journal/verbs/rollback.ts";
import { startIdleWork } from "../../src/maintenance/idle.ts";
import maintain from "../../src/maintenance/verbs/maintain.ts";
import forget from "../../src/memory/verbs/forget.ts";
import exportItems from "../../src/transfer/verbs/export.ts";
import importItems from "../../src/transfer/verbs/import.ts";
import { newItem, newPassages, ORIGIN } from "../store/suite/trial.ts";
import { itemIn, temporaryFolder, type TestWorld, testWorld } from "../test-world.ts";
import { until } from "../until.ts";

const DAY_MS = 86_400_000;
const TALK =
  "Ann: cookies or tokens?\n\nBo: tokens,\r\nthe app has no cookies \n\n\nAnn: and rotation?\nBo: every refresh \n";

const keep = async (world: TestWorld, text: string, more: Record<string, string> = {}) =>
  (await dispatch(log, { text, ...more }, world)).answer;
const read = async (world: TestWorld, id: string) => (await dispatch(evidence, { id }, world)).answer;
const upkeep = async (world: TestWorld) => (await dispatch(maintain, {}, world)).answer;
const find = async (world: TestWorld, question: string, more: Record<string, unknown> = {}) =>
  (await dispatch(why, { question, ...more }, world)).answer;
const idsOf = (answer: { hits: { id: string }[] }) => answer.hits.map(({ id }) => id);

test("evidence is archived so long after it was kept, whenever it was said, and reads the same", async () => {
  const world = await testWorld();
  const { id } = await keep(world, TALK, { session: "review", at: "2020-12-24T10:00:00Z" });
  const before = await read(world, id);
  assert.deepEqual((await upkeep(world)).evidence, { archived: 0, bytesBefore: 0, bytesAfter: 0 });
  world.clock.time += 180 * DAY_MS;
  assert.equal((await upkeep(world)).evidence.archived, 0, "not a moment early");
  world.clock.time += 1;
  const young = await keep(world, "Tokens again, in spring.");
  const { evidence: done, call } = await upkeep(world);
  assert.deepEqual([done.archived, done.bytesBefore], [1, Buffer.byteLength(TALK)]);
  assert.ok(done.bytesAfter > 0 && call !== null);
  assert.deepEqual(await read(world, id), { ...before, status: "archived" });
  assert.deepEqual(await upkeep(world), {
    evidence: { archived: 0, bytesBefore: 0, bytesAfter: 0 },
    working: { expired: 0, traces: [] },
    memories: { archived: 0, pruned: 0, erased: 0 },
    steps: [],
    accesses: { dropped: 0 },
    journal: { dropped: 0 },
    events: { dropped: 0 },
    disk: { rewritten: [], freedBytes: 0 },
    classified: 0,
    linked: 0,
    suggestions: [],
    retired: 0,
    call: null,
  });
  assert.deepEqual(idsOf(await find(world, "tokens or cookies")), [young.id]);
  const again = await keep(world, TALK);
  assert.deepEqual([again.status, again.id], ["duplicate", id]);
});

test("nothing but evidence is archived: a decision holds for ever", async () => {
  const world = await testWorld();
  const item = newItem({ type: "decision", content: "tokens", updatedAt: 0, createdAt: 0 });
  const passages = newPassages(["tokens"]);
  for (const shelf of ["decision", "memory", "proposal", "document"] as const) {
    await world.project.apply([{ kind: "insert_item", shelf, item, passages, embed: false }], ORIGIN);
  }
  world.clock.time += 36_500 * DAY_MS;
  assert.equal((await upkeep(world)).evidence.archived, 0);
  assert.deepEqual(await itemIn(world, item.id, { shelf: "decision" }), item);
});

test("the setting decides; a dry run tells and does nothing; many are done in one call", async () => {
  const world = await testWorld({ evidence: { archiveDays: 1 } });
  for (let number = 0; number < 55; number += 1) await keep(world, `Note ${number}: the build takes long.`);
  world.clock.time += 2 * DAY_MS;
  const tried = await dispatch(maintain, {}, world, { dryRun: true });
  assert.deepEqual([tried.answer.evidence.archived, tried.changes.length], [55, 55]);
  assert.equal((await find(world, "the build", { limit: 50 })).hits.length, 50);
  const { evidence: done, call } = await upkeep(world);
  assert.equal(done.archived, 55);
  assert.equal((await find(world, "the build")).hits.length, 0);
  await dispatch(rollback, { call: call! }, world);
  assert.equal((await find(world, "the build", { limit: 50 })).hits.length, 50);
});

test("rollback brings evidence back exactly, into every index, and can itself be taken back", async () => {
  const world = await testWorld();
  const { id, call: logged } = await keep(world, TALK);
  const item = await itemIn(world, id, { shelf: "evidence" });
  const [whole] = await world.project.whole("evidence", [id]);
  const strip = (passages: readonly object[]) => passages.map((passage) => ({ ...passage, passage: 0 }));
  world.clock.time += 181 * DAY_MS;
  const { call } = await upkeep(world);
  await assert.rejects(dispatch(rollback, { call: logged! }, world), { code: "conflict" });
  const undone = (await dispatch(rollback, { call: call! }, world)).answer;
  assert.deepEqual(await itemIn(world, id, { shelf: "evidence" }), item);
  const [back] = await world.project.whole("evidence", [id]);
  assert.deepEqual(strip(back!.passages), strip(whole!.passages), "wordpieces too");
  assert.deepEqual(idsOf(await find(world, "tokens or cookies")), [id]);
  await dispatch(rollback, { call: undone.call! }, world);
  assert.equal((await read(world, id)).status, "archived");
  await dispatch(rollback, { last: 1 }, world);
  await dispatch(rollback, { call: logged! }, world);
  await assert.rejects(read(world, id), { code: "not_found" });
  const { answer } = await dispatch(audit, { verify: true }, world);
  assert.equal(answer.verification?.ok, true);
});

test("why finds what is archived when asked: the best passage, word for word, who said it and when", async () => {
  const world = await testWorld();
  const { id } = await keep(world, TALK, { session: "review", at: "2025-12-24" });
  const dull = await keep(world, "The canteen has cookies.", { session: "lunch", at: "2025-12-25" });
  world.clock.time += 181 * DAY_MS;
  await upkeep(world);
  const live = await keep(world, "Somebody asked about tokens.", { session: "review" });
  const question = "why tokens when the app has no cookies";
  assert.deepEqual(idsOf(await find(world, question)), [live.id]);
  const answer = await find(world, question, { archived: true });
  assert.deepEqual(new Set(idsOf(answer)), new Set([id, dull.id, live.id]));
  const hit = answer.hits.find((one) => one.id === id)!;
  assert.deepEqual(
    [hit.content, hit.status, hit.session, hit.createdAt, hit.passage?.speaker],
    ["Bo: tokens,\r\nthe app has no cookies", "archived", "review", "2025-12-24T00:00:00.000Z", "Bo"],
  );
  assert.ok(TALK.includes(hit.content) && hit.relevance > 0.2);
  for (const [index, { score }] of answer.hits.entries()) {
    assert.ok(score >= (answer.hits[index + 1]?.score ?? 0) && score <= 1, "the order is told by the scores");
  }
  assert.match(answer.degraded ?? "", /the archive is searched by words alone/);
  assert.deepEqual(idsOf(await find(world, question, { archived: true, limit: 1 })).length, 1);
  assert.deepEqual(idsOf(await find(world, question, { archived: true, session: "lunch" })), [dull.id]);
  assert.deepEqual(idsOf(await find(world, question, { archived: true, until: "2025-12-24" })), [id]);
  assert.deepEqual(idsOf(await find(world, "zebra crossing", { archived: true, threshold: 0.1 })), []);
  await world.afterwards.settle();
  assert.ok((await itemIn(world, id, { shelf: "evidence" }))!.accessCount > 0, "it was read");
});

test("when time is up, or a piece is damaged, the answer says so and gives what was read", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const kept = [];
  for (const text of ["tokens one", "tokens two", "tokens three"]) kept.push((await keep(world, text)).id);
  world.clock.time += 181 * DAY_MS;
  await upkeep(world);
  const request = { query: "tokens", mode: "keyword", limit: 10, threshold: 0, shelves: ["evidence"] } as const;
  const hasty = await recallWithArchive(request, world, 0);
  assert.deepEqual([hasty.hits, hasty.degraded], [[], "time ran out: 3 of 3 archived items were not searched"]);
  const raw = new Sqlite(join(folder, "project.db"));
  raw.exec(`update evidence_archive set packed = zeroblob(9) where seq = 2`);
  raw.close();
  const answer = await recallWithArchive(request, world);
  assert.deepEqual(new Set(idsOf(answer)), new Set([kept[0], kept[2]]));
  assert.equal(answer.degraded, "1 archived item is damaged");
  await assert.rejects(read(world, kept[1]!), { code: "unavailable", message: /is damaged/ });
  await dispatch(forget, { target: kept[1]!, purge: true }, world);
  await assert.rejects(read(world, kept[1]!), { code: "not_found" });
  assert.equal((await recallWithArchive(request, world)).degraded, null);
});

test("an export with archived evidence comes home archived, and goes out again the same", async () => {
  const [folder, other] = [temporaryFolder(), temporaryFolder()];
  const world = await testWorld({ folder });
  const { id } = await keep(world, TALK, { session: "review", at: "2025-12-24" });
  world.clock.time += 181 * DAY_MS;
  await upkeep(world);
  await keep(world, "A later word.");
  const leave = async (from: TestWorld, name: string) => {
    const path = join(folder, name);
    await dispatch(exportItems, { path, journal: true, access: true }, from);
    return { path, text: readFileSync(path, "utf8") };
  };
  const first = await leave(world, "first.jsonl");
  const copy = await testWorld({ folder: other });
  await dispatch(importItems, { path: first.path }, copy);
  assert.deepEqual(await read(copy, id), await read(world, id));
  const chain = await world.project.chain(1, 10);
  assert.deepEqual([(await copy.project.chain(1, 3)).length, chain.length], [3, 3]);
  assert.deepEqual(await copy.project.chain(1, 3), chain, "what the journal knows of its state comes along");
  assert.equal((await read(copy, id)).status, "archived");
  assert.ok(!idsOf(await find(copy, "tokens or cookies, rotation")).includes(id));
  const items = (text: string) => text.split("\n").filter((line) => line.includes('"line":"item"'));
  assert.deepEqual(items((await leave(copy, "second.jsonl")).text), items(first.text));
  const again = (await dispatch(importItems, { path: first.path }, world)).answer;
  assert.deepEqual([again.unchanged, again.conflictCount], [2, 0]);
});

test("a purge of archived evidence leaves none of its words", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const { id } = await keep(world, "Quetzalcoatlus flew over the lab.");
  await keep(world, "Something else.");
  world.clock.time += 181 * DAY_MS;
  await upkeep(world);
  await dispatch(forget, { target: id, purge: true }, world);
  await assert.rejects(read(world, id), { code: "not_found" });
  const raw = new Sqlite(join(folder, "project.db"));
  assert.deepEqual(raw.prepare(`select seq from evidence_archive`).pluck().all(), [2]);
  raw.close();
});

test("two processes at once archive everything once", async () => {
  const folder = temporaryFolder();
  const [one, two] = [await testWorld({ folder }), await testWorld({ folder })];
  for (let number = 0; number < 60; number += 1) await keep(one, `Note ${number}.`);
  one.clock.time += 181 * DAY_MS;
  two.clock.time = one.clock.time;
  const [first, second] = await Promise.all([upkeep(one), upkeep(two)]);
  assert.equal(first.evidence.archived + second.evidence.archived, 60);
  const { records, total } = await one.project.journal({ verb: "maintain" }, { limit: 100, offset: 0 });
  assert.deepEqual([total, new Set(records.map(({ itemId }) => itemId)).size], [60, 60]);
});

test("a long-lived process archives by itself, under a call that can be taken back", async () => {
  const world = await testWorld();
  const { id } = await keep(world, TALK);
  world.clock.time += 181 * DAY_MS;
  const idle = startIdleWork(world, { lookAgainMs: 1_000, longestMs: 1, upkeepMs: 1, expiryMs: 60_000 });
  await until(async () => (await itemIn(world, id, { shelf: "evidence" }))?.status === "archived");
  idle.stop();
  const { records } = await world.project.journal({ verb: "maintain" }, { limit: 1, offset: 0 });
  await dispatch(rollback, { call: records[0]!.call }, world);
  assert.equal((await read(world, id)).status, "active");
});
