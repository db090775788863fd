/**
 * An embedder without a model: words and their trigrams hashed into a fixed number of buckets.
 *
 * Deterministic on every machine, and texts that share words get similar vectors, which is all that tests and offline
 * runs need. It knows no synonyms and is no substitute for a trained model.
 */
import { Failure } from "../../errors.ts";
import type { Embedder } from "../../ports/embedder.ts";

const TRIGRAM_WEIGHT = 0.25;

export function createHashEmbedder(dimensions = 384): Embedder {
  let state: "cold" | "ready" | "absent" = "cold";

  async function load(): Promise<void> {
    if (state === "absent") throw new Failure("unavailable", "The embedder is closed.", "Create a new one.");
    state = "ready";
  }

  return {
    identity: `hash:${dimensions}:1`,
    dimensions,
    state: () => state,
    load,
    async embed(texts) {
      await load();
      return texts.map((text) => toVector(text, dimensions));
    },
    async close() {
      state = "absent";
    },
  };
}

function toVector(text: string, dimensions: number): Float32Array {
  const weights = new Float64Array(dimensions);
  // Here, because building the pattern takes long and few commands embed anything.
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    weights[hash(word) % dimensions]! += 1;
    const edged = `^${word}$`;
    for (let i = 0; i + 3 <= edged.length; i++) weights[hash(edged.slice(i, i + 3)) % dimensions]! += TRIGRAM_WEIGHT;
  }
  const length = Math.hypot(...weights);
  // A text without words still needs a direction: every vector has length one.
  if (length === 0) weights[0] = 1;
  return Float32Array.from(weights, (weight) => weight / (length || 1));
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}
