import assert from "node:assert/strict";
import { test } from "node:test";
import { READING } from "../../src/catalog/dispatch.ts";
import { Failure } from "../../src/errors.ts";
import { lazyWorld } from "../../src/mcp/lazy-world.ts";
import { fakeWorld } from "./fixtures/world.ts";

const NEVER = new Promise<never>(() => undefined);

test("an opening that fails while the server closes is told to its call, and closing goes on", async () => {
  const opening = Promise.withResolvers<never>();
  const shared = lazyWorld(() => opening.promise, undefined);
  const call = assert.rejects(
    shared.use(async () => undefined, READING),
    /locked/,
  );
  const closing = shared.close(Promise.resolve());
  opening.reject(new Error("locked"));
  await Promise.all([call, closing]);
});

test("calls are waited for until the grace is over, and none begins after closing", async () => {
  const { world } = fakeWorld();
  const order: string[] = [];
  const shared = lazyWorld(async () => ({ world, close: async () => void order.push("closed") }), undefined);
  const work = Promise.withResolvers<void>();
  const call = shared.use(() => work.promise, READING).then(() => order.push("answered"));
  const closing = shared.close(NEVER);
  await assert.rejects(
    shared.use(async () => undefined, READING),
    (thrown) => thrown instanceof Failure && thrown.code === "unavailable",
  );
  work.resolve();
  await Promise.all([call, closing]);
  assert.deepEqual(order, ["answered", "closed"]);

  const hanging = lazyWorld(async () => ({ world, close: async () => void order.push("closed too") }), undefined);
  void hanging.use(() => NEVER, READING);
  await hanging.close(Promise.resolve());
  assert.equal(order.at(-1), "closed too");
});
