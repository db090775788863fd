/** Backing up and restoring as a caller sees it. */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { dryRunWorld } from "../../src/catalog/dry-run.ts";
import { Failure } from "../../src/errors.ts";
import { restore } from "../../src/maintenance/restore.ts";
import backupVerb from "../../src/maintenance/verbs/backup.ts";
import restoreVerb from "../../src/maintenance/verbs/restore.ts";
import { READER } from "../catalog/reader.ts";
import { ask, keep, type TestWorld, testWorld } from "../test-world.ts";

const contents = async (world: TestWorld, query: string) =>
  (await ask(world, query)).hits.map(({ content }) => content).sort();

async function backUp(world: TestWorld) {
  world.clock.time += 1_000;
  return (await dispatch(backupVerb, {}, world)).answer;
}

async function putBack(world: TestWorld, input: object) {
  world.clock.time += 1_000;
  return (await dispatch(restoreVerb, input, world)).answer;
}

test("a backup says where it is; a restore goes back to it and says how to go forth again", async () => {
  const world = await testWorld();
  await keep(world, "herons fish at dawn");
  const taken = await backUp(world);
  assert.ok(existsSync(join(taken.path, "manifest.json")));
  assert.deepEqual([taken.at, taken.dropped], [new Date(world.clock.time).toISOString(), []]);
  assert.deepEqual(
    taken.files.map(({ store }) => store),
    ["project", "global"],
  );
  await keep(world, "herons nest in trees");
  const restored = await putBack(world, { id: taken.id });
  assert.deepEqual(await contents(world, "herons"), ["herons fish at dawn"]);
  assert.match(restoreVerb.render(restored, READER), new RegExp(`stele restore ${restored.replaced} --store project`));
  const again = await putBack(world, { id: restored.replaced });
  assert.deepEqual(await contents(world, "herons"), ["herons fish at dawn", "herons nest in trees"]);
  assert.deepEqual([restored.dropped, again.dropped], [[], []]);
  assert.match(restoreVerb.render({ ...again, dropped: ["older"] }, READER), /^Removed older\.$/m);
});

test("without an id nothing is restored; the latest is the latest that was asked for, however often", async () => {
  const world = await testWorld();
  assert.deepEqual(await restore({ id: undefined, stores: ["project"] }, world), { status: "available", backups: [] });
  await assert.rejects(
    putBack(world, { id: "latest" }),
    (thrown) => thrown instanceof Failure && thrown.code === "not_found" && /stele backup/.test(thrown.hint),
  );
  const older = await backUp(world);
  await keep(world, "herons fish at dawn");
  const newer = await backUp(world);
  await keep(world, "herons nest in trees");
  for (let time = 1; time <= 2; time += 1) {
    assert.equal((await putBack(world, { id: "latest" })).id, newer.id);
    assert.deepEqual(await contents(world, "herons"), ["herons fish at dawn"]);
  }
  const { backups = [] } = await putBack(world, {});
  assert.deepEqual(
    backups.map(({ id, reason, stores }) => [reason === "asked" ? id : reason, stores.length]),
    [
      ["replaced", 1],
      ["replaced", 1],
      [newer.id, 2],
      [older.id, 2],
    ],
  );
});

test("each store is restored only when it is named, both when both are", async () => {
  const world = await testWorld();
  const { id } = await backUp(world);
  const both = async () => [(await world.project.report()).counts.length, (await world.global.report()).counts.length];
  await keep(world, "of the project");
  await keep(world, "of the person", { scope: "global" });
  await putBack(world, { id, store: ["project"] });
  assert.deepEqual(await both(), [0, 1]);
  const { replaced } = await putBack(world, { id, store: ["project", "global", "project"] });
  assert.deepEqual(await both(), [0, 0]);
  await putBack(world, { id: replaced, store: ["global"] });
  assert.deepEqual(await both(), [0, 1]);
  await assert.rejects(
    putBack(world, { id: (await world.backups.list())[0]!.id }),
    (thrown) => thrown instanceof Failure && thrown.code === "invalid_input" && /--store global/.test(thrown.hint),
  );
});

test("a dry run writes no backup, restores nothing, and leaves files alone", async () => {
  const world = await testWorld();
  await keep(world, "herons fish at dawn");
  const folder = dirname((await dispatch(backupVerb, {}, world, { dryRun: true })).answer.path);
  assert.ok(!existsSync(folder));
  const { id } = await backUp(world);
  await keep(world, "herons nest in trees");
  const { answer } = await dispatch(restoreVerb, { id }, world, { dryRun: true });
  assert.equal(answer.status, "restored");
  assert.equal((await contents(world, "herons")).length, 2);
  assert.deepEqual(readdirSync(folder), [id]);
  const path = world.files.resolve("notes.txt");
  async function* lines() {
    yield "é";
    yield "two";
  }
  const { files, project } = dryRunWorld(world).world;
  const draft = await files.draft(path, lines());
  await draft.keep();
  assert.deepEqual([draft.lines, draft.bytes, existsSync(path)], [2, 7, false]);
  assert.equal(await project.compact(), true);
});

/** Changes the project's copy, and vouches for the result as the backup itself does. */
function forge(place: string, sql: string): void {
  const path = join(place, "project.db");
  const db = new Sqlite(path);
  // Whoever writes a file need not keep to what SQLite allows.
  db.unsafeMode(true);
  db.exec(sql);
  db.close();
  const manifest = join(place, "manifest.json");
  const said = JSON.parse(readFileSync(manifest, "utf8")) as { files: { store: string }[] };
  const files = said.files.map((file) =>
    file.store === "project"
      ? { ...file, bytes: statSync(path).size, sha256: hash("sha256", readFileSync(path)) }
      : file,
  );
  writeFileSync(manifest, JSON.stringify({ ...said, files }));
}

const FORGERIES: readonly [what: string, sql: string][] = [
  ["trigger", `create trigger later after insert on memory_item begin delete from memory_item; end`],
  [
    "trigger",
    `drop trigger in_degree_up; create trigger in_degree_up after insert on edge begin delete from fact; end`,
  ],
  ["view", `create view everything as select content from memory_body`],
  ["table", `create table extra (text text)`],
  [
    "trigger",
    `create trigger plain after insert on memory_item begin delete from memory_item; end;
     pragma writable_schema = on;
     update sqlite_schema set name = 'sqlite_own', sql = replace(sql, 'plain', 'sqlite_own') where name = 'plain'`,
  ],
];
for (const [what, sql] of FORGERIES)
  test(`a backup with a ${what} that Stele did not make is refused: ${sql}`, async () => {
    const world = await testWorld();
    await keep(world, "herons fish at dawn");
    const taken = await backUp(world);
    await keep(world, "herons nest in trees");
    forge(taken.path, sql);
    for (const input of [{ id: taken.id }, { id: taken.id, dryRun: true }])
      await assert.rejects(
        dispatch(restoreVerb, { id: input.id }, world, { dryRun: "dryRun" in input }),
        (thrown: Failure) => thrown.code === "unavailable" && /that Stele did not make/.test(thrown.message),
      );
    assert.deepEqual(await contents(world, "herons"), ["herons fish at dawn", "herons nest in trees"]);
  });
