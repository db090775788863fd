/**
 * Leases for long work that only one process may do at a time.
 *
 * A lease expires by itself, so that a dead process does not block others for long; its holder renews it.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "../errors.ts";
import type { LeaseReads, Writes } from "../store/store.ts";
import type { World } from "../world.ts";

/** How long at most a dead process blocks others. */
export const LEASE_MS = 12_000;
/** No lease of a live process ends as late as this. */
export const FAR_AHEAD_MS = 10 * LEASE_MS;
const RENEW_MS = 4_000;
const LOOK_AGAIN_MS = 100;

export interface Patience {
  /** How long to wait for another holder. */
  patienceMs?: number;
  /** Ends the wait once true. */
  isEnding?: () => boolean;
}

export interface Lease {
  /** Fails if another process has taken the lease over. */
  renew(): Promise<void>;
}

interface LeaseWorld extends Pick<World, "clock" | "ids" | "progress" | "origin"> {
  /** Keeps the lease. */
  store: Writes & LeaseReads;
}

/** Does the work under the lease. Null if another process holds it for too long. */
export async function holdLease<T>(
  name: string,
  { patienceMs = 0, isEnding = () => false }: Patience,
  world: LeaseWorld,
  work: (lease: Lease) => Promise<T>,
): Promise<T | null> {
  const { store, clock, origin } = world;
  const owner = world.ids.next();
  const take = async (): Promise<boolean> => {
    const at = clock.now();
    const change = { kind: "take_lease", name, owner, at, until: at + LEASE_MS } as const;
    return (await store.apply([change], origin)).status === "applied";
  };
  // Waiters only read, so they never block the holder.
  const isFree = async () => (await store.leaseHolder(name, clock.now(), LEASE_MS)) === null;
  for (let waited = 0; !((await isFree()) && (await take())); waited += LOOK_AGAIN_MS) {
    if (waited >= patienceMs || isEnding()) return null;
    if (waited === 0) world.progress.report(0, 1, "Waiting for another process");
    await pause(LOOK_AGAIN_MS);
  }
  const renewing = setInterval(() => void take().catch(() => false), RENEW_MS).unref();
  try {
    return await work({
      async renew() {
        if (await take()) return;
        throw new Failure(
          "conflict",
          `Another process has taken over this work (${name}).`,
          "Nothing is lost; try again shortly.",
        );
      },
    });
  } finally {
    clearInterval(renewing);
    await store.apply([{ kind: "release_lease", name, owner }], origin);
  }
}

/** The result of some work, or null if it takes too long. The work itself continues. */
export function inTime<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => resolve(null), limitMs);
    late.unref();
    // After a timeout a later failure is handled here too, and changes nothing.
    work.then(resolve, reject).finally(() => clearTimeout(late));
  });
}
