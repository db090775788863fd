/** Long work that one process does at a time, on two worlds that share a store. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { holdLease, type Lease } from "../../src/maintenance/lease.ts";
import { temporaryFolder, testWorld } from "../test-world.ts";

const LASTS_MS = 12_000;

async function twoWorlds() {
  const folder = temporaryFolder();
  const worlds = [await testWorld({ folder }), await testWorld({ folder })] as const;
  const attempt = (index: 0 | 1, work: (lease: Lease) => Promise<unknown> = async () => "done") =>
    holdLease("work", {}, { ...worlds[index], store: worlds[index].project }, work);
  return { worlds, attempt };
}

test("who comes while another works does nothing, and may when the work is done or has failed", async () => {
  const { attempt } = await twoWorlds();
  assert.equal(await attempt(0, () => attempt(1)), null);
  assert.equal(await attempt(1), "done");
  const failing = attempt(0, () => Promise.reject(new Error("in the middle")));
  await assert.rejects(failing, /in the middle/);
  assert.equal(await attempt(1), "done");
});

test("a lease lasts so long and no longer; whoever lost it learns so, and takes it from nobody", async () => {
  const { worlds, attempt } = await twoWorlds();
  const [{ clock: own }, { clock: other }] = worlds;
  const later = (ms: number) => (own.time = other.time = own.time + ms);
  await attempt(0, async ({ renew }) => {
    later(LASTS_MS - 1);
    assert.equal(await attempt(1), null);
    await renew();
    later(LASTS_MS - 1);
    assert.equal(await attempt(1), null, "it was renewed");
    later(1);
    const outcome = await attempt(1, async () => {
      await assert.rejects(renew(), { code: "conflict" });
      assert.equal(await attempt(0), null);
      return "taken over";
    });
    assert.equal(outcome, "taken over");
  });
  assert.equal(await attempt(1), "done");
});

test("whoever ends after losing it does not give up what is another's", async () => {
  const { worlds, attempt } = await twoWorlds();
  const [begun, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  const taking = { second: Promise.resolve<unknown>(null) };
  await attempt(0, async () => {
    for (const { clock } of worlds) clock.time += LASTS_MS;
    taking.second = attempt(1, () => {
      begun.resolve();
      return finished.promise;
    });
    await begun.promise;
  });
  assert.equal(await attempt(0), null);
  finished.resolve("done by the second");
  assert.equal(await taking.second, "done by the second");
});

test("who waits looks again until all is ending", async () => {
  const { worlds, attempt } = await twoWorlds();
  const second = { ...worlds[1], store: worlds[1].project };
  let looks = 0;
  const waiting = { patienceMs: 1_000, isEnding: () => (looks += 1) === 3 };
  assert.equal(await attempt(0, () => holdLease("work", waiting, second, async () => "done")), null);
  assert.equal(looks, 3);
  assert.equal(await attempt(0, () => holdLease("other work", {}, second, async () => "done")), "done");
});

test("a lease that was taken while the clock was ahead does not survive the clock being set right", async () => {
  const { worlds, attempt } = await twoWorlds();
  const [begun, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  const first = attempt(0, () => {
    begun.resolve();
    return finished.promise;
  });
  await begun.promise;
  assert.equal(await attempt(1), null);
  for (const { clock } of worlds) clock.time -= 60_000;
  assert.equal(await attempt(1), null, "the clock may have been a little ahead");
  for (const { clock } of worlds) clock.time -= 1;
  assert.equal(await attempt(1), "done", "nobody takes a lease that lasts so long");
  finished.resolve("done");
  await first;
});
