import assert from "node:assert/strict";
import { test } from "node:test";
import { createChanges } from "../../src/http/changes.ts";
import { createProjects } from "../../src/http/projects.ts";
import { fakeWorld } from "../hosts/fixtures/world.ts";
import { until } from "../until.ts";

const clock = { now: () => 0 };

function made() {
  const lengths: Record<string, number> = {};
  let looks = 0;
  let fault: Error | null = null;
  const projects = createProjects({
    clock,
    open: async (folder) => {
      const { world } = fakeWorld();
      const chainHead = async () => {
        looks += 1;
        if (fault !== null) throw fault;
        return { length: lengths[folder] ?? 0, hash: "abc" };
      };
      return {
        world: { ...world, project: { ...world.project, chainHead }, global: { ...world.global, chainHead } },
        close: async () => undefined,
      };
    },
  });
  const changes = createChanges(projects, clock, 1);
  return { changes, lengths, looks: () => looks, fail: (error: Error) => void (fault = error) };
}

async function reading(response: Response) {
  const reader = response.body!.getReader();
  const next = async () => {
    const { value, done } = await reader.read();
    return done ? null : JSON.parse(new TextDecoder().decode(value));
  };
  return { next, leave: () => reader.cancel() };
}

test("whoever listens is told the revision at once, and after every change of their project", async () => {
  const { changes, lengths } = made();
  const [a, b] = [await reading(await changes.listen("/a")), await reading(await changes.listen("/b"))];
  assert.deepEqual([await a.next(), await b.next()], Array(2).fill({ revision: "0.abc-0.abc" }));
  lengths["/a"] = 1;
  assert.deepEqual(await a.next(), { revision: "1.abc-1.abc" });
  lengths["/b"] = 2;
  assert.deepEqual(await b.next(), { revision: "2.abc-2.abc" }, "and not of another one's");
  changes.close();
  assert.deepEqual([await a.next(), await b.next()], [null, null]);
});

test("ten listeners cost one look, and nobody listening costs none", async () => {
  const { changes, lengths, looks } = made();
  const all = await Promise.all(Array.from({ length: 10 }, async () => reading(await changes.listen("/a"))));
  for (const { next } of all) await next();
  const before = looks();
  lengths["/a"] = 1;
  await Promise.all(all.map(({ next }) => next()));
  assert.ok(looks() - before < 20, `${looks() - before} looks`);
  for (const { leave } of all) await leave();
  assert.equal(changes.listeners, 0);
  let last = -1;
  await until(() => last === (last = looks()));
  const after = looks();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(looks(), after);
});

test("a store that fails ends the stream with the reason", async () => {
  const { changes, fail } = made();
  const { next } = await reading(await changes.listen("/a"));
  await next();
  fail(new Error("gone"));
  assert.equal((await next()).error.message, "gone");
  assert.equal(await next(), null);
  assert.equal(changes.listeners, 0);
});

test("no more listen than a server should hold", async () => {
  const { changes } = made();
  for (let count = 0; count < 64; count++) await changes.listen("/a");
  await assert.rejects(changes.listen("/a"), { code: "too_many" });
  changes.close();
});
