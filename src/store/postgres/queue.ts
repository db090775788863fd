/** What a process need not ask again about the queue while it hears of every change. */
import type { Shelf } from "../../memory/shelves.ts";
import { queueReads } from "../queue.ts";
import type { QueueReads } from "../store.ts";
import type { OpenDatabase } from "./database.ts";
import { cacheReader } from "./embedding-cache.ts";

export function keptQueue(db: OpenDatabase): Pick<QueueReads, "waitingCount" | "cachedVectors"> {
  // By embedder and shelves, of which a process asks for few combinations.
  const counts = db.kept(["queue"], async () => new Map<string, Promise<number>>());

  async function waitingCount(embedder: string, shelves?: readonly Shelf[]): Promise<number> {
    const known = await counts();
    const key = `${embedder} ${shelves?.join(" ") ?? ""}`;
    const count = known.get(key) ?? db.drive(queueReads.waitingCount(embedder, shelves));
    known.set(key, count);
    count.catch(() => known.delete(key));
    return count;
  }

  return { waitingCount, cachedVectors: cacheReader(db) };
}
