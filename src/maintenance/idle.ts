/**
 * Idle work of a long-lived process: reports of hooks are digested, new memories are linked, pending passages are embedded, expired working memories
 * are deleted within a minute, other maintenance runs every hour, and a backup is made once a day.
 *
 * After each small batch it pauses for as long as the batch took. Failures (a lock, a dead worker) are retried with
 * growing delays; only an absent embedder stops embedding. It never keeps the process alive.
 */
import { linkMemories } from "../graph/link-memories.ts";
import { compareEmbedded } from "../memory/near.ts";
import { digest } from "../sessions/digest.ts";
import type { Store } from "../store/store.ts";
import type { World } from "../world.ts";
import { backUpDaily } from "./back-up.ts";
import { drain, type EmbeddedPassage } from "./backfill.ts";
import { expireWorking, maintain } from "./maintain.ts";

const BATCH_PASSAGES = 8;
const LINKED_PASSAGES = 32;
const BACKUP_MS = 3_600_000;
const PAUSES: IdlePauses = { lookAgainMs: 2_000, longestMs: 60_000, upkeepMs: 3_600_000, expiryMs: 30_000 };
/** Rewriting a larger file would block others too often, so that is left to the hourly upkeep. */
const REWRITTEN_AT_ONCE_BYTES = 64_000_000;

type IdleWorld = World;

export interface IdlePauses {
  /** Pause between checks of an empty queue; also the first pause after a failure, doubled by each further one. */
  readonly lookAgainMs: number;
  /** Also the delay of the first upkeep: a new process is busy with its first questions. */
  readonly longestMs: number;
  readonly upkeepMs: number;
  /** Pause between checks for expired memories. */
  readonly expiryMs: number;
  /** Pause between checks whether a backup is due; the first comes sooner, because many servers live briefly. */
  readonly backupMs?: number;
}

export function startIdleWork(world: IdleWorld, pauses: IdlePauses = PAUSES): { stop(): void } {
  const work = [startDraining(world, pauses), ...startUpkeep(world, pauses)];
  return { stop: () => work.forEach(({ stop }) => stop()) };
}

function startUpkeep(world: IdleWorld, pauses: IdlePauses): { stop(): void }[] {
  const { longestMs, upkeepMs, expiryMs, backupMs = BACKUP_MS } = pauses;
  /** Files that hold deleted bytes. */
  const unclean = new Set<Store>();

  /** Working memories are on this machine, so the server of a team is not asked: it may refuse, or be away. */
  async function expire(own: IdleWorld): Promise<void> {
    await expireWorking(own, unclean);
    await rewrite(REWRITTEN_AT_ONCE_BYTES);
  }

  async function rewrite(mostBytes: number): Promise<void> {
    for (const store of unclean) {
      const isSmall = (await store.size()).bytes <= mostBytes;
      if (isSmall && (await store.compact())) unclean.delete(store);
    }
  }

  async function upkeep(own: IdleWorld, isStopped: () => boolean): Promise<void> {
    if (await own.project.refusal?.()) return rewrite(Infinity);
    const done = await maintain(own, { isStopped, unclean });
    if (done?.working.traces.length === 0) unclean.clear();
  }

  return [
    repeat(expire, { firstMs: expiryMs, everyMs: expiryMs }, world),
    repeat(upkeep, { firstMs: longestMs, everyMs: upkeepMs }, world),
    repeat(async (own) => void (await backUpDaily(own)), { firstMs: backupMs / 6, everyMs: backupMs }, world),
  ];
}

/** Repeats the work; a failure is retried the next time. */
function repeat(
  work: (world: IdleWorld, isStopped: () => boolean) => Promise<void>,
  { firstMs, everyMs }: { firstMs: number; everyMs: number },
  world: IdleWorld,
): { stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  async function turn(): Promise<void> {
    try {
      // Its own call, so that it can be distinguished and undone separately.
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

function startDraining(world: IdleWorld, pauses: IdlePauses): { stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  let faults = 0;

  function schedule(delayMs: number): void {
    if (stopped) return;
    timer = setTimeout(() => void turn(), delayMs).unref();
  }

  async function turn(): Promise<void> {
    const started = performance.now();
    try {
      // Embedding comes last: a failing model keeps nothing else from its turn.
      const done = (await digestSome()) + (await linkSome()) + (await embedSome(world, () => stopped));
      faults = 0;
      schedule(done > 0 ? performance.now() - started : pauses.lookAgainMs);
    } catch (thrown) {
      if (!stopped) report(thrown as Error);
      schedule(Math.min(pauses.longestMs, pauses.lookAgainMs * 2 ** faults));
      faults += 1;
    }
  }

  async function digestSome(): Promise<number> {
    const origin = { ...world.origin, verb: "extract", call: world.ids.next() };
    return (await digest({ ...world, origin }, { isStopped: () => stopped }))?.reports ?? 0;
  }

  async function linkSome(): Promise<number> {
    let done = 0;
    const origin = { ...world.origin, verb: "maintain", call: world.ids.next() };
    for (const store of [world.project, world.global])
      if (!stopped) done += await linkMemories(store, { ...world, origin }, { limit: LINKED_PASSAGES });
    return done;
  }

  /** Warns about a lasting failure once, not at every attempt. */
  function report({ message }: Error): void {
    if (faults === 0) world.log.warn(`idle work failed and will be tried again: ${message}`);
    else world.log.debug(`idle work failed again: ${message}`);
  }

  schedule(pauses.lookAgainMs);
  return {
    stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
    },
  };
}

/** A small batch for each embedder and store. */
async function embedSome(world: IdleWorld, isStopped: () => boolean): Promise<number> {
  const { embedder: local, remoteEmbedder } = world;
  let done = 0;
  for (const embedder of [local, ...(remoteEmbedder ? [remoteEmbedder] : [])]) {
    if (embedder.state() === "absent") continue;
    for (const store of [world.project, world.global]) {
      // Counting is cheap; the model is loaded only if passages are pending.
      const waiting = isStopped() ? 0 : await store.waitingCount(embedder.identity);
      if (waiting === 0) continue;
      const stored: EmbeddedPassage[] = [];
      const onStored = (batch: readonly EmbeddedPassage[]) => stored.push(...batch);
      done += await drain(store, { ...world, embedder }, { limit: BATCH_PASSAGES, onStored });
      // A longer queue comes from an import, which is not compared.
      if (waiting <= BATCH_PASSAGES && embedder === local) await compareEmbedded(stored, store, world);
    }
  }
  return done;
}
