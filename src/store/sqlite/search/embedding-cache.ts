/** Vectors by embedder and text, so that no text is embedded twice. When full, the oldest are removed. */
import type { QuantisedVector } from "../../../model/journal/change.ts";
import type { Database } from "../connection/database.ts";

export const CACHE_LIMIT_ENTRIES = 20_000;
/** Trimming walks the whole index, so it runs only once in this many writes. */
const WRITES_BETWEEN_TRIMS = 256;

export function cacheWriter(db: Database) {
  const keep = db.prepare(`
    insert into embedding_cache (embedder, text_hash, at, scale, vector) values (@embedder, @hash, @at, @scale, @vector)
    on conflict (embedder, text_hash) do update set at = excluded.at`);
  const trim = db.prepare<[number]>(`
    delete from embedding_cache where (embedder, text_hash) in (
      select embedder, text_hash from embedding_cache order by at desc limit -1 offset ?)`);
  let written = WRITES_BETWEEN_TRIMS;
  return {
    keep(embedder: string, at: number, entries: readonly { hash: string; vector: QuantisedVector }[]): void {
      for (const { hash, vector } of entries) {
        keep.run({ embedder, hash, at, scale: vector.scale, vector: Buffer.from(vector.values) });
      }
      written += entries.length;
      if (written < WRITES_BETWEEN_TRIMS) return;
      trim.run(CACHE_LIMIT_ENTRIES);
      written = 0;
    },
  };
}
