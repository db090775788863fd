/**
 * How much of one thing is tried: a few in `npm test`, always the same ones; new ones by the thousand in longer lanes.
 *
 * The runner names the lane and loads this file first, so that properties which give no number follow it too.
 */
import fc from "fast-check";

const FACTORS = { fast: 1, long: 10, soak: 40 };
type LaneName = keyof typeof FACTORS;

const named = process.env["TEST_LANE"] ?? "fast";
const lane = named in FACTORS ? (named as LaneName) : "fast";

/** How often a property is tried that the fast lane tries so often. */
export const runs = (count: number): number => count * FACTORS[lane];

export const inLane = <T>(amounts: Record<LaneName, T>): T => amounts[lane];

fc.configureGlobal({
  numRuns: inLane({ fast: 30, long: 1_000, soak: 4_000 }),
  ...(lane === "fast" && { seed: 1 }),
});
