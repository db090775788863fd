/** The store's queue of passages that wait for a vector, and the vectors that are known already. */
import type { QueueReads } from "../../../ports/store/queue.ts";
import type { Database } from "../connection/database.ts";
import { cacheReader } from "./embedding-cache.ts";
import { queueReader } from "./passage-queue.ts";

export function queueReads(db: Database): QueueReads {
  const queue = queueReader(db);
  return {
    embedderUsedAt: queue.usedAt,
    waiting: queue.waiting,
    waitingCount: queue.count,
    cachedVectors: cacheReader(db),
  };
}
