/** A session folded into a summary, on real stores: what is found, what stays, and how it is undone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { rollback } from "../../src/journal/rollback.ts";
import { summarize } from "../../src/maintenance/summarize.ts";
import type { Item } from "../../src/memory/item.ts";
import { renderHits, tellAll } from "../../src/recall/show-hits.ts";
import { UTC } from "../../src/time/calendar.ts";
import type { World } from "../../src/world.ts";
import { ask, itemIn, keep, type TestWorld, testWorld } from "../test-world.ts";
import { operations } from "../whole-catalog.ts";

const HOUR_MS = 3_600_000;
const during = (world: TestWorld, call: string): World => ({ ...world, origin: { ...world.origin, call, verb: "summarize" } }); // prettier-ignore
const fold = (world: World, session = "session") => summarize({ session, olderThanMinutes: 30 }, world);

/** Half an hour and more ago, and all still there. */
async function worked(world: TestWorld): Promise<string[]> {
  const scratch = { scope: "working", ttlSeconds: 86_400 } as const;
  const ids = [
    (await keep(world, "The parser fails on tabs in lexer.ts.", { ...scratch, tags: ["parser"] })).id,
    (await keep(world, "Traced the tabs to readIndent.", { ...scratch, type: "thought" })).id,
    (await keep(world, "Fixed tabs: the parser now counts columns. 12 tests pass.", { type: "progress", priority: 7 })).id, // prettier-ignore
  ];
  world.clock.time += HOUR_MS;
  return ids;
}
const stateOf = async (world: World, id: string) => {
  const item = await itemIn(world, id);
  return [item?.scope, item?.status, item?.supersededBy, item?.expiresAt];
};

test("a summary is found instead of its sources, which are its history", async () => {
  const world = await testWorld();
  const lasting = (await keep(world, "Parsers live in src/parse", { type: "architecture" })).id;
  const ids = await worked(world);
  const recent = (await keep(world, "Looking at the formatter", { scope: "working" })).id;
  const { summary, sources, left } = await fold(during(world, "fold"));
  assert.deepEqual([sources.map(({ id }) => id), left], [ids, 0]);
  assert.deepEqual([summary?.type, summary?.scope, summary?.session, summary?.priority], ["summary", "project", "session", 7]); // prettier-ignore
  assert.deepEqual(await itemIn(world, summary!.id), summary);
  for (const id of ids) assert.deepEqual(await stateOf(world, id), ["project", "superseded", summary!.id, null]);
  for (const id of [lasting, recent]) assert.equal((await itemIn(world, id))?.status, "active");
  const { hits } = await ask(world, "parser tabs");
  assert.equal(hits[0]?.id, summary!.id);
  assert.ok(!hits.some(({ id }) => ids.includes(id)));
  assert.deepEqual(new Set(hits[0].history.map(({ id }) => id)), new Set(ids));
  assert.ok(hits[0].history.every(({ folded }) => folded));
  assert.match(renderHits({ ...tellAll(hits), beside: [] }, null, "", UTC), /\n  folded: .*tabs/);
  const edges = await world.project.edgesOf("memory", [summary!.id], { limit: 10 });
  assert.deepEqual(edges.map(({ relation, target }) => `${relation} ${target}`).toSorted(), ids.map((id) => `derived_from ${id}`).toSorted()); // prettier-ignore
});

test("only a person folds what a person wrote", async () => {
  const world = await testWorld();
  const server: TestWorld = { ...world, origin: { ...world.origin, host: "mcp" } };
  const agent: TestWorld = { ...world, origin: { ...world.origin, byAgent: true } };
  const own = await worked(world);
  for (const by of [server, agent]) {
    const { sources, reason } = await fold(by);
    assert.deepEqual(sources, []);
    assert.equal(reason, "3 of its memories were written by a person, and only a person folds those");
  }
  const theirs = [
    (await keep(server, "Renamed the lexer's states", { type: "progress" })).id,
    (await keep(agent, "The formatter drops comments", { type: "progress" })).id,
  ];
  world.clock.time += HOUR_MS;
  assert.deepEqual((await fold(server)).sources.map(({ id }) => id), theirs); // prettier-ignore
  assert.deepEqual((await fold(world)).sources.map(({ id }) => id), own); // prettier-ignore
});

test("nothing to fold is no error, and nothing is written", async () => {
  const world = await testWorld();
  const nothing = { summary: null, sources: [], omitted: 0, left: 0, sessions: [] };
  const none = "it has no memories";
  assert.deepEqual(await fold(world), { ...nothing, reason: none });
  await keep(world, "Only one thing", { scope: "working", ttlSeconds: 86_400 });
  world.clock.time += HOUR_MS;
  const head = await world.project.chainHead();
  const one = "it has only one such memory, which a summary would repeat";
  assert.deepEqual(await fold(world), { ...nothing, reason: one });
  await worked(world);
  const sessions = [{ session: "session", old: 4, newer: 0 }];
  assert.deepEqual(await fold(world, "another"), { ...nothing, sessions, reason: none }, "of another session");
  assert.equal((await fold(world)).sources.length, 4);
  const folded = "it has no working or progress memories";
  assert.deepEqual(await fold(world), { ...nothing, reason: folded }, "twice");
  assert.notDeepEqual(await world.project.chainHead(), head);
});

test("a rollback brings every source back as it was, working ones with their expiry", async () => {
  const world = await testWorld();
  const ids = await worked(world);
  const before = await world.project.items("memory", ids);
  const { summary } = await fold(during(world, "fold"));
  world.clock.time += 1_000;
  const undone = await rollback({ call: "fold" }, during(world, "undo"));
  assert.deepEqual([undone.items.length, undone.edges], [4, 3]);
  assert.equal(await itemIn(world, summary!.id), undefined);
  const byId = (items: readonly Item[]) => items.toSorted((one, two) => (one.id < two.id ? -1 : 1));
  assert.deepEqual(byId(await world.project.items("memory", ids)), byId(before));
});

test("what is pinned stays, and what somebody already remembered in these words takes the place of a summary", async () => {
  const world = await testWorld();
  const scratch = { scope: "working", ttlSeconds: 86_400 } as const;
  const pinned = (await keep(world, "Never fold this", { ...scratch, pinned: true })).id;
  const [one, two] = [
    await keep(world, "Ann has the keys.", scratch),
    await keep(world, "The build is green.", scratch),
  ];
  const known = await keep(world, "Ann has the keys.\nThe build is green.");
  world.clock.time += HOUR_MS;
  const { summary } = await fold(world);
  assert.equal(summary?.id, known.id);
  assert.equal((await itemIn(world, pinned))?.status, "active");
  for (const { id } of [one, two]) assert.equal((await itemIn(world, id))?.supersededBy, known.id);
});

test("a dry run tells what would be folded, and folds nothing", async () => {
  const world = await testWorld();
  const ids = await worked(world);
  const { answer, changes } = await dispatch(operations.summarize, {}, world, { dryRun: true });
  assert.deepEqual([answer.status, answer.sources.map(({ id }) => id), answer.call], ["folded", ids, null]);
  assert.equal(changes.filter(({ kind }) => kind === "insert_item").length, 1);
  for (const id of ids) assert.equal((await itemIn(world, id))?.status, "active");
  assert.match(
    operations.summarize.renderDryRun!(answer)!,
    /^Would fold 3 memories of session session into:\n  .*tabs/,
  );
  assert.match(operations.summarize.render(answer), /^Folded 3 memories of session session into \S+:\n  .*tabs/);
  const { answer: other } = await dispatch(operations.summarize, { session: "nobody's" }, world);
  assert.deepEqual([other.status, other.call], ["nothing", null]);
  assert.equal(
    operations.summarize.render(other),
    "Nothing to fold in session nobody's: it has no memories.\nOther sessions, to be named with `--session`:\n  session  3 memories",
  );
});

test("a long session is folded in parts", async () => {
  const world = await testWorld();
  for (let index = 0; index < 203; index++) await keep(world, `Step ${index} is done`, { type: "progress" });
  world.clock.time += HOUR_MS;
  const first = await fold(world);
  assert.deepEqual([first.sources.length, first.left], [200, 3]);
  const second = await fold(world);
  assert.deepEqual([second.sources.length, second.left], [3, 0]);
});

test("memories that are too new are counted, with the way to fold them", async () => {
  const world = await testWorld();
  for (const text of ["Ann has the keys.", "The build is green."]) await keep(world, text, { scope: "working" });
  const { answer } = await dispatch(operations.summarize, {}, world);
  assert.deepEqual(answer.sessions, [{ session: "session", old: 0, newer: 2 }]);
  assert.equal(
    operations.summarize.render(answer),
    "Nothing to fold in session session: 2 memories too new.\n`--older-than-minutes 0` folds new ones too.",
  );
  world.clock.time += 1;
  const folded = (await dispatch(operations.summarize, { olderThanMinutes: 0 }, world)).answer;
  assert.equal(folded.status, "folded");
});

test("a summary of what would have expired does not expire: it fades, and is erased with all it replaced", async () => {
  const world = await testWorld();
  const ids: string[] = [];
  for (const text of ["Step one is done", "Step two is done"])
    ids.push((await keep(world, text, { scope: "working", ttlSeconds: 2 * 3_600, source: "ai_inferred" })).id);
  world.clock.time += HOUR_MS;
  const { id } = (await dispatch(operations.summarize, {}, world)).answer;
  const statuses = [];
  for (const days of [60, 20, 31, 91, 2, 2]) {
    world.clock.time += days * 24 * HOUR_MS;
    await dispatch(operations.maintain, {}, world);
    statuses.push((await itemIn(world, id!))?.status);
    if (days === 60) assert.equal((await ask(world, "Which step is done?")).hits[0]?.id, id, "still found");
  }
  assert.deepEqual(statuses.slice(0, 3), ["active", "archived", "pruned"]);
  assert.equal(statuses.at(-1), undefined);
  for (const source of ids) assert.equal(await itemIn(world, source), undefined);
});
