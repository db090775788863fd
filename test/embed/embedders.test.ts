import assert from "node:assert/strict";
import { test } from "node:test";
import { createHashEmbedder, createNoEmbedder } from "../../src/embed/embedders.ts";
import { testEmbedder } from "./embedder-suite.ts";

testEmbedder("hash", () => createHashEmbedder(), { able: true });
testEmbedder("none", () => createNoEmbedder(), { able: false });

test("hashed vectors have the asked size, ignore case, and differ by identity when sizes do", async () => {
  const small = createHashEmbedder(64);
  const [lower, upper] = await small.embed(["dark mode", "Dark MODE"]);
  assert.equal(lower!.length, 64);
  assert.deepEqual(upper, lower);
  assert.notEqual(small.identity, createHashEmbedder(128).identity);
});

test("hashed vectors know parts of words", async () => {
  const [asked, inflected, other] = await createHashEmbedder().embed(["embedding", "embedded", "kiwi"]);
  const cosine = (right: Float32Array): number => asked!.reduce((sum, value, i) => sum + value * right[i]!, 0);
  assert.ok(cosine(inflected!) > cosine(other!));
});
