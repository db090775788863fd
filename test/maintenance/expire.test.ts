/** Working memories whose time is over: nothing of them is left in any file, by `maintain` or by an idle server. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { drain } from "../../src/maintenance/backfill.ts";
import { startIdleWork } from "../../src/maintenance/idle.ts";
import maintain from "../../src/maintenance/verbs/maintain.ts";
import { ask, itemIn, keep, temporaryFolder, type TestWorld, testWorld } from "../test-world.ts";
import { wordsUnder } from "./bytes.ts";

const HOUR_MS = 3_600_000;
const WORDS = ["zqxvermora", "zqxtulgey", "zqxwabegimble"];

interface Filled {
  world: TestWorld;
  folder: string;
  /** The one that expires, and one that is said again in time. */
  gone: string;
  renewed: string;
  isLeft(): boolean;
}

async function filled(): Promise<Filled> {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  for (let count = 0; count < 40; count += 1) await keep(world, `a walrus sleeps on floe ${count}`);
  const { id: gone } = await keep(world, "the zqxvermora ferret", {
    scope: "working",
    title: "zqxtulgey",
    tags: ["zqxwabegimble"],
  });
  const { id: renewed } = await keep(world, "the stoat", { scope: "working" });
  await drain(world.project, world);
  await ask(world, "the ferret");
  await world.afterwards.settle();
  world.clock.time += HOUR_MS / 2;
  await keep(world, "the stoat", { scope: "working" });
  world.clock.time += HOUR_MS / 2;
  const isLeft = () => wordsUnder(folder, WORDS).length > 0;
  return { world, folder, gone, renewed, isLeft };
}

test("maintain erases what has expired, and nothing else", async () => {
  const { world, folder, gone, renewed, isLeft } = await filled();
  assert.ok(isLeft());
  const tried = await dispatch(maintain, {}, world, { dryRun: true });
  assert.deepEqual([tried.answer.working.expired, (await itemIn(world, gone))?.id], [1, gone]);
  const { answer } = await dispatch(maintain, {}, world);
  assert.deepEqual([answer.working, answer.call], [{ expired: 1, traces: [] }, null]);
  assert.ok(!isLeft());
  assert.equal((await itemIn(world, renewed))?.id, renewed);
  assert.equal((await ask(world, "walrus floe 7", { limit: 50 })).hits.length, 41);
  const db = new Sqlite(join(folder, "project.db"), { readonly: true });
  const scales = db.prepare<[], Buffer>("select scales from memory_vector_block").pluck().get()!;
  const vectors = [...new Float32Array(new Uint8Array(scales).buffer)].filter((scale) => scale !== 0);
  assert.equal(vectors.length, 41, "its vector is emptied");
  db.close();
  assert.deepEqual((await dispatch(maintain, {}, world)).answer.working, { expired: 0, traces: [] });
});

test("an idle server does so by itself", async () => {
  const { world, renewed, isLeft } = await filled();
  const idle = startIdleWork(world, { lookAgainMs: 60_000, longestMs: 60_000, upkeepMs: 60_000, expiryMs: 1 });
  while (isLeft()) await new Promise((resolve) => setTimeout(resolve, 5));
  idle.stop();
  assert.equal((await itemIn(world, renewed))?.id, renewed);
});
