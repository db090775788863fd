/** Caches the most recent vectors in memory, so that asking twice costs nothing. */
import type { Embedder } from "../../ports/embedder.ts";

export const LRU_LIMIT_TEXTS = 10_000;

export function withLru(embedder: Embedder, limit = LRU_LIMIT_TEXTS): Embedder {
  const recent = new Map<string, Float32Array>();

  function recall(text: string): Float32Array | undefined {
    const vector = recent.get(text);
    if (vector) keep(text, vector);
    return vector;
  }

  function keep(text: string, vector: Float32Array): void {
    recent.delete(text);
    recent.set(text, vector);
    if (recent.size > limit) recent.delete(recent.keys().next().value!);
  }

  return {
    identity: embedder.identity,
    dimensions: embedder.dimensions,
    state: () => embedder.state(),
    load: () => embedder.load(),
    async embed(texts) {
      const vectors = texts.map(recall);
      const missing = texts.flatMap((_, index) => (vectors[index] ? [] : [index]));
      const fresh = missing.length > 0 ? await embedder.embed(missing.map((index) => texts[index]!)) : [];
      for (const [position, index] of missing.entries()) {
        vectors[index] = fresh[position]!;
        keep(texts[index]!, fresh[position]!);
      }
      return vectors as Float32Array[];
    },
    close: () => embedder.close(),
  };
}
