/** Work after the answer: started when the current turn is over, awaited at the end, its failures logged. */
import type { Afterwards, Log } from "../ports.ts";

export function createAfterwards(log: Log): Afterwards {
  const running = new Set<Promise<void>>();
  return {
    add(what, work) {
      const task = new Promise<void>((resolve) => setImmediate(resolve))
        .then(work)
        .then(() => {})
        .catch((thrown: unknown) =>
          log.debug(`could not ${what}: ${thrown instanceof Error ? thrown.message : thrown}`),
        )
        .finally(() => running.delete(task));
      running.add(task);
    },
    async settle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
