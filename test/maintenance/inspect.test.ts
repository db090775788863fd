/** What `inspect` tells of both stores, as data and as text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import log from "../../src/decisions/verbs/log.ts";
import inspect from "../../src/maintenance/verbs/inspect.ts";
import maintain from "../../src/maintenance/verbs/maintain.ts";
import { handleOf } from "../../src/memory/handles.ts";
import observe from "../../src/sessions/verbs/observe.ts";
import pause from "../../src/sessions/verbs/pause.ts";
import resume from "../../src/sessions/verbs/resume.ts";
import { READER } from "../catalog/reader.ts";
import { ask, keep, type TestWorld, testWorld } from "../test-world.ts";

const DAY_MS = 86_400_000;
const look = async (world: TestWorld) => (await dispatch(inspect, {}, world)).answer;

test("an empty memory is told in a few lines", async () => {
  const world = await testWorld();
  const answer = await look(world);
  assert.deepEqual(
    answer.stores.project.ages.map(({ upToDays, count }) => [upToDays, count]),
    [1, 7, 30, 90, 365, null].map((days) => [days, 0]),
  );
  const text = inspect.render(answer, READER);
  assert.match(text, /never maintained/);
  assert.doesNotMatch(text, /#|recalled/);
});

test("memories are told by type, scope, age, tag and use, in both stores", async () => {
  const world = await testWorld();
  await keep(world, "Old and never read", { type: "gotcha", tags: ["deploy"] });
  world.clock.time += 40 * DAY_MS;
  const { id } = await keep(world, "The walrus moved to the northern pool", { tags: ["zoo", "deploy"] });
  await keep(world, "For this hour only", { scope: "working" });
  await keep(world, "The user likes dark themes", { type: "preference", scope: "global" });
  await keep(world, "Use Rust", { type: "decision" });
  for (let time = 0; time < 2; time += 1) {
    await ask(world, "walrus pool", { limit: 1 });
    await world.afterwards.settle();
  }
  await dispatch(maintain, {}, world);
  const answer = await look(world);
  const { project, global } = answer.stores;
  assert.deepEqual(
    project.ages.map(({ count }) => count),
    [2, 0, 0, 1, 0, 0],
  );
  assert.deepEqual(project.tags, [
    { tag: "deploy", count: 2 },
    { tag: "zoo", count: 1 },
  ]);
  const lastAt = new Date(world.clock.time).toISOString();
  const summary = "The walrus moved to the northern pool";
  assert.deepEqual(project.mostRecalled, [{ id, handle: handleOf(id), summary, count: 2, lastAt }]);
  assert.deepEqual([project.neverRecalled, global.neverRecalled], [2, 1]);
  assert.deepEqual([project.maintainedAt, global.maintainedAt], [lastAt, lastAt]);
  const text = inspect.render(answer, READER);
  for (const line of [
    /^Pending {3}\d+ passages to embed, 1 proposal to ratify$/m,
    /^ {2}3 active memories by type$/m,
    /^ {4}fact {4}2 {2}#{30}$/m,
    /^ {4}gotcha {2}1 {2}#{15}$/m,
    /^ {4}working {2}1 {2}#{15}$/m,
    /^ {4}3 months {4}1 {2}#{15}$/m,
    /^ {4}deploy {2}2 {2}#{30}$/m,
    new RegExp(`^ {4}2 {2}${handleOf(id)} {2}${summary}$`, "m"),
    /^ {2}never recalled: 2 of 3$/m,
    /^ {2}last maintained 2026-02-24 00:00$/m,
    /proposal: decision, project, pending/,
  ])
    assert.match(text, line);
});

test("texts of global memories that belong to another project stay there", async () => {
  const world = await testWorld({ routing: { preset: "seed" } });
  await keep(world, "Walruses are handled by the keeper module", { type: "pattern", tags: ["zoo"] });
  await keep(world, "The user likes dark themes", { type: "preference", tags: ["style"] });
  for (const query of ["walruses", "dark themes"]) await ask(world, query);
  await world.afterwards.settle();
  const { place, settings } = await testWorld();
  const elsewhere: TestWorld = { ...world, settings, place: { ...place, spaceId: "elsewhere" } };
  const seen = (await look(elsewhere)).stores.global;
  assert.deepEqual(
    [seen.tags.map(({ tag }) => tag), seen.mostRecalled.map(({ summary }) => summary)],
    [["style"], ["The user likes dark themes"]],
  );
  assert.equal((await look(world)).stores.global.mostRecalled.length, 2);
});

test("a tag or summary cannot break the layout", async () => {
  const world = await testWorld();
  const { id } = await keep(world, `Line ${"one ".repeat(100)}`, { tags: ["x".repeat(100)] });
  await ask(world, "line one");
  await world.afterwards.settle();
  const text = inspect.render(await look(world), READER);
  assert.ok(text.split("\n").every((line) => line.length < 200 + world.folder.length));
  assert.match(text, new RegExp(`1 {2}${handleOf(id)} {2}Line one one.*…$`, "m"));
});

test("what sessions left behind is told, with the growth of evidence", async () => {
  const world = await testWorld();
  assert.match(inspect.render(await look(world), READER), /^Capture\n {2}0 events of sessions; 0 transcripts read$/m);
  await dispatch(log, { text: "Ann: cookies or tokens?" }, world);
  world.clock.time += 40 * DAY_MS;
  await dispatch(log, { text: "Bo: tokens" }, world);
  await dispatch(observe, { event: "error_occurred", content: "ENOENT" }, world);
  const checkpoint = { transcript: "/t", session: "s", extractor: "x", offset: 1, lines: 1, skipped: 0, state: null };
  const saved = { ...checkpoint, isOpen: false, updatedAt: world.clock.time };
  await world.project.apply([{ kind: "save_checkpoint", checkpoint: saved, expectedOffset: null }], world.origin);
  const uses = [[1, "file"], [2, "none"], [3, null], [8, "words"]] as const; // prettier-ignore
  for (const [daysAgo, use] of uses) {
    const handover = { id: `h${daysAgo}`, session: "s", event: "prompt", at: world.clock.time - daysAgo * DAY_MS, text: "told" } as const; // prettier-ignore
    const rest = { tokens: 2, sources: ["earlier"], files: [], use };
    await world.project.apply([{ kind: "note_handover", handover: { ...handover, ...rest } }], world.origin);
  }
  const answer = await look(world);
  const lastEventAt = new Date(world.clock.time).toISOString();
  const evidence = { items: 2, bytes: 33, recent: { items: 1, bytes: 10 }, limitMegabytes: 256 };
  const told = { week: 3, ofUse: 1, notKnown: 1 };
  const reported = { isEnabled: true, spool: { files: 0, bytes: 0, isPaused: false, isReader: false, isFull: false } };
  assert.deepEqual(answer.capture, { ...reported, events: 1, lastEventAt, transcripts: 1, evidence, told });
  const text = inspect.render(answer, READER);
  assert.match(text, /^ {2}1 event of sessions, the last at 2026-02-24 00:00; 1 transcript read$/m);
  assert.match(text, /^ {2}2 evidence items, 0\.0 MB of at most 256 MB$/m);
  assert.match(text, /^ {2}1 evidence item, 0\.0 MB in the last 30 days$/m);
});

test("whether hooks record is told, and how much waits", async () => {
  const world = await testWorld();
  const line = async (seen: TestWorld) => /^Capture .*$/m.exec(inspect.render(await look(seen), READER))?.[0];
  assert.equal(await line(world), "Capture   on, 0 reports to digest");
  assert.deepEqual((await dispatch(pause, {}, world)).answer, { status: "paused" });
  assert.deepEqual((await dispatch(pause, {}, world)).answer, { status: "unchanged" });
  assert.equal(await line(world), "Capture   paused (`stele resume` ends that), 0 reports to digest");
  const off: TestWorld = {
    ...world,
    settings: { ...world.settings, capture: { ...world.settings.capture, enabled: "off" } },
  };
  assert.equal(await line(off), "Capture   off (capture.enabled), 0 reports to digest");
  await dispatch(resume, {}, world, { dryRun: true });
  assert.equal((await look(world)).capture.spool.isPaused, true, "a dry run resumes nothing");
  assert.deepEqual((await dispatch(resume, {}, off)).answer, { status: "resumed", enabled: false, reader: false });
  assert.deepEqual((await dispatch(resume, {}, world)).answer, { status: "unchanged", enabled: true, reader: false });
  assert.deepEqual((await look(world)).capture.spool, {
    files: 0,
    bytes: 0,
    isPaused: false,
    isReader: false,
    isFull: false,
  });
});
