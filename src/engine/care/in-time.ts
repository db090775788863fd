/** The result of some work, or null when it takes longer than allowed. The work itself goes on. */
import { setTimeout as sleep } from "node:timers/promises";

export async function inTime<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  const ended = new AbortController();
  const late = sleep(limitMs, null, { signal: ended.signal, ref: false }).catch(() => null);
  // When time runs out first, the late result has nobody left to hear of its failure.
  work.catch(() => null);
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
  }
}
