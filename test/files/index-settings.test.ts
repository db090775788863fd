/** Settings of the index: how text is cut, and whether code is taken in at all. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Settings } from "../../src/world.ts";
import { ask } from "../test-world.ts";
import { askCode, askDocs, COLONY, type CorpusWorld, corpusWorld } from "./corpus-steps.ts";

const withIndex = (world: CorpusWorld, index: Partial<Settings["index"]>) =>
  Object.assign(world.settings, { index: { ...world.settings.index, ...index } });

async function linesOf(world: CorpusWorld, shelf: "document" | "code", path: string): Promise<string[]> {
  const item = await world.project.fileAt(shelf, path);
  const [whole] = await world.project.whole(shelf, [item!.id]);
  return whole!.passages.map(({ startLine, endLine }) => `${startLine}-${endLine}`);
}

test("text without structure is cut into chunks of so many lines; other settings cut it anew, and only once", async () => {
  const rows = Array.from({ length: 40 }, (_, index) => `row ${index + 1}`).join("\n");
  const world = await corpusWorld(
    { "rows.sql": rows, "rows.txt": rows, "known.ts": COLONY },
    { index: { chunkLines: 20, chunkOverlap: 4 } },
  );
  await world.index();
  for (const [shelf, path] of [["code", "rows.sql"] as const, ["document", "rows.txt"] as const]) {
    assert.deepEqual(await linesOf(world, shelf, path), ["1-20", "17-36", "33-40"], path);
  }
  const known = await linesOf(world, "code", "known.ts");
  withIndex(world, { chunkLines: 30, chunkOverlap: 0 });
  const { documents, code } = await world.index();
  assert.deepEqual([documents.updated, code.updated], [1, 2]);
  for (const [shelf, path] of [["code", "rows.sql"] as const, ["document", "rows.txt"] as const]) {
    assert.deepEqual(await linesOf(world, shelf, path), ["1-30", "31-40"], path);
  }
  assert.deepEqual(await linesOf(world, "code", "known.ts"), known, "definitions are cut as they are");
  const again = await world.index();
  assert.deepEqual([again.documents.unchanged, again.code.unchanged], [1, 2]);
});

test("without a code index no code is read, what was indexed leaves, and a search says so", async () => {
  const world = await corpusWorld({ "guide.md": "# Walrus\n\nThe walrus dives.\n", "colony.ts": COLONY });
  await world.index();
  assert.deepEqual(await world.paths("code"), ["colony.ts"]);
  withIndex(world, { code: "off" });
  const read: string[] = [];
  const { projectFiles } = world;
  const watched = {
    ...world,
    projectFiles: {
      ...projectFiles,
      read: (path: string, limit: number) => {
        read.push(path);
        return projectFiles.read(path, limit);
      },
    },
  };
  world.write("new.ts", COLONY);
  world.write("guide.md", "# Walrus\n\nThe walrus dives deep.\n");
  const { hits: docs } = await askDocs(watched, "walrus");
  assert.deepEqual([docs.map(({ path }) => path), read], [["guide.md"], ["guide.md"]]);
  assert.deepEqual([await world.paths("code"), await world.paths("document")], [[], ["guide.md"]]);
  assert.deepEqual((await ask(world, "walrus dive", { shelves: ["code"] })).hits, []);
  for (const more of [{}, { mode: "symbol" }, { regex: true }]) {
    const { hits, degraded } = await askCode(world, "walrusDive", more);
    assert.deepEqual([hits, degraded], [[], "code is not indexed: the setting index.code is off"]);
  }
  withIndex(world, { code: "on" });
  assert.equal((await askCode(world, "walrusDive", { mode: "symbol" })).hits.length, 2);
});
