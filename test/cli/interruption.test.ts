import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { interruption } from "../../src/cli/terminal.ts";

/** Whether it has been interrupted by now. */
const isOver = (interrupted: Promise<null>) => Promise.race([interrupted.then(() => true), Promise.resolve(false)]);

test("the first Ctrl-C interrupts; the next one has its usual effect", async () => {
  const signals = new EventEmitter();
  const { interrupted } = interruption(signals);
  assert.equal(await isOver(interrupted), false);
  signals.emit("SIGINT");
  assert.equal(await interrupted, null);
  assert.equal(signals.listenerCount("SIGINT"), 0);
});

test("a Ctrl-C for the editor is not ours, however often; one after it is", async () => {
  const signals = new EventEmitter();
  const { interrupted, ignoredDuring } = interruption(signals);
  const edited = await ignoredDuring(async () => {
    assert.deepEqual([signals.emit("SIGINT"), signals.emit("SIGINT")], [true, true], "somebody listens");
    return "edited";
  });
  assert.equal(edited, "edited");
  await assert.rejects(
    ignoredDuring(() => Promise.reject(new Error("failed"))),
    /failed/,
  );
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await isOver(interrupted), false);
  signals.emit("SIGINT");
  assert.equal(await interrupted, null);
});
