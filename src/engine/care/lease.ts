/**
 * Long work that one process does at a time.
 *
 * A lease runs out by itself, so that a process that died holds nobody up for long; who works on renews it.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "../../errors.ts";
import type { World } from "../../ports/world.ts";

const LEASE_MS = 12_000;
const RENEW_MS = 4_000;
const LOOK_AGAIN_MS = 100;

export interface Patience {
  /** How long to wait for another process that is at it. */
  patienceMs?: number;
  /** Nobody waits any longer once this holds. */
  isEnding?: () => boolean;
}

export interface Lease {
  /** Fails when somebody else has it by now: the work is theirs. */
  renew(): Promise<void>;
}

/** Does the work while it holds the lease. Null when another holds it for longer than there is patience. */
export async function holdLease<T>(
  name: string,
  { patienceMs = 0, isEnding = () => false }: Patience,
  world: Pick<World, "project" | "clock" | "ids" | "progress" | "origin">,
  work: (lease: Lease) => Promise<T>,
): Promise<T | null> {
  const { project, clock, origin } = world;
  const owner = world.ids.next();
  const take = async (): Promise<boolean> => {
    const at = clock.now();
    const change = { kind: "take_lease", name, owner, at, until: at + LEASE_MS } as const;
    return (await project.apply([change], origin)).status === "applied";
  };
  // Who waits only reads, so as not to get in the way of who works.
  const isFree = async () => (await project.leaseHolder(name, clock.now())) === null;
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
          `Another process is still working on this (${name}).`,
          "Nothing is lost; check again soon.",
        );
      },
    });
  } finally {
    clearInterval(renewing);
    await project.apply([{ kind: "release_lease", name, owner }], origin);
  }
}
