/**
 * Rate: how many requests a bearer, or a user of this machine, may make.
 *
 * A bucket that fills steadily: short bursts pass, a loop that never ends is slowed down before it starves the others.
 */
import { Failure } from "../../errors.ts";

export interface RateLimit {
  readonly burst: number;
  readonly perSecond: number;
}

/** Throws when a name has used up what it may. */
export function createRate<Name>({ burst, perSecond }: RateLimit, clock: { now(): number }): (name: Name) => void {
  const buckets = new Map<Name, { left: number; at: number }>();
  return (name) => {
    const now = clock.now();
    const { left, at } = buckets.get(name) ?? { left: burst, at: now };
    const filled = Math.min(burst, left + (Math.max(0, now - at) / 1_000) * perSecond);
    if (filled < 1) {
      throw new Failure("too_many", "Too many requests at once.", "Wait a second, then go on more slowly.");
    }
    buckets.set(name, { left: filled - 1, at: now });
  };
}
