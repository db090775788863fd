/**
 * What every embedder promises. `able` is false for one that can never embed.
 *
 * `make` gives a fresh one each time; the suite closes what it makes.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Failure } from "../../src/errors.ts";
import type { Embedder } from "../../src/ports.ts";

const TEXTS = ["user prefers dark mode", "", "中文 🚀", "the user prefers dark mode in the editor", "postgres"];

export function testEmbedder(name: string, make: () => Embedder, { able }: { able: boolean }): void {
  const promise = (title: string, check: (embedder: Embedder) => Promise<void>): void =>
    void test(title, async () => {
      const embedder = make();
      try {
        await check(embedder);
      } finally {
        await embedder.close();
      }
    });

  describe(name, { concurrency: false }, () => {
    promise("has an identity before anything is loaded, the same every time", async (embedder) => {
      assert.notEqual(embedder.identity, "");
      const other = make();
      assert.equal(other.identity, embedder.identity);
      assert.equal(other.dimensions, embedder.dimensions);
      assert.equal(other.state(), able ? "cold" : "absent");
      await other.close();
    });
    promise("can be closed twice and refuses work afterwards", async (embedder) => {
      await embedder.close();
      await embedder.close();
      assert.equal(embedder.state(), "absent");
      await assert.rejects(embedder.load(), isUnavailable);
      await assert.rejects(embedder.embed(["text"]), isUnavailable);
    });
    if (able) testAble(promise);
    else testUnable(promise);
  });
}

type Promised = (title: string, check: (embedder: Embedder) => Promise<void>) => void;

function testAble(promise: Promised): void {
  promise("loads once, however often it is asked, and then embeds", async (embedder) => {
    await Promise.all([embedder.load(), embedder.load()]);
    assert.equal(embedder.state(), "ready");
    await embedder.load();
    assert.deepEqual(await embedder.embed([]), []);
    await testVectors(embedder);
  });
  promise("loads by itself when asked for vectors", async (embedder) => {
    assert.equal((await embedder.embed(["text"])).length, 1);
    assert.equal(embedder.state(), "ready");
  });
}

/** In one go, because loading a model for each of these would take longer than all of them. */
async function testVectors(embedder: Embedder): Promise<void> {
  const vectors = await embedder.embed(TEXTS);
  assert.equal(vectors.length, TEXTS.length);
  for (const vector of vectors) {
    assert.equal(vector.length, embedder.dimensions);
    assert.ok(Math.abs(cosine(vector, vector) - 1) < 1e-5, "unit length");
  }
  const turned = await Promise.all([...TEXTS].reverse().map((text) => embedder.embed([text])));
  assert.deepEqual(turned.flat().reverse(), vectors, "a vector depends on its own text only");
  const many = await embedder.embed(Array.from({ length: 30 }, (_, i) => TEXTS[i % TEXTS.length]!));
  for (const [i, vector] of many.entries()) assert.deepEqual(vector, vectors[i % TEXTS.length], "order is kept");
  const [short, , , long, other] = vectors;
  assert.ok(cosine(short!, long!) > 0.5, "shared words point the same way");
  assert.ok(cosine(short!, long!) > cosine(short!, other!) + 0.2, "and unrelated ones do not");
}

function testUnable(promise: Promised): void {
  promise("says so instead of embedding", async (embedder) => {
    assert.equal(embedder.state(), "absent");
    await assert.rejects(embedder.load(), isUnavailable);
    await assert.rejects(embedder.embed(["text"]), isUnavailable);
  });
}

function isUnavailable(thrown: unknown): boolean {
  return thrown instanceof Failure && thrown.code === "unavailable" && thrown.hint !== "";
}

function cosine(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, i) => sum + value * right[i]!, 0);
}
