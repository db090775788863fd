import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { cachedGraph } from "../../../src/embed/minilm/graph-cache.ts";

const root = await mkdtemp(join(tmpdir(), "stele-graph-"));
after(() => rm(root, { recursive: true }));

const GRAPH = Uint8Array.from({ length: 1_000 }, (_, i) => i % 251);
const build = async (): Promise<Uint8Array> => GRAPH;
const neverBuild = async (): Promise<Uint8Array> => assert.fail("built although it was cached");

/** The graph of a file, whose last field is its digest. */
const contentOf = async (graph: string | Uint8Array) =>
  typeof graph === "string" ? (await readFile(graph)).subarray(0, GRAPH.length) : Buffer.from(graph);

async function filled(name: string): Promise<{ folder: string; file: string }> {
  const folder = join(root, name);
  assert.equal((await cachedGraph(folder, "key", build)).origin, "kept");
  return { folder, file: join(folder, "key.graph") };
}

test("builds once, then reads", async () => {
  const { folder } = await filled("once");
  const { graph, bytes, origin } = await cachedGraph(folder, "key", neverBuild);
  assert.deepEqual({ bytes, origin }, { bytes: GRAPH.length, origin: "cached" });
  assert.deepEqual(await contentOf(graph), Buffer.from(GRAPH));
});

test("keeps it from other users, and leaves nothing else behind", async () => {
  const { folder, file } = await filled("modes");
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ["key.graph"]);
});

test("another key is another graph", async () => {
  const { folder } = await filled("keys");
  assert.equal((await cachedGraph(folder, "other", build)).origin, "kept");
});

const damages: [string, (file: string) => Promise<void>][] = [
  ["empty", (file) => truncate(file, 0)],
  ["cut", (file) => truncate(file, 700)],
  ["longer", async (file) => writeFile(file, Buffer.concat([await readFile(file), Buffer.of(0)]))],
  ["altered", async (file) => writeFile(file, (await readFile(file)).fill(7, 500, 501))],
];
for (const [name, damage] of damages)
  test(`a file that is ${name} is built anew and replaced`, async () => {
    const { folder, file } = await filled(name);
    await damage(file);
    const { graph, origin } = await cachedGraph(folder, "key", build);
    assert.equal(origin, "kept");
    assert.deepEqual(await contentOf(graph), Buffer.from(GRAPH));
    assert.equal((await cachedGraph(folder, "key", neverBuild)).origin, "cached");
  });

test("a folder that cannot be made costs the cache only", async () => {
  const file = join(root, "file");
  await writeFile(file, "");
  const { graph, origin } = await cachedGraph(join(file, "folder"), "key", build);
  assert.equal(origin, "unkept");
  assert.equal(graph, GRAPH);
});

test("processes that write at once each have a file of their own", async () => {
  const folder = join(root, "torn");
  // What another process has written of its file so far.
  await filled("torn");
  await rm(join(folder, "key.graph"));
  await writeFile(join(folder, "key.graph.1.tmp"), GRAPH.subarray(0, 10));
  assert.equal((await cachedGraph(folder, "key", build)).origin, "kept");
  assert.equal((await cachedGraph(folder, "key", neverBuild)).origin, "cached");
});

test("writers that meet all get their graph, and the file is whole", async () => {
  const folder = join(root, "meeting");
  const all = await Promise.all(Array.from({ length: 8 }, () => cachedGraph(folder, "key", build)));
  for (const { graph } of all) assert.deepEqual(await contentOf(graph), Buffer.from(GRAPH));
  await cachedGraph(folder, "key", build);
  assert.equal((await cachedGraph(folder, "key", neverBuild)).origin, "cached");
});

test("a build that fails says why", async () => {
  const failing = cachedGraph(join(root, "failing"), "key", () => Promise.reject(new Error("no weights")));
  await assert.rejects(failing, /no weights/);
});
