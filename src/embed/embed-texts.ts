/**
 * Embeds texts, through a cache in the store.
 *
 * A text that was embedded once is never embedded again, not even by another process, and a
 * repeated question needs no model. New vectors are quantised like stored ones, so that a
 * cached and a fresh vector rank alike.
 */
import type { QuantisedVector } from "../journal/change.ts";
import type { QueueReads } from "../store/store.ts";
import { contentHash } from "../text/content-hash.ts";
import type { World } from "../world.ts";
import { quantise } from "./quantise.ts";

export interface Embedded {
  hash: string;
  vector: QuantisedVector;
  isFresh: boolean;
}

export async function cachedEmbedding(
  text: string,
  store: QueueReads,
  world: Pick<World, "embedder">,
): Promise<Embedded | null> {
  const hash = contentHash(text);
  const vector = (await store.cachedVectors(world.embedder.identity, [hash])).get(hash);
  return vector ? { hash, vector, isFresh: false } : null;
}

export async function embedTexts(
  texts: readonly string[],
  store: QueueReads,
  world: Pick<World, "embedder">,
): Promise<Embedded[]> {
  const hashes = texts.map(contentHash);
  const known = await store.cachedVectors(world.embedder.identity, hashes);
  const missing = new Map(
    texts.map((text, index) => [hashes[index]!, text] as const).filter(([hash]) => !known.has(hash)),
  );
  const fresh = await world.embedder.embed([...missing.values()]);
  const added = new Map([...missing.keys()].map((hash, index) => [hash, quantise(fresh[index]!)]));
  return hashes.map((hash) => ({ hash, vector: (known.get(hash) ?? added.get(hash))!, isFresh: !known.has(hash) }));
}
