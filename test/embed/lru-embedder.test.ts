import assert from "node:assert/strict";
import { test } from "node:test";
import { createHashEmbedder, LRU_LIMIT_TEXTS, withLru } from "../../src/embed/embedders.ts";
import type { Embedder } from "../../src/ports.ts";

/** An embedder that writes down what it is asked. */
function listening(): { embedder: Embedder; asked: string[][] } {
  const asked: string[][] = [];
  const inner = createHashEmbedder(16);
  const embed: Embedder["embed"] = (texts) => {
    asked.push([...texts]);
    return inner.embed(texts);
  };
  return { embedder: { ...inner, embed }, asked };
}

test("only new texts are embedded, and vectors keep the order of the texts", async () => {
  const { embedder, asked } = listening();
  const cached = withLru(embedder);
  await cached.embed(["a", "b"]);
  const vectors = await cached.embed(["c", "a", "d", "b"]);
  assert.deepEqual(asked, [
    ["a", "b"],
    ["c", "d"],
  ]);
  assert.deepEqual(vectors, await createHashEmbedder(16).embed(["c", "a", "d", "b"]));
});

test("known texts do not reach the embedder at all", async () => {
  const { embedder, asked } = listening();
  const cached = withLru(embedder);
  const [first] = await cached.embed(["a"]);
  const [second] = await cached.embed(["a"]);
  assert.equal(asked.length, 1);
  assert.equal(second, first);
  assert.deepEqual(await cached.embed([]), []);
  assert.equal(asked.length, 1);
});

test("the least recently used text leaves first, and being asked is use", async () => {
  const { embedder, asked } = listening();
  const cached = withLru(embedder, 2);
  for (const text of ["a", "b", "a", "c", "a", "b"]) await cached.embed([text]);
  assert.deepEqual(asked.flat(), ["a", "b", "c", "b"]);
});

test("more texts at once than the cache holds are all answered", async () => {
  const { embedder, asked } = listening();
  const cached = withLru(embedder, 2);
  const texts = ["a", "b", "c", "d"];
  assert.deepEqual(await cached.embed(texts), await createHashEmbedder(16).embed(texts));
  await cached.embed(["d", "c"]);
  assert.equal(asked.length, 1);
  await cached.embed(["a"]);
  assert.deepEqual(asked.at(-1), ["a"]);
});

test("a failure is passed on and nothing is kept of it", async () => {
  const inner = createHashEmbedder(16);
  let isBroken = true;
  const cached = withLru({
    ...inner,
    embed: async (texts) => {
      if (isBroken) throw new Error("broken");
      return inner.embed(texts);
    },
  });
  await assert.rejects(cached.embed(["a"]), /broken/);
  isBroken = false;
  assert.deepEqual(await cached.embed(["a"]), await inner.embed(["a"]));
});

test("it stands for its embedder: identity, size, state, loading and closing", async () => {
  const inner = createHashEmbedder(16);
  const cached = withLru(inner);
  assert.equal(LRU_LIMIT_TEXTS, 10_000);
  assert.deepEqual([cached.identity, cached.dimensions], [inner.identity, 16]);
  assert.equal(cached.state(), "cold");
  await cached.load();
  assert.equal(inner.state(), "ready");
  await cached.close();
  assert.equal(cached.state(), "absent");
});
