/** Puts passages on the queue of each embedder as they are written, and takes them off as they are removed. */
import { mayEmbed } from "../../../model/care/provider.ts";
import type { Shelf } from "../../../model/memory/shelves.ts";
import { rankOf } from "../../rows/search/queue-ranks.ts";
import type { Database } from "../connection/database.ts";

export interface QueueWriter {
  enqueue(shelf: Shelf, passage: number): void;
  /** Takes a passage that is being removed off every queue. */
  forget(shelf: Shelf, passage: number): void;
  /** Called when a transaction has ended, or an embedder may have been adopted. */
  reset(): void;
}

export function queueWriter(db: Database): QueueWriter {
  const known = db.prepare<[], string>(`select identity from embedder`).pluck();
  const add = db.prepare<[string, number, number]>(
    `insert or ignore into passage_queue (embedder, rank, recency) values (?, ?, ?)`,
  );
  const drop = db.prepare<[string, number, number]>(
    `delete from passage_queue where embedder = ? and rank = ? and recency = ?`,
  );
  // Read once per transaction: another process may adopt an embedder in between.
  let adopted: string[] | null = null;
  const embedders = () => (adopted ??= known.all());
  return {
    enqueue(shelf, passage) {
      for (const embedder of embedders()) if (mayEmbed(embedder, shelf)) add.run(embedder, rankOf(shelf), -passage);
    },
    forget(shelf, passage) {
      for (const embedder of embedders()) drop.run(embedder, rankOf(shelf), -passage);
    },
    reset() {
      adopted = null;
    },
  };
}
