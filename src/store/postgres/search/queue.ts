/** The store's queue of passages that wait for a vector, and the vectors that are known already. */
import type { Shelf } from "../../../model/memory/shelves.ts";
import type { QueueReads } from "../../../ports/store/queue.ts";
import type { OpenDatabase } from "../connection/database.ts";
import { cacheReader } from "./embedding-cache.ts";
import { queueReader } from "./passage-queue.ts";

export function queueReads(db: OpenDatabase): QueueReads {
  const queue = queueReader(db);
  // By embedder and shelves, of which a process asks for few combinations.
  const counts = db.kept(["queue"], async () => new Map<string, Promise<number>>());

  async function waitingCount(embedder: string, shelves?: readonly Shelf[]): Promise<number> {
    const known = await counts();
    const key = `${embedder} ${shelves?.join(" ") ?? ""}`;
    const count = known.get(key) ?? queue.count(embedder, shelves);
    known.set(key, count);
    count.catch(() => known.delete(key));
    return count;
  }

  return {
    embedderUsedAt: queue.usedAt,
    waiting: queue.waiting,
    waitingCount,
    cachedVectors: cacheReader(db),
  };
}
