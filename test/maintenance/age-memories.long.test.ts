/** Memories fade: archived, pruned and erased by maintenance, on real stores and a clock that is moved by hand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import link from "../../src/graph/verbs/link.ts";
import audit from "../../src/journal/verbs/audit.ts";
import rollback from "../../src/journal/verbs/rollback.ts";
import { agingOf, mayFade } from "../../src/maintenance/aging.ts";
import { startIdleWork } from "../../src/maintenance/idle.ts";
import { maintain } from "../../src/maintenance/maintain.ts";
import { merge, planMerging } from "../../src/maintenance/merge.ts";
import { summarize } from "../../src/maintenance/summarize.ts";
import maintenance from "../../src/maintenance/verbs/maintain.ts";
import { authorOf, isByHand } from "../../src/memory/authorship.ts";
import { forget } from "../../src/memory/forget.ts";
import { revising } from "../../src/memory/item-changes.ts";
import { getItem } from "../../src/memory/list.ts";
import { update } from "../../src/memory/update.ts";
import { unlikeText } from "../graph/unlike-text.ts";
import { ask, itemIn, keep, temporaryFolder, type TestWorld, testWorld } from "../test-world.ts";
import { until } from "../until.ts";
import { bytesUnder, traceOf } from "./bytes.ts";
import { DAY_MS, infer, isChainSound, stagesOf, statusOf, upkeep } from "./upkeep.ts";

test("what was inferred is archived, pruned and erased in its time, and the journal says so", async () => {
  const world = await testWorld();
  const { id } = await infer(world, "The walrus moved to the northern pool");
  const stages: [number, string | undefined, number[]][] = [
    [66, "active", [0, 0, 0]],
    [1, "archived", [1, 0, 0]],
    [29, "archived", [0, 0, 0]],
    [1, "pruned", [0, 1, 0]],
    [90, "pruned", [0, 0, 0]],
    // Erasing goes by a time that was confirmed a day later.
    [1, undefined, [0, 0, 1]],
  ];
  for (const [days, status, counts] of stages) {
    world.clock.time += days * DAY_MS;
    assert.deepEqual(await stagesOf(world), counts);
    assert.equal(await statusOf(world, id), status);
    assert.deepEqual(await stagesOf(world), [0, 0, 0], "a second run at the same time does nothing");
  }
  const { entries } = (await dispatch(audit, { id }, world)).answer;
  assert.deepEqual(
    entries.map(({ verb, kind }) => `${verb} ${kind}`),
    [
      "maintain purge_items",
      "maintain remove_item",
      "maintain revise_item",
      "maintain revise_item",
      "test insert_item",
    ],
  );
  assert.ok(await isChainSound(world));
  assert.ok(!bytesUnder(world.folder).includes(traceOf("walrus")), "nothing of it is left on disk");
});

test("an archived memory is not recalled, and reading it keeps it from being pruned", async () => {
  const world = await testWorld();
  const { id } = await infer(world, "The walrus moved to the northern pool");
  world.clock.time += 67 * DAY_MS;
  assert.deepEqual(await stagesOf(world), [1, 0, 0]);
  assert.deepEqual((await ask(world, "walrus")).hits, []);
  world.clock.time += 20 * DAY_MS;
  await getItem({ id: id }, world);
  await world.afterwards.settle();
  world.clock.time += 29 * DAY_MS;
  assert.deepEqual(await stagesOf(world), [0, 0, 0]);
  world.clock.time += DAY_MS;
  assert.deepEqual(await stagesOf(world), [0, 1, 0]);
});

test("access restarts the days before archiving", async () => {
  const world = await testWorld();
  const { id } = await infer(world, "The walrus moved to the northern pool");
  world.clock.time += 60 * DAY_MS;
  assert.equal((await ask(world, "where is the walrus")).hits[0]?.id, id);
  await world.afterwards.settle();
  world.clock.time += 13 * DAY_MS;
  assert.deepEqual(await stagesOf(world), [0, 0, 0]);
  world.clock.time += DAY_MS;
  assert.deepEqual(await stagesOf(world), [1, 0, 0]);
});

test("what a person wrote or pinned stays for ever; an agent's word for it does not count", async () => {
  const world = await testWorld();
  const agent: TestWorld = { ...world, origin: { ...world.origin, byAgent: true } };
  const server: TestWorld = { ...world, origin: { ...world.origin, host: "mcp" } };
  const staying = [
    await keep(world, "By hand", { type: "progress" }),
    await keep(world, "By hand too", { type: "progress", source: "manual", scope: "global" }),
    await keep(server, "Pinned", { type: "progress", pinned: true }),
  ];
  const leaving = [
    await keep(agent, "From an agent's shell", { type: "progress" }),
    await keep(agent, "Claimed in an agent's shell", { type: "progress", source: "user_explicit" }),
    await keep(server, "From a server", { type: "progress" }),
    await keep(server, "Claimed through a server", { type: "progress", source: "manual" }),
    await keep(world, "Extracted", { type: "progress", source: "extraction", scope: "global" }),
  ];
  assert.equal((await itemIn(world, leaving[0]!.id))?.source, "ai_inferred");
  world.clock.time += 3_650 * DAY_MS;
  assert.deepEqual(await stagesOf(world), [5, 0, 0]);
  for (const { id, scope } of staying) assert.equal(await statusOf(world, id, scope as "project"), "active");
  for (const { id, scope } of leaving) assert.equal(await statusOf(world, id, scope as "project"), "archived");
});

test("whoever replaces a memory is its author", async () => {
  const world = await testWorld();
  const agent: TestWorld = { ...world, origin: { ...world.origin, byAgent: true } };
  const { id: first } = await keep(agent, "Tests run on Jenkins", { type: "progress" });
  const { id: second } = await update(first, { content: "GitHub runs the checks" }, world);
  const { id: third } = await keep(world, "Deploys need the VPN", { type: "progress" });
  const { id: fourth } = await update(third, { content: "Releases are tagged by Ann" }, agent);
  world.clock.time += 3_650 * DAY_MS;
  assert.deepEqual(await stagesOf(world), [0, 0, 0]);
  assert.deepEqual([await statusOf(world, second), await statusOf(world, fourth)], ["active", "active"]);
  assert.ok(!mayFade(agingOf((await itemIn(world, second))!)));
  assert.ok(mayFade(agingOf((await itemIn(world, fourth))!)), "it stays only because of what it replaced");
});

test("what a person repeats or rewords in place is theirs from then on", async () => {
  const world = await testWorld();
  const agent: TestWorld = { ...world, origin: { ...world.origin, byAgent: true } };
  const { id: repeated } = await keep(agent, "Tests run on Jenkins", { type: "progress" });
  const { id: reworded } = await keep(agent, "Deploys need the corporate VPN", { type: "progress" });
  const { id: tagged } = await keep(agent, "Releases are tagged by Ann", { type: "progress" });
  assert.equal((await keep(agent, "Tests run on Jenkins")).isOnRecord, false, "an agent may repeat itself");
  assert.deepEqual(await keep(world, "Tests run on Jenkins").then(({ status, id }) => [status, id]), [
    "duplicate",
    repeated,
  ]);
  assert.equal((await update(reworded, { content: "Deploys need the corporate VPN." }, world)).status, "revised");
  await update(tagged, { tags: ["release"] }, world);
  const { source, details } = (await itemIn(world, repeated))!;
  assert.deepEqual([source, "byAgent" in details], ["user_explicit", false]);
  world.clock.time += 360 * DAY_MS;
  assert.deepEqual(await stagesOf(world), [1, 0, 0]);
  assert.equal(await statusOf(world, tagged), "archived");
});

test("a memory fades with what it replaced, unless a person wrote a part of that", async () => {
  const world = await testWorld();
  const { id: first } = await infer(world, "Tests run on Jenkins");
  const { id: second } = await infer(world, "GitHub runs the checks", { supersedes: first });
  const { id: own } = await keep(world, "Deploys need the VPN");
  const { id: agents } = await infer(world, "Releases are tagged by Ann", { supersedes: own });
  for (const days of [67, 30, 90, 1]) {
    world.clock.time += days * DAY_MS;
    await upkeep(world);
  }
  assert.deepEqual(await world.project.items("memory", [first, second]), []);
  assert.deepEqual([await statusOf(world, own), await statusOf(world, agents)], ["superseded", "active"]);
  assert.deepEqual(
    (await ask(world, "who tags releases")).hits.map(({ id }) => id),
    [agents],
    "recall leads to the person's text",
  );
  assert.ok(await isChainSound(world));
});

test("a file is not rewritten for a memory that cannot be erased", async () => {
  const world = await testWorld();
  const { id: own } = await keep(world, "Deploys need the VPN");
  const { id: pruned } = await infer(world, "Releases are tagged by Ann");
  for (const days of [67, 30]) {
    world.clock.time += days * DAY_MS;
    await upkeep(world);
  }
  const old = (await itemIn(world, own))!;
  await world.project.apply([revising("memory", old, { status: "superseded", supersededBy: pruned })], world.origin);
  world.clock.time += 90 * DAY_MS;
  await upkeep(world);
  world.clock.time += DAY_MS;
  const { memories, disk } = await upkeep(world);
  assert.deepEqual([memories.erased, disk.rewritten], [0, []]);
  assert.deepEqual([await statusOf(world, own), await statusOf(world, pruned)], ["superseded", "pruned"]);
});

test("a dry run links as many memories as the real run, however many wait", async () => {
  const world = await testWorld();
  for (let count = 0; count < 105; count += 1) await infer(world, `walrus pool ${unlikeText(count)}`);
  world.clock.time += 67 * DAY_MS;
  const { linked, memories } = (await dispatch(maintenance, {}, world, { dryRun: true })).answer;
  const real = await upkeep(world);
  assert.deepEqual([linked, memories], [real.linked, real.memories]);
  assert.deepEqual([linked, memories.archived], [105, 105]);
});

test("a merger that a person agreed to stays, through whichever host and whoever wrote the two", async () => {
  for (const how of ["mcp", "cli"]) {
    const world = await testWorld();
    const agent: TestWorld = { ...world, origin: { ...world.origin, byAgent: true } };
    const by: TestWorld = { ...world, origin: { ...world.origin, host: how } };
    const mergers: string[] = [];
    for (const [who, writers] of Object.entries({ Ann: [world, agent], Ben: [agent, world], Cleo: [agent, agent] })) {
      const { id: first } = await keep(writers[0]!, `${who} needs the VPN`, { type: "progress" });
      world.clock.time += 1_000;
      const { id: second } = await keep(writers[1]!, `${who} needs the VPN and two keys`, { type: "progress" });
      world.clock.time += 1_000;
      const { fingerprint } = await planMerging({ first, second }, by);
      const { item } = await merge({ first, second }, { values: { merge: true }, about: fingerprint }, by);
      mergers.push(item.id);
    }
    world.clock.time += 3_650 * DAY_MS;
    assert.deepEqual(await stagesOf(world), [0, 0, 0]);
    for (const id of mergers) assert.ok(isByHand(authorOf((await itemIn(world, id))!)));
    const { id: reworded } = await update(mergers[0]!, { content: "Nobody deploys on Fridays" }, agent);
    assert.ok(!isByHand(authorOf((await itemIn(world, reworded))!)), "nobody agreed to what an agent made of it");
  }
});

test("a summary that a person made of their own memories does not fade", async () => {
  const world = await testWorld();
  const texts = ["Migrated the walrus database to Postgres sixteen", "The backup of the seal enclosure fails at night"];
  for (const text of texts) await keep(world, text, { type: "progress" });
  world.clock.time += DAY_MS;
  const { summary } = await summarize({ session: "session", olderThanMinutes: 10 }, world);
  world.clock.time += 3_650 * DAY_MS;
  assert.deepEqual(await stagesOf(world), [0, 0, 0]);
  assert.equal(await statusOf(world, summary!.id), "active");
});

test("a memory that was forgotten after it was replaced is erased once, whichever of the two is read first", async () => {
  for (const isForgottenFirst of [true, false]) {
    const world = await testWorld();
    const { id: first } = await infer(world, "Tests run on Jenkins");
    const { id: second } = await infer(world, "GitHub runs the checks", { supersedes: first });
    for (const id of isForgottenFirst ? [first, second] : [second, first]) await forget(id, 5, world);
    for (const days of [30, 90, 1]) {
      world.clock.time += days * DAY_MS;
      await upkeep(world);
    }
    assert.deepEqual(await world.project.items("memory", [first, second]), []);
    assert.ok(await isChainSound(world));
  }
});

test("a batch that cannot be written does not hold up the rest of the run, which says so in the end", async () => {
  const world = await testWorld();
  const { id: erased } = await infer(world, "Tests run on Jenkins");
  await forget(erased, 5, world);
  world.clock.time += 30 * DAY_MS;
  await upkeep(world);
  world.clock.time += 38 * DAY_MS;
  const { id: archived } = await infer(world, "The user likes dark themes", { scope: "global" });
  world.clock.time += 52 * DAY_MS;
  await upkeep(world);
  assert.equal(await statusOf(world, archived, "global"), "active");
  world.clock.time += DAY_MS;
  const project: TestWorld["project"] = {
    ...world.project,
    async apply(changes, ...rest) {
      if (changes.some(({ kind }) => kind === "remove_item")) return { status: "conflict", reason: "in use" } as never;
      return world.project.apply(changes, ...rest);
    },
  };
  await assert.rejects(maintain({ ...world, project }), /in use/);
  assert.deepEqual([await statusOf(world, erased), await statusOf(world, archived, "global")], ["pruned", "archived"]);
  await upkeep(world);
  assert.equal(await statusOf(world, erased), undefined);
});

test("a dry run lists what would change and why, and changes nothing", async () => {
  const world = await testWorld();
  const { id } = await infer(world, "The walrus moved to the northern pool");
  world.clock.time += 67 * DAY_MS;
  const { answer } = await dispatch(maintenance, {}, world, { dryRun: true });
  assert.deepEqual(answer.memories, { archived: 1, pruned: 0, erased: 0 });
  assert.equal(await statusOf(world, id), "active");
  assert.equal(
    maintenance.renderDryRun!(answer),
    `Would link 1 memory.\nWould archive 1 faded memory, which recall no longer shows.\n` +
      `  ${id.slice(-8)}  active → archived: confidence 0.21 has been below 0.3 for 14 days without access\n` +
      `      The walrus moved to the northern pool`,
  );
  assert.equal((await world.project.statistics(0)).maintainedAt, null);
  const { memories } = await upkeep(world);
  assert.deepEqual(memories, answer.memories, "the real run does what was announced");
  assert.equal((await world.project.statistics(0)).maintainedAt, world.clock.time);
});

test("rollback undoes what was archived and pruned, whatever was erased in the same run", async () => {
  const world = await testWorld();
  const { id: old } = await infer(world, "Erased in the end");
  for (const days of [67, 30]) {
    world.clock.time += days * DAY_MS;
    await upkeep(world);
  }
  world.clock.time += 90 * DAY_MS;
  await upkeep(world);
  const { id: archived } = await infer(world, "Archived in the same run", { type: "progress" });
  world.clock.time += 27 * DAY_MS;
  const { call, memories } = await upkeep(world);
  assert.deepEqual(memories, { archived: 1, pruned: 0, erased: 1 });
  await dispatch(rollback, { call: call! }, world);
  assert.deepEqual([await statusOf(world, archived), await statusOf(world, old)], ["active", undefined]);
  assert.ok(await isChainSound(world));
});

test("a global memory is archived only when it is both irrelevant and doubtful", async () => {
  const world = await testWorld();
  const { id } = await infer(world, "The user likes dark themes", { scope: "global" });
  world.clock.time += 52 * DAY_MS;
  assert.deepEqual(await stagesOf(world), [0, 0, 0]);
  world.clock.time += DAY_MS;
  assert.deepEqual(await stagesOf(world), [1, 0, 0]);
  assert.equal(await statusOf(world, id, "global"), "archived");
});

test("the settings decide", async () => {
  const world = await testWorld();
  const decay = { ...world.settings.decay, otherDays: 1, archiveAfterDays: 1, pruneAfterDays: 1, eraseAfterDays: 1 };
  const hasty: TestWorld = { ...world, settings: { ...world.settings, decay } };
  const never: TestWorld = {
    ...world,
    settings: { ...world.settings, decay: { ...decay, archiveBelow: 0 } },
  };
  await infer(world, "The walrus moved to the northern pool");
  world.clock.time += 3 * DAY_MS;
  assert.deepEqual(await stagesOf(never), [0, 0, 0]);
  assert.deepEqual(await stagesOf(hasty), [1, 0, 0]);
  for (const counts of [
    [0, 1, 0],
    [0, 0, 0],
    [0, 0, 1],
  ]) {
    world.clock.time += DAY_MS;
    assert.deepEqual(await stagesOf(hasty), counts);
  }
});

test("two processes never do it at the same time, and together they do it once", async () => {
  const folder = temporaryFolder();
  const worlds = [await testWorld({ folder }), await testWorld({ folder })] as const;
  for (let number = 0; number < 120; number += 1) await infer(worlds[0], unlikeText(number), { type: "progress" });
  for (const world of worlds) world.clock.time += 400 * DAY_MS;
  const both = await Promise.all(worlds.map((world) => maintain(world)));
  assert.equal(
    both.reduce((sum, done) => sum + (done?.memories.archived ?? 0), 0),
    120,
  );
  assert.equal(both.filter((done) => done === null).length, 1);
});

test("a hub stays while others lead to it", async () => {
  const world = await testWorld();
  const { id: hub } = await infer(world, unlikeText(0));
  const others = await Promise.all([1, 2, 3].map((number) => infer(world, unlikeText(number))));
  for (const { id } of others) await dispatch(link, { source: id, target: hub, relation: "refines" }, world);
  world.clock.time += 67 * DAY_MS;
  assert.deepEqual(await stagesOf(world), [3, 0, 0]);
  assert.equal(await statusOf(world, hub), "active");
});

test("an idle server does it too, as a call of its own", async () => {
  const world = await testWorld();
  const { id } = await infer(world, "The walrus moved to the northern pool");
  world.clock.time += 67 * DAY_MS;
  const idle = startIdleWork(world, { lookAgainMs: 5, longestMs: 5, upkeepMs: 5, expiryMs: 5 });
  await until(async () => (await statusOf(world, id)) === "archived");
  idle.stop();
  const [entry] = (await dispatch(audit, { id }, world)).answer.entries;
  assert.equal(entry?.verb, "maintain");
  await dispatch(rollback, { call: entry.call! }, world);
  assert.equal(await statusOf(world, id), "active");
});

test("it stops between batches when it is told to, and goes on the next time", async () => {
  const world = await testWorld();
  for (let number = 0; number < 120; number += 1) await infer(world, unlikeText(number), { type: "progress" });
  world.clock.time += 400 * DAY_MS;
  let isBegun = false;
  const project: TestWorld["project"] = {
    ...world.project,
    apply(changes, ...rest) {
      isBegun ||= changes.some(({ kind }) => kind === "revise_item");
      return world.project.apply(changes, ...rest);
    },
  };
  const first = await maintain({ ...world, project }, { isStopped: () => isBegun });
  assert.ok(first!.memories.archived > 0 && first!.memories.archived < 120, String(first!.memories.archived));
  assert.equal((await world.project.statistics(0)).maintainedAt, null, "an interrupted run does not count");
  const second = await maintain(world);
  assert.equal(first!.memories.archived + second!.memories.archived, 120);
  assert.equal(second!.steps.length + first!.steps.length <= 120, true);
});
