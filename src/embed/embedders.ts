/**
 * One shared embedder per key: the first user creates it, the last one closes it.
 *
 * Each user has a handle. A closed handle refuses work and rejects its pending requests, as if the embedder were its
 * own; other users are not affected.
 */
import { Failure } from "../errors.ts";
import type { Embedder } from "../ports.ts";

export function createJoint(create: (key: string) => Embedder): (key: string) => Embedder {
  const joint = new Map<string, { embedder: Embedder; users: number }>();

  function join(key: string): Embedder {
    const entry = joint.get(key) ?? { embedder: create(key), users: 0 };
    joint.set(key, entry);
    entry.users += 1;
    return handleOf(entry.embedder, async () => {
      entry.users -= 1;
      if (entry.users > 0) return;
      joint.delete(key);
      await entry.embedder.close();
    });
  }
  return join;
}

function handleOf(embedder: Embedder, leave: () => Promise<void>): Embedder {
  const closed = () => new Failure("unavailable", "The embedder is closed.", "Create a new one.");
  const pending = new Set<(failure: Failure) => void>();
  let left: Promise<void> | null = null;

  async function unlessClosed<T>(work: () => Promise<T>): Promise<T> {
    if (left !== null) throw closed();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    pending.add(reject);
    work().then(resolve, reject);
    try {
      return await promise;
    } finally {
      pending.delete(reject);
    }
  }

  return {
    identity: embedder.identity,
    dimensions: embedder.dimensions,
    state: () => (left === null ? embedder.state() : "absent"),
    load: () => unlessClosed(() => embedder.load()),
    embed: (texts) => unlessClosed(() => embedder.embed(texts)),
    close() {
      left ??= leave();
      for (const reject of pending) reject(closed());
      return left;
    },
  };
}

/** Caches the most recent vectors in memory, so that asking twice costs nothing. */
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

/**
 * An embedder without a model: words and their trigrams hashed into a fixed number of buckets.
 *
 * Deterministic on every machine, and texts that share words get similar vectors, which is all that tests and offline
 * runs need. It knows no synonyms and is no substitute for a trained model.
 */
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

/** Used when embeddings are turned off: always absent, so that search reports it and answers by keyword. */
export function createNoEmbedder(): Embedder {
  const refuse = async (): Promise<never> => {
    const hint = "Choose an embedding provider in the settings, or search by keyword.";
    throw new Failure("unavailable", "No embedding provider is configured.", hint);
  };
  return {
    identity: "none",
    dimensions: 0,
    state: () => "absent",
    load: refuse,
    embed: refuse,
    close: async () => undefined,
  };
}
