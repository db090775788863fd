/** Backups by themselves: once a day, if something changed, by one process, within limits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { backUpDaily } from "../../src/maintenance/back-up.ts";
import { startIdleWork } from "../../src/maintenance/idle.ts";
import backupVerb from "../../src/maintenance/verbs/backup.ts";
import restoreVerb from "../../src/maintenance/verbs/restore.ts";
import { DAY_MS } from "../../src/time/calendar.ts";
import { READER } from "../catalog/reader.ts";
import { keep, temporaryFolder, type TestWorld, testWorld } from "../test-world.ts";
import { until } from "../until.ts";

const kinds = async (world: TestWorld) => (await world.backups.list()).map(({ reason }) => reason);

test("a backup is due once a day, and only if something was written", async () => {
  const world = await testWorld();
  assert.equal(await backUpDaily(world), null, "there is nothing to keep yet");
  await keep(world, "Tests run with pnpm");
  const first = await backUpDaily(world);
  assert.notEqual(first, null);
  await keep(world, "Deploys need the VPN");
  world.clock.time += DAY_MS - 1_000;
  assert.equal(await backUpDaily(world), null, "the day is not over");
  world.clock.time += 2_000;
  assert.notEqual(await backUpDaily(world), null);
  world.clock.time += 5 * DAY_MS;
  assert.equal(await backUpDaily(world), null, "nothing has changed since");
  await keep(world, "I prefer tabs", { scope: "global" });
  assert.notEqual(await backUpDaily(world), null, "the global store counts");
  assert.deepEqual(await kinds(world), ["daily", "daily", "daily"]);
  const { answer } = await dispatch(restoreVerb, {}, world);
  assert.match(restoreVerb.render(answer, READER), /made by itself/);
});

test("one that was asked for counts, and neither kind displaces the other", async () => {
  const world = await testWorld();
  await keep(world, "Tests run with pnpm");
  await dispatch(backupVerb, {}, world);
  world.clock.time += 1_000;
  await keep(world, "Deploys need the VPN");
  assert.equal(await backUpDaily(world), null);
  for (let day = 1; day <= 7; day += 1) {
    world.clock.time += DAY_MS + 1_000;
    await keep(world, `On day ${day} it rained`);
    await backUpDaily(world);
  }
  assert.deepEqual(await kinds(world), [...Array<string>(5).fill("daily"), "asked"]);
});

test("none is made if the settings say so, or if it alone were too large", async () => {
  const world = await testWorld();
  await keep(world, "Tests run with pnpm");
  const set = (backup: object): TestWorld => ({
    ...world,
    settings: { ...world.settings, backup: { ...world.settings.backup, ...backup } },
  });
  assert.equal(await backUpDaily(set({ daily: "off" })), null);
  assert.equal(await backUpDaily(set({ megabytes: 0.1 })), null);
  assert.deepEqual(await kinds(world), []);
});

test("a backup that a clock far ahead dated neither stands for the next ones nor makes them more frequent", async () => {
  const world = await testWorld();
  world.clock.time += 400 * DAY_MS;
  await keep(world, "Tests run with pnpm");
  assert.notEqual(await backUpDaily(world), null);
  world.clock.time -= 400 * DAY_MS;
  await keep(world, "Deploys need the VPN");
  assert.notEqual(await backUpDaily(world), null);
  world.clock.time += 3_600_000;
  await keep(world, "Releases are on Tuesdays");
  assert.equal(await backUpDaily(world), null, "the day is not over");
});

test("of several servers one makes it", async () => {
  const folder = temporaryFolder();
  const worlds = [await testWorld({ folder }), await testWorld({ folder }), await testWorld({ folder })];
  await keep(worlds[0]!, "Tests run with pnpm");
  const made = await Promise.all(worlds.map(backUpDaily));
  assert.equal(made.filter((id) => id !== null).length, 1);
  assert.deepEqual(await kinds(worlds[0]!), ["daily"]);
});

test("an idle server makes it", async () => {
  const world = await testWorld();
  await keep(world, "Tests run with pnpm");
  const never = 600_000;
  const pauses = { lookAgainMs: never, longestMs: never, upkeepMs: never, expiryMs: never, backupMs: 6 };
  const idle = startIdleWork(world, pauses);
  await until(async () => (await kinds(world)).length > 0);
  idle.stop();
});
