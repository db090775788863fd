/** Reads what waits to be embedded, and embeddings by text. */
import type { QuantisedVector } from "../../model/change.ts";
import type { Shelf } from "../../model/shelf.ts";
import type { WaitingPassage } from "../../ports.ts";
import type { Database } from "./database.ts";
import { asInt8 } from "./vector-index.ts";

export function queueReader(db: Database) {
  const free = db.prepare<[number, number], { shelf: Shelf; passage: number }>(`
    select shelf, passage from passage_queue where lease_until <= ? order by rank, shelf, passage desc limit ?`);
  const count = db.prepare<[], { count: number }>(`select count(*) as count from passage_queue`);
  const embedder = db.prepare<[], { value: string }>(`select value from fact where key = 'embedder'`);
  const cached = db.prepare<[string, string], { text_hash: string; scale: number; vector: Buffer }>(`
    select text_hash, scale, vector from embedding_cache
    where embedder = ? and text_hash in (select value from json_each(?))`);

  function texts(shelf: Shelf, passages: readonly number[]): WaitingPassage[] {
    if (passages.length === 0) return [];
    return db
      .prepare<[string], { passage: number; title: string | null; text: string }>(
        `
        select passage.seq as passage, item.title, passage.text
        from ${shelf}_passage passage join ${shelf}_item item on item.seq = passage.item_seq
        where passage.seq in (select value from json_each(?)) order by passage.seq desc`,
      )
      .all(JSON.stringify(passages))
      .map(({ passage, title, text }) => ({ shelf, passage, text: title ? `${title}\n${text}` : text }));
  }

  return {
    /** Newest first within a rank: what was just written is what is asked about next. */
    waiting({ limit, now }: { limit: number; now: number }): WaitingPassage[] {
      // Rows of one shelf have one rank, so whole shelves follow each other in the order of the queue.
      const shelves = Map.groupBy(free.all(now, limit), (row) => row.shelf);
      return [...shelves].flatMap(([shelf, rows]) =>
        texts(
          shelf,
          rows.map((row) => row.passage),
        ),
      );
    },
    count: () => count.get()!.count,
    embedder: () => embedder.get()?.value ?? null,
    cachedVectors(identity: string, hashes: readonly string[]): Map<string, QuantisedVector> {
      const rows = cached.all(identity, JSON.stringify(hashes));
      return new Map(
        rows.map((row) => [row.text_hash, { values: new Int8Array(asInt8(row.vector)), scale: row.scale }]),
      );
    },
  };
}
