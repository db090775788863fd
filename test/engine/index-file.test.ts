/** Indexing a file, on real stores: one item a path, written anew only when it has changed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type FileRequest, indexFile } from "../../src/engine/index-file.ts";
import { contentHash } from "../../src/logic/content-hash.ts";
import { type TestWorld, ask, itemIn, testWorld } from "./test-world.ts";

const FILE: FileRequest = {
  shelf: "code",
  path: "src/open.ts",
  title: "src/open.ts",
  text: "export const open = 1;\n",
};

async function passagesOf(world: TestWorld, shelf: FileRequest["shelf"], id: string): Promise<string[]> {
  const all = await world.project.walk(shelf, { after: null, limit: 1_000 });
  return all.find(({ item }) => item.id === id)!.passages.map(({ text }) => text);
}

test("a file is stored under its path and found by its words", async () => {
  const world = await testWorld();
  for (const shelf of ["code", "document"] as const) {
    const id = await indexFile({ ...FILE, shelf, text: "the quick brown marmot\n" }, world);
    const item = (await itemIn(world, id, { shelf }))!;
    assert.deepEqual(
      [item.type, item.path, item.title, item.source, item.status, item.version],
      [shelf, FILE.path, FILE.title, "file-index", "active", 1],
    );
    assert.deepEqual([item.content, item.hash], ["the quick brown marmot\n", contentHash("the quick brown marmot\n")]);
    assert.deepEqual((await ask(world, "marmot", { shelves: [shelf] })).hits[0]?.id, id);
    assert.deepEqual((await world.project.fileAt(shelf, FILE.path))?.id, id);
  }
});

test("what has not changed is left alone, to the version", async () => {
  const world = await testWorld();
  const id = await indexFile(FILE, world);
  const before = await itemIn(world, id, { shelf: "code" });
  world.clock.time += 5_000;
  assert.equal(await indexFile(FILE, world), id);
  assert.deepEqual(await itemIn(world, id, { shelf: "code" }), before);
});

test("what has changed is stored anew under the same id, with new passages", async () => {
  const world = await testWorld();
  const id = await indexFile(FILE, world);
  world.clock.time += 5_000;
  const texts = ["export const close = 2;\n", "", "again\n".repeat(400)];
  for (const [index, text] of texts.entries()) {
    assert.equal(await indexFile({ ...FILE, text }, world), id);
    const item = (await itemIn(world, id, { shelf: "code" }))!;
    assert.deepEqual([item.content, item.version, item.updatedAt], [text, index + 2, world.clock.now()]);
    assert.equal((await passagesOf(world, "code", id)).join("\n").trim(), text.trim());
  }
  assert.equal(await indexFile({ ...FILE, text: texts[2]!, title: "Another" }, world), id);
  const item = (await itemIn(world, id, { shelf: "code" }))!;
  assert.deepEqual([item.title, item.version], ["Another", 5], "a title alone is a change");
  await indexFile({ ...FILE, text: texts[2]!, title: null }, world);
  assert.equal((await itemIn(world, id, { shelf: "code" }))?.title, null);
});

test("each path is a file of its own, also with equal text", async () => {
  const world = await testWorld();
  const ids = [
    await indexFile(FILE, world),
    await indexFile({ ...FILE, path: "src/other.ts" }, world),
    await indexFile({ ...FILE, path: "SRC/OPEN.TS" }, world),
    await indexFile({ ...FILE, shelf: "document" }, world),
  ];
  assert.equal(new Set(ids).size, 4);
});

test("two that index one file at once agree, and it stands once", async () => {
  const world = await testWorld();
  const ids = await Promise.all([
    indexFile(FILE, world),
    indexFile(FILE, world),
    indexFile({ ...FILE, text: "b" }, world),
  ]);
  assert.equal(new Set(ids).size, 1);
  assert.equal((await world.project.walk("code", { after: null, limit: 9 })).length, 1);
});

test("secrets are taken out of text and title, and an unchanged file stays unchanged", async () => {
  const world = await testWorld();
  const token = `gh${"p_"}aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6`;
  const file = { ...FILE, text: `const key = "${token}";`, title: `key ${token}` };
  const id = await indexFile(file, world);
  const item = (await itemIn(world, id, { shelf: "code" }))!;
  assert.ok(!JSON.stringify([item, await passagesOf(world, "code", id)]).includes(token.slice(4)));
  assert.equal(await indexFile(file, world), id);
  assert.equal((await itemIn(world, id, { shelf: "code" }))?.version, 1);
});

test("a path that is none is refused", async () => {
  const world = await testWorld();
  const paths = ["", "  ", "a\nb", "a\0b", "a\u001b[0m", "a\u2028b", "\ud800", "x".repeat(1_001)];
  for (const path of paths) {
    await assert.rejects(indexFile({ ...FILE, path }, world), { code: "invalid_input", message: /^A path / });
  }
  assert.deepEqual(await world.project.walk("code", { after: null, limit: 9 }), []);
  const longest = "é".repeat(1_000);
  const id = await indexFile({ ...FILE, path: longest }, world);
  assert.equal((await world.project.fileAt("code", longest))?.id, id);
});

test("secrets are taken out of paths, and names that differ in nothing else are one", async () => {
  const world = await testWorld();
  const tokens = ["aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6", "zB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC9"];
  const paths = tokens.map((token) => `keys/gh${"p_"}${token}/readme.md`);
  const ids = [];
  for (const path of paths) ids.push(await indexFile({ ...FILE, path, title: path }, world));
  assert.equal(new Set(ids).size, 1);
  const { path, title, version } = (await itemIn(world, ids[0]!, { shelf: "code" }))!;
  assert.deepEqual([path, title, version], [...Array(2).fill("keys/[redacted:github-token]/readme.md"), 1]);
  await assert.rejects(indexFile({ ...FILE, path: paths[0]!, text: "\0" }, world), { message: /^keys\/\[redacted:/ });
});

test("a title is one line of 200 characters at most", async () => {
  const world = await testWorld();
  const given = ["a\nb\u0007", "x".repeat(900), "\ud800", ""];
  const titles = [];
  for (const title of given) {
    const id = await indexFile({ ...FILE, title }, world);
    titles.push((await itemIn(world, id, { shelf: "code" }))!.title);
    assert.equal(await indexFile({ ...FILE, title }, world), id);
  }
  assert.deepEqual(titles, ["a b", "x".repeat(200), null, null]);
  const item = await world.project.fileAt("code", FILE.path);
  assert.equal(item?.version, 3, "what is the same when it is kept is no change");
});

test("what is no text is refused, and what stands under its path stays", async () => {
  const world = await testWorld();
  const id = await indexFile(FILE, world);
  for (const text of ["a\0b", "\ud800", "x".repeat(1_000_001), "\u0001\u0002\u0003"]) {
    await assert.rejects(indexFile({ ...FILE, text }, world), { code: "invalid_input", message: /^src\/open\.ts / });
  }
  assert.equal((await itemIn(world, id, { shelf: "code" }))?.content, FILE.text);
});
