/**
 * Idle work of a long-lived process: waiting passages are embedded, half of the time at most.
 *
 * One small batch, then a pause as long as it took. Nothing keeps the process alive for it,
 * and a failing embedder ends it rather than being tried for ever.
 */
import type { World } from "../ports.ts";
import { drain } from "./drain.ts";

const LOOK_AGAIN_MS = 2_000;
const BATCH_PASSAGES = 8;

export function startIdleWork(world: World): { stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  function schedule(delayMs: number): void {
    if (stopped) return;
    timer = setTimeout(() => void turn(), delayMs);
    timer.unref();
  }

  async function turn(): Promise<void> {
    const started = performance.now();
    try {
      let done = 0;
      for (const store of [world.project, world.global]) {
        // Asking is cheap and loads nothing; only waiting passages wake the model.
        if (!stopped && (await store.waitingCount()) > 0) done += await drain(store, world, { limit: BATCH_PASSAGES });
      }
      schedule(done > 0 ? performance.now() - started : LOOK_AGAIN_MS);
    } catch (thrown) {
      if (!stopped) world.log.warn(`idle embedding stopped: ${(thrown as Error).message}`);
    }
  }

  schedule(LOOK_AGAIN_MS);
  return {
    stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
    },
  };
}
