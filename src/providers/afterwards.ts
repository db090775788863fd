/**
 * Work after the answer: begun a moment later, all of it together, awaited at the end.
 *
 * What several answers leave behind is then written in one go instead of getting in the
 * way of the next question. A failure is logged, never thrown.
 */
import type { Afterwards, Log } from "../ports/world.ts";

const PAUSE_MS = 200;

export function createAfterwards(log: Log, pauseMs = PAUSE_MS): Afterwards {
  const running = new Set<Promise<void>>();
  let waiting: { what: string; work: () => Promise<unknown> }[] = [];
  let timer: NodeJS.Timeout | null = null;
  let settling = 0;

  function begin(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    const tasks = waiting;
    waiting = [];
    for (const { what, work } of tasks) {
      // A task may throw before its first promise; it must not take the others with it.
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
      waiting.push({ what, work });
      timer ??= setTimeout(begin, pauseMs).unref();
    },
    async settle() {
      settling += 1;
      while (waiting.length > 0 || running.size > 0) {
        begin();
        await Promise.all(running);
      }
      settling -= 1;
    },
    isSettling: () => settling > 0,
  };
}
