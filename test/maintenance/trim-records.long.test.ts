/** Records are kept for a limited time: the access log, and previous states in the journal. Free space goes back to the disk. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { Failure } from "../../src/errors.ts";
import audit from "../../src/journal/verbs/audit.ts";
import rollback from "../../src/journal/verbs/rollback.ts";
import maintenance from "../../src/maintenance/verbs/maintain.ts";
import { update } from "../../src/memory/update.ts";
import remember from "../../src/memory/verbs/remember.ts";
import updating from "../../src/memory/verbs/update.ts";
import exportItems from "../../src/transfer/verbs/export.ts";
import importItems from "../../src/transfer/verbs/import.ts";
import { READER } from "../catalog/reader.ts";
import { apply, insertion, newItem, removal } from "../store/suite/trial.ts";
import { ask, keep, type TestWorld, testWorld } from "../test-world.ts";

const DAY_MS = 86_400_000;
const upkeep = async (world: TestWorld) => (await dispatch(maintenance, {}, world)).answer;

test("the access log is kept for a year", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The walrus moved to the northern pool");
  for (const query of ["where is the walrus", "which pool"]) {
    await ask(world, query);
    await world.afterwards.settle();
    world.clock.time += 10 * DAY_MS;
  }
  world.clock.time += 346 * DAY_MS;
  assert.equal((await upkeep(world)).accesses.dropped, 0, "not by a time that the clock has not confirmed");
  world.clock.time += DAY_MS;
  assert.equal((await upkeep(world)).accesses.dropped, 1);
  assert.deepEqual(await world.project.queriesFor([id]), ["which pool"]);
  assert.equal((await upkeep(world)).accesses.dropped, 0);
});

test("previous states are kept for a year; what is left verifies, is exported, and says why it cannot be undone", async () => {
  const world = await testWorld();
  const { answer } = await dispatch(remember, { content: "Port 8080" }, world);
  const change = await dispatch(updating, { id: answer.id, title: "The port" }, world);
  world.clock.time += 366 * DAY_MS;
  await update(answer.id, { priority: 9 }, world);
  assert.equal((await upkeep(world)).journal.dropped, 0);
  world.clock.time += DAY_MS;
  const tried = (await dispatch(maintenance, {}, world, { dryRun: true })).answer;
  assert.match(maintenance.renderDryRun!(tried)!, /^Would drop 1 old state from the journal/m);
  assert.equal((await upkeep(world)).journal.dropped, 1);
  assert.equal((await upkeep(world)).journal.dropped, 0);
  const { entries, verification } = (await dispatch(audit, { verify: true }, world)).answer;
  assert.ok(verification!.ok);
  assert.equal(entries[0]!.kind, "drop_payloads");
  assert.match(
    audit.render({ entries, total: entries.length, verification: null }, READER),
    /dropped previous states up to entry 2/,
  );
  assert.equal(entries.find(({ call }) => call === change.answer.call)?.beforeNote, "erased");
  await assert.rejects(
    dispatch(rollback, { call: change.answer.call! }, world),
    (thrown) => thrown instanceof Failure && thrown.code === "conflict",
  );
  const path = `${world.folder}/export.jsonl`;
  await dispatch(exportItems, { path, journal: true }, world);
  const other = await testWorld();
  await dispatch(importItems, { path }, other);
  assert.ok((await dispatch(audit, { verify: true }, other)).answer.verification!.ok);
  const { length, hash } = await world.project.chainHead();
  assert.equal((await other.project.chain(length, 1))[0]?.hash, hash, "its journal goes on there");
});

test("after much was forgotten the file is rewritten, and small gaps are left alone", async () => {
  const world = await testWorld();
  // Long words make bytes without many wordpieces or passages.
  const content = (number: number) => `Number ${number}: ${`${"walruspoolherring".repeat(50)} `.repeat(10)}`;
  const items = Array.from({ length: 120 }, (_, number) => newItem({ content: content(number), type: "progress" }));
  await apply(world.project, ...items.map((item) => insertion("memory", item)));
  const ids = items.map(({ id }) => id);
  // Moves what was written from the log to the file.
  await world.project.compact();
  assert.deepEqual((await upkeep(world)).disk, { rewritten: [], freedBytes: 0 });
  const before = await world.project.size();
  // Removed rather than erased, so that nothing but the free space asks for it.
  await apply(world.project, ...items.map((item) => removal("memory", item)));
  await world.project.apply([{ kind: "purge_items", ids, queries: [] }], world.origin);
  const { disk } = await upkeep(world);
  assert.equal(disk.rewritten.length, 1);
  const after = await world.project.size();
  assert.ok(
    disk.freedBytes > 0 && after.bytes < before.bytes / 2 && after.freeBytes === 0,
    JSON.stringify({ before, after }),
  );
  assert.deepEqual((await upkeep(world)).disk, { rewritten: [], freedBytes: 0 });
});
