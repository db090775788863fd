import assert from "node:assert/strict";
import { test } from "node:test";
import { createAfterwards, createLog } from "../../src/machine/background.ts";

function started() {
  const written: string[] = [];
  const log = createLog("debug", { write: (text) => written.push(text) });
  return { afterwards: createAfterwards(log), written };
}

test("work starts after the current turn, and settling waits for all of it", async () => {
  const { afterwards, written } = started();
  const done: string[] = [];
  afterwards.add("work", async () => {
    done.push("first begins");
    await new Promise((resolve) => setImmediate(resolve));
    done.push("first ends");
  });
  afterwards.add("work", async () => done.push("second"));
  await Promise.resolve();
  assert.deepEqual(done, [], "nothing runs before the turn is over");
  await afterwards.settle();
  assert.deepEqual(done.toSorted(), ["first begins", "first ends", "second"]);
  assert.deepEqual(written, []);
});

test("settling waits for work that work has added", async () => {
  const { afterwards } = started();
  let isDone = false;
  afterwards.add("outer work", async () => {
    afterwards.add("inner work", async () => {
      isDone = true;
    });
  });
  await afterwards.settle();
  assert.ok(isDone);
});

test("long work learns that it is waited for, and that it is no longer", async () => {
  const { afterwards } = started();
  const seen: boolean[] = [];
  afterwards.add("work", async () => seen.push(afterwards.isSettling()));
  assert.equal(afterwards.isSettling(), false);
  await afterwards.settle();
  assert.deepEqual([seen, afterwards.isSettling()], [[true], false]);
});

test("failing work is logged, not thrown, and hinders nobody", async () => {
  const { afterwards, written } = started();
  let isDone = false;
  afterwards.add("touch items", async () => {
    throw new Error("disk full");
  });
  afterwards.add("count", () => {
    throw "at once";
  });
  afterwards.add("go on", async () => {
    isDone = true;
  });
  await afterwards.settle();
  assert.ok(isDone);
  assert.deepEqual(written.toSorted(), [
    "stele: could not count: at once\n",
    "stele: could not touch items: disk full\n",
  ]);
});

test("settling without work is done at once, and again", async () => {
  const { afterwards } = started();
  await afterwards.settle();
  await afterwards.settle();
});

const levels: [Parameters<typeof createLog>[0], string[]][] = [
  ["silent", []],
  ["warn", ["stele: two words\n"]],
  ["debug", ["stele: one\n", "stele: two words\n"]],
];
for (const [level, expected] of levels)
  test(`at level ${level} ${expected.length} of two messages are written, one line each`, () => {
    const written: string[] = [];
    const log = createLog(level, { write: (text) => written.push(text) });
    log.debug("one");
    log.warn("two\n  words");
    assert.deepEqual(written, expected);
  });

test("a message longer than 500 characters is cut", () => {
  const written: string[] = [];
  createLog("warn", { write: (text) => written.push(text) }).warn("x".repeat(2_000));
  assert.deepEqual(written, [`stele: ${"x".repeat(500)}\n`]);
});
