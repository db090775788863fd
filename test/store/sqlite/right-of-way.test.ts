import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setImmediate as immediate } from "node:timers/promises";
import { markOf, rightOfWay } from "../../../src/store/sqlite/right-of-way.ts";
import { startChild } from "../../child.ts";
import { until } from "../../until.ts";
import { freshStore } from "../fresh-store.ts";
import { insertion, newItem, ORIGIN } from "../suite/trial.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-way-"));
after(() => rmSync(folder, { recursive: true }));

/** Whether it is still waiting after many turns of the event loop. */
async function isWaiting(work: Promise<unknown>): Promise<boolean> {
  let isDone = false;
  void work.finally(() => (isDone = true));
  for (let turn = 0; turn < 50; turn += 1) await immediate();
  return !isDone;
}

test("without a mark nobody waits", async () => {
  assert.equal(await isWaiting(rightOfWay(join(folder, "none.db")).giveWay()), false);
});

test("a writer waits for the mark of another process until it is gone", async () => {
  const path = join(folder, "held.db");
  writeFileSync(markOf(path), "");
  const waiting = rightOfWay(path).giveWay();
  assert.equal(await isWaiting(waiting), true);
  rmSync(markOf(path));
  await waiting;
});

test("a writer that has waited for one mark does not wait for the next", async () => {
  const path = join(folder, "followed.db");
  writeFileSync(markOf(path), "");
  const waiting = rightOfWay(path).giveWay();
  assert.equal(await isWaiting(waiting), true);
  const later = Date.now() / 1_000 + 1;
  utimesSync(markOf(path), later, later);
  await waiting;
  assert.ok(existsSync(markOf(path)));
});

for (const [what, seconds] of [["old", -60], ["future", 60]] as const) // prettier-ignore
  test(`an ${what} mark is ignored and removed: its process died, or the clock was set`, async () => {
    const path = join(folder, `${what}.db`);
    writeFileSync(markOf(path), "");
    const at = Date.now() / 1_000 + seconds;
    utimesSync(markOf(path), at, at);
    assert.equal(await isWaiting(rightOfWay(path).giveWay()), false);
    assert.ok(!existsSync(markOf(path)));
  });

test("who goes first leaves a private mark, waits for itself nowhere, and removes it whatever happens", async () => {
  const path = join(folder, "own.db");
  const { giveWay, goFirst } = rightOfWay(path);
  const failing = goFirst(async () => {
    const { size, mode } = statSync(markOf(path));
    assert.deepEqual([size, mode & 0o777], [0, 0o600]);
    assert.equal(await isWaiting(giveWay()), false);
    assert.equal(await isWaiting(rightOfWay(path).giveWay()), false, "nor another store of this process");
    assert.equal(await goFirst(async () => "nested"), "nested");
    assert.ok(existsSync(markOf(path)), "the inner one leaves the outer one's mark");
    throw new Error("in between");
  });
  await assert.rejects(failing, /in between/);
  assert.ok(!existsSync(markOf(path)));
});

test("a store waits with its writes, unless they are impatient, and never with its reads", async () => {
  const path = join(folder, "store.db");
  const options = { path, kind: "project", clock: { now: () => 1 } } as const;
  const [store, other] = [await freshStore(options), await freshStore(options)];
  const [item, soon] = [newItem(), newItem()];
  writeFileSync(markOf(path), "");
  const writing = store.apply([insertion("memory", item)], ORIGIN);
  assert.equal((await other.apply([insertion("memory", soon)], ORIGIN, { impatient: true })).status, "applied");
  assert.equal((await store.items("memory", [item.id, soon.id])).length, 1);
  assert.equal(await isWaiting(writing), true);
  rmSync(markOf(path));
  assert.equal((await writing).status, "applied");
  await Promise.all([store.close(), other.close()]);
});

test("where no mark can be left, the work is done without", async () => {
  const taken = join(folder, "taken.db");
  mkdirSync(markOf(taken));
  writeFileSync(join(markOf(taken), "kept"), "");
  utimesSync(markOf(taken), 1, 1);
  assert.equal(await rightOfWay(taken).goFirst(async () => "done"), "done");
  assert.ok(existsSync(join(markOf(taken), "kept")));
  assert.equal(await rightOfWay(join(folder, "missing", "x.db")).goFirst(async () => "done"), "done");
});

test("a link in place of the mark leads nowhere", async () => {
  const [path, elsewhere] = [join(folder, "linked.db"), join(folder, "elsewhere")];
  symlinkSync(elsewhere, markOf(path));
  const first = rightOfWay(path).goFirst(async () => existsSync(elsewhere));
  rmSync(markOf(path));
  assert.equal(await first, false);
});

test("two processes go first one after the other, and a killed one is not waited for long", async () => {
  const path = join(folder, "two.db");
  const module = new URL("../../../src/store/sqlite/right-of-way.ts", import.meta.url).href;
  const script = `
    const { rightOfWay } = await import(${JSON.stringify(module)});
    await rightOfWay(${JSON.stringify(path)}).goFirst(() => new Promise(() => {
      process.stdout.write("first");
      setInterval(() => undefined, 1e6);
    }));`;
  await using other = startChild(null, ["--eval", script]);
  await other.spoke();
  const mine = rightOfWay(path).goFirst(async () => "mine");
  assert.equal(await isWaiting(mine), true);
  other.kill();
  await other.ended;
  assert.ok(existsSync(markOf(path)), "left behind");
  utimesSync(markOf(path), 1, 1);
  assert.equal(await mine, "mine");
  await until(async () => !existsSync(markOf(path)));
});
