/** What a reader's machine does for itself, whatever the team's server refuses: embedding and indexing what is here. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { Failure } from "../../../src/errors.ts";
import { backfill, drain } from "../../../src/maintenance/backfill.ts";
import { startIdleWork } from "../../../src/maintenance/idle.ts";
import backfillOperation from "../../../src/maintenance/verbs/backfill.ts";
import { promote } from "../../../src/memory/move.ts";
import { digest } from "../../../src/sessions/digest.ts";
import type { Store } from "../../../src/store/store.ts";
import { teamStore } from "../../../src/store/team/store.ts";
import { putFile } from "../../files/corpus-steps.ts";
import { wordsUnder } from "../../maintenance/bytes.ts";
import { keep, temporaryFolder, testWorld } from "../../test-world.ts";
import { until } from "../../until.ts";
import { freshStore } from "../fresh-store.ts";

const READER = new Failure("unavailable", "Your role may only read.", "Ask for another.");
const HOUR_MS = 3_600_000;
const AWAY = new Failure("unavailable", "The server does not answer.", "Try again.");
const DEMOTED = new Failure("refused", "Your role does not allow that.", "Ask for another.");

/** A project with a memory on the server and a working memory here, neither embedded yet. */
async function shared(refusing: (server: Store) => Partial<Store>) {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const server = await freshStore({ path: join(folder, "server.db"), kind: "project", clock: world.clock });
  const own = world.project;
  const before = { ...world, project: teamStore({ shared: server, own }) };
  const { id } = await keep(before, "The beacon is green at noon");
  await keep(before, "A thought about zqxanchors", { scope: "working" });
  const project = teamStore({ shared: { ...server, ...refusing(server) }, own });
  return { world: { ...world, project }, folder, server, id };
}

const asReader = (): Partial<Store> => ({
  readOnly: true,
  refusal: async () => READER,
  apply: () => Promise.reject(READER),
});

test("a server that refuses its leases keeps nothing here from being embedded", async () => {
  const { world } = await shared((server) => ({
    apply: (changes, ...rest) =>
      changes[0]?.kind === "lease_passages" ? Promise.reject(DEMOTED) : server.apply(changes, ...rest),
  }));
  assert.equal(await drain(world.project, world), 1);
  const { identity } = world.embedder;
  assert.deepEqual([await world.project.waitingCount(identity), await drain(world.project, world)], [1, 0]);
});

test("what the server refused is free at once for whoever may embed it", async () => {
  let isDemoted = true;
  const { world } = await shared((server) => ({
    apply: (changes, ...rest) =>
      isDemoted && changes[0]?.kind === "lease_passages" ? Promise.reject(DEMOTED) : server.apply(changes, ...rest),
  }));
  await drain(world.project, world);
  isDemoted = false;
  world.clock.time += 5_000;
  assert.equal(await drain(world.project, world), 1);
});

test("a reader embeds what is here, and is told why the rest waits", async () => {
  const { world } = await shared(asReader);
  const done = await backfill(undefined, world);
  assert.deepEqual([done.embedded, done.waiting, done.refusal], [1, 1, READER.message]);
  assert.match(backfillOperation.render(done), /^Embedded 1 passage; 1 pending\. Your role may only read\.$/);
});

const servers: [name: string, refusing: () => Partial<Store>][] = [
  ["lets them only read", asReader],
  ["is away", () => ({ refusal: () => Promise.reject(AWAY), apply: () => Promise.reject(AWAY) })],
];
for (const [name, refusing] of servers)
  test(`what has expired here is erased, whether or not the server ${name}`, async () => {
    const { world, folder, id } = await shared(refusing);
    const isLeft = () => wordsUnder(folder, ["zqxanchors"]).length > 0;
    assert.ok(isLeft());
    world.clock.time += HOUR_MS;
    const idle = startIdleWork(world, { lookAgainMs: 60_000, longestMs: 60_000, upkeepMs: 60_000, expiryMs: 1 });
    await until(() => !isLeft());
    idle.stop();
    assert.equal((await world.project.items("memory", [id])).length, 1, "the team's stays");
  });

test("a reader indexes files, and takes in no reports", async () => {
  const { world } = await shared(asReader);
  await putFile(world, "README.md", "# Lamp\n\nThe lamp is blue.\n");
  const spool = { ...world.spool, list: async () => [`${"0".repeat(32)}.json`] };
  assert.equal((await digest({ ...world, spool }))?.isRefused, true);
});

test("a memory that a reader may not remove from the team's is not copied either", async () => {
  const { world, server, id } = await shared(asReader);
  await assert.rejects(promote(id, "global", world), { message: READER.message });
  assert.deepEqual([await world.global.items("memory", [id]), (await server.items("memory", [id])).length], [[], 1]);
});
