/** Vectors by embedder and text, so that no text is embedded twice. When full, the oldest are removed. */
import type { QuantisedVector } from "../../journal/change.ts";
import { queueReads } from "../queue.ts";
import type { Database, OpenDatabase } from "./database.ts";

const CACHE_LIMIT_ENTRIES = 20_000;

interface Entry {
  hash: string;
  vector: QuantisedVector;
}

/** About once in so many entries; which ones is decided by their hashes, because nothing is kept from one to the next. */
const TRIM_EVERY = 64;
const isTimeToTrim = (entries: readonly Entry[]): boolean =>
  entries.some(({ hash }) => Number.parseInt(hash.slice(-4), 16) % TRIM_EVERY === 0);

export function cacheWriter(db: Database): {
  keep(embedder: string, at: number, entries: readonly Entry[]): void;
} {
  const keep = db.prepare(`
    insert into embedding_cache (embedder, text_hash, at, scale, vector)
    select distinct on (hash) @embedder, hash, @at::bigint, scale, vector
    from unnest(@hashes::text[], @scales::double precision[], @vectors::bytea[]) kept (hash, scale, vector)
    on conflict (embedder, text_hash) do update set at = excluded.at`);
  // Walks the index of times up to the limit, so it is not done each time.
  const trim = db.prepare(`
    delete from embedding_cache
    where at < (select at from embedding_cache order by at desc offset ${CACHE_LIMIT_ENTRIES} limit 1)`);
  return {
    keep(embedder, at, entries) {
      if (entries.length === 0) return;
      keep.send({
        embedder,
        at,
        hashes: entries.map(({ hash }) => hash),
        scales: entries.map(({ vector }) => vector.scale),
        vectors: entries.map(({ vector }) => Buffer.from(vector.values)),
      });
      if (isTimeToTrim(entries)) trim.send();
    },
  };
}

/** A question's vector is asked for each time, and never changes. */
const MOST_KEPT = 1_000;

export function cacheReader(db: OpenDatabase) {
  const kept = db.kept(["cached vectors"], async () => new Map<string, QuantisedVector>());
  return async (embedder: string, hashes: readonly string[]): Promise<Map<string, QuantisedVector>> => {
    const known = await kept();
    const keyOf = (hash: string) => `${embedder} ${hash}`;
    const unknown = hashes.filter((hash) => !known.has(keyOf(hash)));
    const found =
      unknown.length > 0
        ? await db.drive(queueReads.cachedVectors(embedder, unknown))
        : new Map<string, QuantisedVector>();
    for (const hash of hashes) {
      const vector = known.get(keyOf(hash));
      if (vector) found.set(hash, vector);
    }
    // A batch of passages is asked for once; a question again and again.
    if (known.size >= MOST_KEPT) known.clear();
    if (hashes.length === 1) for (const [hash, vector] of found) known.set(keyOf(hash), vector);
    return found;
  };
}
