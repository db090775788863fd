/**
 * A deadline that also holds when this thread is stuck: another thread looks at the clock.
 *
 * Whoever is late is told with what it was doing, and the process ends, because there is no way back
 * from a loop that never ends.
 */
import { Worker } from "node:worker_threads";

export interface Deadline {
  begin(who: string, doing: string): void;
  end(who: string): void;
  stop(): Promise<void>;
}

export function startDeadline(limitMs: number): Deadline {
  const worker = new Worker(new URL("deadline-worker.ts", import.meta.url), { workerData: { limitMs } });
  worker.unref();
  return {
    begin: (who, doing) => worker.postMessage({ who, doing }),
    end: (who) => worker.postMessage({ who, doing: null }),
    stop: async () => void (await worker.terminate()),
  };
}
