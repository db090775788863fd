/** The result of some work, or null if it takes too long. The work itself continues. */
import { setTimeout as sleep } from "node:timers/promises";

export async function inTime<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  const ended = new AbortController();
  const late = sleep(limitMs, null, { signal: ended.signal, ref: false }).catch(() => null);
  // After a timeout nobody handles a later failure, which must not become an unhandled rejection.
  work.catch(() => null);
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
  }
}
