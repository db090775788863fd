/**
 * Work after the answer: started together a moment later, awaited at the end.
 *
 * Writes from several answers are then done at once, without delaying the next question. A failure is logged, never
 * thrown.
 */
import type { Afterwards, Log } from "../ports/world.ts";

const PAUSE_MS = 200;

export function createAfterwards(log: Log, pauseMs = PAUSE_MS): Afterwards {
  const running = new Set<Promise<void>>();
  let pending: { what: string; work: () => Promise<unknown> }[] = [];
  let timer: NodeJS.Timeout | null = null;
  let settling = 0;

  function begin(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    const tasks = pending;
    pending = [];
    for (const { what, work } of tasks) {
      // A task may throw synchronously; that must not stop the others.
      const task = Promise.resolve()
        .then(work)
        .then(() => {})
        .catch((thrown: unknown) =>
          log.debug(`could not ${what}: ${thrown instanceof Error ? thrown.message : thrown}`),
        )
        .finally(() => running.delete(task));
      running.add(task);
    }
  }

  return {
    add(what, work) {
      pending.push({ what, work });
      timer ??= setTimeout(begin, pauseMs).unref();
    },
    async settle() {
      settling += 1;
      while (pending.length > 0 || running.size > 0) {
        begin();
        await Promise.all(running);
      }
      settling -= 1;
    },
    isSettling: () => settling > 0,
  };
}
