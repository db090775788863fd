/**
 * Work after the answer: started together a moment later, awaited at the end.
 *
 * Writes from several answers are then done at once, without delaying the next question. A failure is logged, never
 * thrown.
 */
import type { Afterwards, Log } from "../world.ts";

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

/** Diagnostics go to one stream, never to stdout, which is reserved for answers and protocols. */
const LOG_LEVELS = ["silent", "warn", "debug"] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

export function createLog(level: LogLevel, stream: { write(text: string): unknown }): Log {
  const wanted = LOG_LEVELS.indexOf(level);
  const write = (severity: LogLevel, message: string) => {
    if (wanted >= LOG_LEVELS.indexOf(severity)) stream.write(`stele: ${message.replace(/\s+/g, " ").slice(0, 500)}\n`);
  };
  return { debug: (message) => write("debug", message), warn: (message) => write("warn", message) };
}

/** Resolves when somebody asks this process to end. A second signal of the same kind ends it at once, as usual. */
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function stopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of STOP_SIGNALS) process.once(signal, () => resolve());
  return promise;
}
