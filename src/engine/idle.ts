/**
 * Idle work of a long-lived process: waiting passages are embedded, half of the time at most,
 * and what time asks for is done every hour.
 *
 * One small batch, then a pause as long as it took. What fails once (a lock, a worker that
 * died) is tried again, ever later; only an embedder that can never embed ends it. Nothing
 * keeps the process alive for it.
 */
import type { World } from "../ports.ts";
import { drain } from "./drain.ts";
import { maintain } from "./maintain.ts";

const BATCH_PASSAGES = 8;
const PAUSES: IdlePauses = { lookAgainMs: 2_000, longestMs: 60_000, upkeepMs: 3_600_000 };

export interface IdlePauses {
  /** Between two looks at an empty queue; also the first pause after a fault, doubled by each further one. */
  readonly lookAgainMs: number;
  /** Before the first upkeep too: a process that has just begun is busy with its first questions. */
  readonly longestMs: number;
  readonly upkeepMs: number;
}

export function startIdleWork(world: World, pauses: IdlePauses = PAUSES): { stop(): void } {
  const work = [startEmbedding(world, pauses), startUpkeep(world, pauses)];
  return { stop: () => work.forEach(({ stop }) => stop()) };
}

function startUpkeep(world: World, { longestMs, upkeepMs }: IdlePauses): { stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  async function turn(): Promise<void> {
    try {
      // A call of its own, so that it can be told from what was asked for, and taken back.
      const origin = { ...world.origin, verb: "maintain", call: world.ids.next() };
      if (!world.project.readOnly && !world.global.readOnly) await maintain({ ...world, origin }, () => stopped);
    } catch (thrown) {
      if (!stopped) world.log.debug(`upkeep failed and will be tried again: ${(thrown as Error).message}`);
    }
    schedule(upkeepMs);
  }

  function schedule(delayMs: number): void {
    if (!stopped) timer = setTimeout(() => void turn(), delayMs).unref();
  }

  schedule(longestMs);
  return {
    stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
    },
  };
}

function startEmbedding(world: World, pauses: IdlePauses): { stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  let faults = 0;

  function schedule(delayMs: number): void {
    if (stopped || world.embedder.state() === "absent") return;
    timer = setTimeout(() => void turn(), delayMs).unref();
  }

  async function turn(): Promise<void> {
    const started = performance.now();
    try {
      const done = await embedSome();
      faults = 0;
      schedule(done > 0 ? performance.now() - started : pauses.lookAgainMs);
    } catch (thrown) {
      if (!stopped) tell(thrown as Error);
      schedule(Math.min(pauses.longestMs, pauses.lookAgainMs * 2 ** faults));
      faults += 1;
    }
  }

  async function embedSome(): Promise<number> {
    let done = 0;
    for (const store of [world.project, world.global]) {
      // Asking is cheap and loads nothing; only waiting passages wake the model.
      if (!stopped && (await store.waitingCount(world.embedder.identity)) > 0)
        done += await drain(store, world, { limit: BATCH_PASSAGES });
    }
    return done;
  }

  /** A fault that lasts is told once, not at every attempt. */
  function tell({ message }: Error): void {
    if (faults === 0) world.log.warn(`idle embedding failed and will be tried again: ${message}`);
    else world.log.debug(`idle embedding failed again: ${message}`);
  }

  schedule(pauses.lookAgainMs);
  return {
    stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
    },
  };
}
