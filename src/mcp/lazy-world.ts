/**
 * Lazy world: opened by the first call, used by all, closed once.
 *
 * A client that only lists tools never loads a store or a model. Closing waits briefly
 * for running calls, because their writes are worth keeping. A world whose stores have moved is opened
 * again before the next call, and one without any before the first that writes; an index that was wanted in it, where it
 * was kept nowhere, is wanted in the next.
 */
import type { Opened, Purpose } from "../catalog/dispatch.ts";
import { Failure } from "../errors.ts";
import type { World } from "../world.ts";

export type StartIdle = (world: World) => { stop(): void };

export interface LazyWorld {
  use<T>(work: (world: World) => Promise<T>, purpose: Purpose): Promise<T>;
  /** Waits for running calls until `grace` settles. */
  close(grace: Promise<unknown>): Promise<void>;
}

export function lazyWorld(open: (purpose: Purpose) => Promise<Opened>, startIdle: StartIdle | undefined): LazyWorld {
  let opening: Promise<Opened> | null = null;
  let idle: { stop(): void } | null = null;
  let closed = false;
  const running = new Set<Promise<unknown>>();
  const leaving: Promise<unknown>[] = [];

  function opened(purpose: Purpose): Promise<Opened> {
    opening ??= open(purpose).catch((thrown: unknown) => {
      // An attempt that failed (a locked file, a full disk) may succeed on the next call.
      opening = null;
      throw thrown;
    });
    return opening;
  }

  /** The calls that still use the former world end in it. */
  async function current(purpose: Purpose): Promise<Opened> {
    const awaited = opened(purpose);
    const found = await awaited;
    const isLeft = (found.isBlank && !purpose.reads) || (await found.isMoved?.());
    if (!isLeft) return found;
    // Another call was faster.
    if (opening !== awaited) return current(purpose);
    idle?.stop();
    [idle, opening] = [null, null];
    leaving.push(Promise.allSettled([...running]).then(() => found.close()));
    const next = await opened(purpose);
    if (found.isBlank) next.world.indexing.isWanted ||= found.world.indexing.isWanted;
    return next;
  }

  async function serve<T>(work: (world: World) => Promise<T>, purpose: Purpose): Promise<T> {
    const { world, isBlank } = await current(purpose);
    try {
      return await work(world);
    } finally {
      // Upkeep would take in what hooks leave, and it would be lost.
      if (!closed && !isBlank) idle ??= startIdle?.(world) ?? null;
    }
  }

  return {
    async use(work, purpose) {
      if (closed) throw new Failure("unavailable", "The server is closing.", "Start it again.");
      const call = serve(work, purpose);
      running.add(call);
      try {
        return await call;
      } finally {
        running.delete(call);
      }
    },
    async close(grace) {
      if (closed) return;
      closed = true;
      idle?.stop();
      await Promise.race([Promise.allSettled(running), grace]);
      // A failed opening needs no closing; the call that caused it reports why.
      const last = await opening?.catch(() => null);
      await last?.close();
      await Promise.race([Promise.allSettled(leaving), grace]);
    },
  };
}
