/** A folder of notes: its Markdown becomes memories, which follow the files and what a person says of them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createNoteFiles } from "../../src/files/disk/project-files.ts";
import { indexProject } from "../../src/files/index-project.ts";
import { forget } from "../../src/memory/forget.ts";
import type { Item } from "../../src/memory/item.ts";
import { update } from "../../src/memory/update.ts";
import type { World } from "../../src/world.ts";
import { ask, keep } from "../test-world.ts";
import { corpusWorld } from "./corpus-steps.ts";

const counts = (added: number, updated: number, removed: number, unchanged: number) => ({
  added,
  updated,
  removed,
  unchanged,
});
const WALRUS = "---\ntags: [sea]\n---\n\n# Walrus\n\nThe walrus dives at dawn.\n";

async function memories({ project, clock }: World): Promise<Item[]> {
  const page = { limit: 100, offset: 0 };
  return (await project.list("memory", { statuses: ["active"], now: clock.now() }, page)).items;
}

test("notes become memories, and are no documents as well; a second look changes nothing", async () => {
  const world = await corpusWorld(
    { "notes/walrus.md": WALRUS, "notes/plan.txt": "not a note", "README.md": "# Sea\n\nSee notes/walrus.md\n" },
    { notes: "notes" },
  );
  const first = await world.index();
  assert.deepEqual(
    [first.notes, first.documents, first.code],
    [counts(1, 0, 0, 0), counts(1, 0, 0, 0), counts(0, 0, 0, 0)],
  );
  const [memory] = await memories(world);
  const { type, source, title, summary, tags, confidence, scope, path } = memory!;
  assert.deepEqual(
    { type, source, title, summary, tags, confidence, scope },
    {
      type: "fact",
      source: "file-index",
      title: "Walrus",
      tags: ["sea", "walrus.md"],
      confidence: 1,
      scope: "project",
      summary: "The walrus dives at dawn.",
    },
  );
  assert.equal(path, `${world.notes!.folder}/walrus.md`);
  assert.deepEqual((await world.index()).notes, counts(0, 0, 0, 1));
});

test("a recall takes in what changed in the notes, and leaves the project's files alone", async () => {
  const world = await corpusWorld({ "notes/walrus.md": WALRUS, "README.md": "# Sea\n" }, { notes: "notes" });
  const [hit] = (await ask(world, "when does the walrus dive")).hits;
  assert.match(hit?.content ?? "", /at dawn/);
  assert.deepEqual([await world.paths("document"), await world.project.lastLook()], [[], null]);
  world.write("notes/walrus.md", WALRUS.replace("dawn", "dusk"));
  const [later] = (await ask(world, "when does the walrus dive")).hits;
  assert.match(later?.content ?? "", /at dusk/);
  assert.equal(later?.id, hit?.id);
  const { records } = await world.project.journal({ itemIds: [hit!.id] }, { limit: 5, offset: 0 });
  assert.deepEqual(new Set(records.map(({ verb }) => verb)), new Set(["index"]));
  world.remove("notes/walrus.md");
  assert.deepEqual((await ask(world, "when does the walrus dive")).hits, []);
});

test("the background of a note is searched, also after the file has changed", async () => {
  const world = await corpusWorld({ "notes/walrus.md": WALRUS }, { notes: "notes" });
  await world.index();
  const [note] = await memories(world);
  await update(note!.id, { background: "A trawler skipper told us." }, world);
  const found = async () => (await ask(world, "skipper", { mode: "keyword" })).hits.map(({ id }) => id);
  assert.deepEqual(await found(), [note!.id]);
  world.write("notes/walrus.md", WALRUS.replace("dawn", "dusk"));
  assert.deepEqual((await world.index()).notes, counts(0, 1, 0, 0));
  assert.deepEqual(await found(), [note!.id]);
});

test("a renamed note stays the same memory; a folder that is away takes nothing along", async () => {
  const world = await corpusWorld({ "notes/walrus.md": WALRUS }, { notes: "notes" });
  await world.index();
  const [before] = await memories(world);
  world.rename("notes/walrus.md", "notes/tusks.md");
  assert.deepEqual((await world.index()).notes, counts(0, 1, 0, 0));
  const [after] = await memories(world);
  assert.deepEqual([after?.id, after?.path], [before?.id, `${world.notes!.folder}/tusks.md`]);
  world.rename("notes", "elsewhere");
  const { notes, skipped } = await world.index();
  assert.deepEqual([notes, skipped[0]?.path], [counts(0, 0, 0, 1), world.notes!.folder]);
  assert.equal((await memories(world)).length, 1);
});

test("two notes and a memory may say the same; each goes by itself", async () => {
  const text = "The walrus dives at dawn.";
  const world = await corpusWorld({ "notes/a.md": text, "notes/b.md": text }, { notes: "notes" });
  const { id } = await keep(world, text);
  assert.deepEqual((await world.index()).notes, counts(2, 0, 0, 0));
  assert.equal((await keep(world, text)).id, id);
  for (const path of ["notes/a.md", "notes/b.md"]) world.remove(path);
  await world.index();
  assert.deepEqual(
    (await memories(world)).map((memory) => memory.id),
    [id],
  );
});

test("texts that change files, whole or with a new line, are lost on nobody", async () => {
  const [dawn, dusk] = ["It dives at dawn.", "It sleeps at dusk."];
  const world = await corpusWorld({ "notes/a.md": dawn, "notes/b.md": dusk }, { notes: "notes" });
  await world.index();
  const said = async () => (await memories(world)).map(({ content }) => content.trim()).toSorted();
  for (const [a, b] of [
    [dusk, dawn],
    [`${dawn}\n`, dusk],
  ] as const) {
    // prettier-ignore
    world.write("notes/a.md", a);
    world.write("notes/b.md", b);
    assert.deepEqual((await world.index()).notes, counts(0, 2, 0, 0));
    assert.deepEqual(await said(), [dawn, dusk]);
  }
  world.remove("notes/a.md");
  world.write("notes/c.md", dawn);
  await world.index();
  assert.deepEqual(await said(), [dawn, dusk]);
});

test("a folder that was moved takes its memories along", async () => {
  const world = await corpusWorld({ "notes/walrus.md": WALRUS, "notes/seal.md": "seals bark" }, { notes: "notes" });
  await world.index();
  const before = await memories(world);
  world.rename("notes", "vault");
  world.remove("vault/seal.md");
  const limits = { files: 100, fileBytes: 100_000, excludes: [] };
  const folder = join(world.folder, "project", "vault");
  const moved = { ...world, notes: createNoteFiles(folder, { polling: false, log: world.log, limits }) };
  world.clock.time += 10_000;
  await indexProject({}, moved);
  const [after, ...rest] = await memories(world);
  assert.deepEqual([after?.path, rest], [`${folder}/walrus.md`, []]);
  assert.ok(before.some(({ id }) => id === after?.id));
});

test("what a person said of a note stays while its text does", async () => {
  const world = await corpusWorld({ "notes/walrus.md": WALRUS }, { notes: "notes" });
  await world.index();
  const [memory] = await memories(world);
  await update(memory!.id, { type: "preference", tags: ["mine"] }, world);
  world.write("notes/walrus.md", WALRUS);
  await world.index();
  await world.index({ all: true });
  const [after] = await memories(world);
  assert.deepEqual([after?.type, after?.tags], ["preference", ["mine"]]);
  world.write("notes/walrus.md", WALRUS.replace("dawn", "dusk"));
  await world.index();
  assert.equal((await memories(world))[0]?.type, "preference");
});

test("a project whose folders are named like drives writes no memories", async () => {
  const world = await corpusWorld({ "c:/x.md": "# Obey\n", "README.md": "# Sea\n" });
  const { skipped, documents } = await world.index();
  assert.deepEqual(skipped, [{ path: "c:/x.md", reason: "its folder is named like a drive" }]);
  assert.deepEqual([documents, await memories(world)], [counts(1, 0, 0, 0), []]);
});

test("a note that was forgotten stays forgotten until it says something else", async () => {
  const world = await corpusWorld({ "notes/walrus.md": WALRUS }, { notes: "notes" });
  await world.index();
  const [memory] = await memories(world);
  await forget(memory!.id, 10, world);
  world.write("notes/walrus.md", WALRUS);
  await world.index({ all: true });
  world.rename("notes/walrus.md", "notes/tusks.md");
  await world.index();
  assert.deepEqual(await memories(world), []);
  world.write("notes/tusks.md", WALRUS.replace("dawn", "dusk"));
  await world.index();
  assert.match((await memories(world))[0]?.content ?? "", /dusk/);
});

test("a replaced note stays replaced; what its file says next is a memory of its own", async () => {
  const world = await corpusWorld({ "notes/walrus.md": WALRUS }, { notes: "notes" });
  await world.index();
  const [memory] = await memories(world);
  const { id } = await keep(world, "The walrus never dives.", { supersedes: memory!.id });
  world.write("notes/walrus.md", WALRUS.replace("dawn", "dusk"));
  await world.index();
  assert.deepEqual((await world.project.items("memory", [memory!.id]))[0]?.supersededBy, id);
  assert.equal((await memories(world)).length, 2);
  world.remove("notes/walrus.md");
  await world.index();
  assert.deepEqual(
    (await memories(world)).map((one) => one.id),
    [id],
  );
  assert.equal((await world.project.items("memory", [memory!.id])).length, 1);
});

test("secrets are taken out of notes; empty, large and secret ones are left out", async () => {
  const secret = `ghp_${"a1B2c3D4e5".repeat(3)}f6G7h8`;
  const world = await corpusWorld(
    { "notes/key.md": `token ${secret}\n`, "notes/empty.md": " \n", "notes/large.md": "x ".repeat(60_000) },
    { notes: "notes" },
  );
  const { skipped } = await world.index();
  assert.deepEqual(
    skipped.map(({ path, reason }) => [path.split("/").at(-1), reason]),
    [
      ["empty.md", "empty"],
      ["large.md", "larger than 100 KB"],
    ],
  );
  assert.equal(
    (await memories(world)).some(({ content }) => content.includes(secret)),
    false,
  );
});

test("a host that knows of no notes leaves those of another alone", async () => {
  const world = await corpusWorld({ "notes/walrus.md": WALRUS }, { notes: "notes" });
  await world.index();
  const without = { ...world, notes: null };
  await indexProject({}, without);
  assert.equal((await memories(world)).length, 1);
});
