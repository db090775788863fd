/** Several processes migrate one file at once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { startChild } from "../../child.ts";
import { active } from "../suite/trial.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const { path } = temporaryFolder("migrations");
const clock = { now: () => 1 };

test("five processes open one fresh file at once, and all of them write", async () => {
  const file = path();
  const names = Array.from({ length: 5 }, (_, number) => `item of ${number}`);
  const script = new URL("../fixtures/open-store.ts", import.meta.url);
  const children = names.map((name) => startChild(script, [file, name], { input: null }));
  // All of them have started, and open it when they are told.
  await Promise.all(children.map((child) => child.spoke()));
  for (const child of children) child.process.stdin.end();
  for (const { code, output, errors } of await Promise.all(children.map(({ ended }) => ended)))
    assert.deepEqual([code, output, errors], [0, "ready\napplied", ""]);
  const store = await openSqliteStore({ path: file, kind: "project", clock });
  const { items } = await store.list("memory", active, { limit: 100, offset: 0 });
  assert.deepEqual(items.map(({ id }) => id).toSorted(), names);
  await store.close();
});
