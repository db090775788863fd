/** An erased memory leaves nothing in what was captured of its session, wherever the memory itself was kept. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { surface } from "../../../src/engine/context/surface.ts";
import { erase } from "../../../src/engine/memory/forget.ts";
import { dispatch } from "../../../src/hosts/dispatch.ts";
import observe from "../../../src/operations/capture/observe.ts";
import { freshStore } from "../../store/fresh-store.ts";
import { keep, testWorld } from "../test-world.ts";

function filesWith(text: string, folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return paths.filter((path) => readFileSync(path, "latin1").includes(text));
}

test("a global memory takes along what the project captured of its session", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Prefers walruses", { scope: "global" });
  const prompt = { id: "p", kind: "prompt", session: "session", turn: null, at: 1 } as const;
  const event = { ...prompt, payload: { text: "I do like walruses better" } };
  await world.project.apply([{ kind: "note_event", event }], world.origin);
  await erase(id, 5, world);
  assert.equal(await world.project.eventCount({}), 0);
  assert.deepEqual(filesWith("walruses", world.folder), []);
});

test("what hooks reported of its session goes too, before anybody digests it", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Prefers walruses");
  const folder = join(world.folder, "spool", "0123456789abcdef0123456789abcdef");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const report = (name: string, session: string) => {
    const said = { event: "prompt", host: "kimi", session, turn: null, at: 1, cwd: "/", text: "walruses again" };
    const all = { ...said, id: name, transcript: null, tool: null, command: null, path: null };
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(all), { mode: 0o600 });
  };
  report("a".repeat(32), "session");
  report("b".repeat(32), "another");
  await erase(id, 5, world);
  assert.deepEqual(await world.spool.list(9), [`${"b".repeat(32)}.json`]);
});

test("records in backups go too", async () => {
  const world = await testWorld();
  const { ids } = (await dispatch(observe, { event: "error_occurred", content: "EWALRUS" }, world)).answer;
  await world.backups.take("asked");
  assert.ok(filesWith("EWALRUS", join(world.folder, "backups")).length > 0);
  await erase(ids[0]!, 5, world);
  assert.deepEqual(filesWith("EWALRUS", world.folder), []);
});

test("the surfaces that this and other projects keep go too, and their backups", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Prefers walruses", { scope: "global" });
  const path = join(world.folder, "spaces", "other.db");
  const project = await freshStore({ path, kind: "project", clock: world.clock });
  for (const place of [{ ...world, project }, world]) {
    assert.match((await surface(place)).text, /walruses/);
    await world.afterwards.settle();
  }
  await project.close();
  await world.backups.take("asked");
  assert.deepEqual(filesWith("walruses", world.folder).includes(path), true);
  await erase(id, 5, world);
  assert.deepEqual(filesWith("walruses", world.folder), []);
});
