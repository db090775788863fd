/**
 * Lets work in several steps go first, such as an erasure: meanwhile, writers of other processes wait.
 *
 * Every transaction shares a second lock, that of an empty table, and whoever goes first holds it alone. A server releases it when
 * its holder dies; after a few seconds the holder does so itself.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { OpenDatabase } from "./database.ts";

interface RightOfWay {
  goFirst<T>(work: () => Promise<T>): Promise<T>;
  /** Whether the writes of this process go before those of others. */
  isFirst(): boolean;
}

/** Longer than most erasures take, and shorter than a writer waits for a lock. */
const MOST_MS = 4_000;

export function rightOfWay(db: OpenDatabase): RightOfWay {
  let going = 0;
  return {
    isFirst: () => going > 0,
    async goFirst(work) {
      const done = new AbortController();
      const held = going > 0 ? null : db.holdWay(() => sleep(MOST_MS, undefined, { signal: done.signal }));
      await held?.taken;
      going += 1;
      try {
        return await work();
      } finally {
        going -= 1;
        done.abort();
        await held?.released;
      }
    },
  };
}
