/**
 * Idle work of a long-lived process: waiting passages are embedded, half of the time at most, expired working memories
 * leave within a minute, and whatever else time asks for is done every hour.
 *
 * One small batch, then a pause as long as it took. What fails once (a lock, a worker that
 * died) is tried again, ever later; only an embedder that can never embed ends it. Nothing
 * keeps the process alive for it.
 */
import type { Store } from "../../ports/store.ts";
import type { Stores, World } from "../../ports/world.ts";
import { drain } from "./drain.ts";
import { expireWorking } from "./expire.ts";
import { maintain } from "./maintain.ts";

const BATCH_PASSAGES = 8;
const PAUSES: IdlePauses = { lookAgainMs: 2_000, longestMs: 60_000, upkeepMs: 3_600_000, expiryMs: 30_000 };
/** Rewriting a larger file would keep others waiting too often; it is done with the upkeep. */
const REWRITTEN_AT_ONCE_BYTES = 64_000_000;

type IdleWorld = Stores & Pick<World, "embedder" | "clock" | "ids" | "log" | "settings" | "origin">;

export interface IdlePauses {
  /** Between two looks at an empty queue; also the first pause after a fault, doubled by each further one. */
  readonly lookAgainMs: number;
  /** Before the first upkeep too: a process that has just begun is busy with its first questions. */
  readonly longestMs: number;
  readonly upkeepMs: number;
  /** Between two looks for what has expired. */
  readonly expiryMs: number;
}

export function startIdleWork(world: IdleWorld, pauses: IdlePauses = PAUSES): { stop(): void } {
  const work = [startEmbedding(world, pauses), ...startUpkeep(world, pauses)];
  return { stop: () => work.forEach(({ stop }) => stop()) };
}

function startUpkeep(world: IdleWorld, { longestMs, upkeepMs, expiryMs }: IdlePauses): { stop(): void }[] {
  /** Files that hold deleted bytes. */
  const unclean = new Set<Store>();

  async function expire(own: IdleWorld): Promise<void> {
    await expireWorking(own, unclean);
    for (const store of unclean) {
      const isSmall = (await store.report()).bytes <= REWRITTEN_AT_ONCE_BYTES;
      if (isSmall && (await store.compact())) unclean.delete(store);
    }
  }

  async function upkeep(own: IdleWorld, isStopped: () => boolean): Promise<void> {
    const { working } = await maintain(own, isStopped, unclean);
    if (working.traces.length === 0) unclean.clear();
  }

  return [
    repeat(expire, { firstMs: expiryMs, everyMs: expiryMs }, world),
    repeat(upkeep, { firstMs: longestMs, everyMs: upkeepMs }, world),
  ];
}

/** Again and again; what fails is tried again the next time. */
function repeat(
  work: (world: IdleWorld, isStopped: () => boolean) => Promise<void>,
  { firstMs, everyMs }: { firstMs: number; everyMs: number },
  world: IdleWorld,
): { stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  async function turn(): Promise<void> {
    try {
      // A call of its own, so that it can be told from what was asked for, and taken back.
      const origin = { ...world.origin, verb: "maintain", call: world.ids.next() };
      if (!world.project.readOnly && !world.global.readOnly) await work({ ...world, origin }, () => stopped);
    } catch (thrown) {
      if (!stopped) world.log.debug(`upkeep failed and will be tried again: ${(thrown as Error).message}`);
    }
    schedule(everyMs);
  }

  function schedule(delayMs: number): void {
    if (!stopped) timer = setTimeout(() => void turn(), delayMs).unref();
  }

  schedule(firstMs);
  return {
    stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
    },
  };
}

function startEmbedding(world: IdleWorld, pauses: IdlePauses): { stop(): void } {
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
