import assert from "node:assert/strict";
import { test } from "node:test";
import { READING } from "../../src/catalog/dispatch.ts";
import { createProjects } from "../../src/http/projects.ts";
import { fakeWorld } from "../hosts/fixtures/world.ts";

function made(options: { most?: number; idleMs?: number } = {}) {
  const log: string[] = [];
  let now = 0;
  const projects = createProjects({
    clock: { now: () => now },
    open: async (folder) => {
      log.push(`open ${folder}`);
      return { world: fakeWorld().world, close: async () => void log.push(`close ${folder}`) };
    },
    ...options,
  });
  return { projects, log, pass: (ms: number) => void (now += ms) };
}

test("a project is opened by its first use and closed when nobody uses it", async () => {
  const { projects, log, pass } = made({ idleMs: 100 });
  await projects.use("/a", async () => undefined, READING);
  await projects.use("/a", async () => undefined, READING);
  pass(99);
  await projects.sweep();
  assert.deepEqual(log, ["open /a"]);
  pass(1);
  await projects.sweep();
  assert.deepEqual(log, ["open /a", "close /a"]);
  await projects.use("/a", async () => undefined, READING);
  assert.deepEqual(log.at(-1), "open /a", "and opened again");
});

test("one that is in use is never closed", async () => {
  const { projects, log, pass } = made({ idleMs: 100 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const using = projects.use("/a", () => promise, READING);
  pass(1_000);
  await projects.sweep();
  assert.deepEqual(log, ["open /a"]);
  resolve();
  await using;
});

test("the one that was used longest ago makes place", async () => {
  const { projects, log, pass } = made({ most: 2 });
  for (const folder of ["/a", "/b"]) {
    await projects.use(folder, async () => undefined, READING);
    pass(1);
  }
  await projects.use("/a", async () => undefined, READING);
  await projects.use("/c", async () => undefined, READING);
  assert.ok(log.includes("close /b"));
  assert.equal(projects.open, 2);
  const { promise, resolve } = Promise.withResolvers<void>();
  const using = ["/a", "/c"].map((folder) => projects.use(folder, () => promise, READING));
  await assert.rejects(
    projects.use("/d", async () => undefined, READING),
    { code: "too_many" },
  );
  resolve();
  await Promise.all(using);
});

test("closing waits for what runs, and lets nobody in", async () => {
  const { projects, log } = made();
  const { promise, resolve } = Promise.withResolvers<void>();
  const using = projects.use(
    "/a",
    async () => {
      await promise;
      log.push("worked");
    },
    READING,
  );
  const closing = projects.close(new Promise(() => undefined));
  await assert.rejects(
    projects.use("/a", async () => undefined, READING),
    { code: "unavailable" },
  );
  resolve();
  await Promise.all([using, closing]);
  assert.deepEqual(log, ["open /a", "worked", "close /a"]);
});
