/**
 * How much of one thing is tried: a few in `npm test`, always the same ones; new ones by the thousand in longer lanes.
 *
 * The runner names the lane and loads this file first, so that properties which give no number follow it too.
 */
import fc from "fast-check";

const FACTORS = { fast: 1, long: 10, soak: 40 };
type LaneName = keyof typeof FACTORS;

const wanted = process.env["TEST_LANE"] ?? "fast";
const lane = wanted in FACTORS ? (wanted as LaneName) : "fast";

/** How often a property is tried that the fast lane tries so often. */
export const runs = (count: number): number => count * FACTORS[lane];

export const inLane = <T>(amounts: Record<LaneName, T>): T => amounts[lane];

/** Where random cases begin: always there in the fast lane and wherever a seed is named, at a new place otherwise. */
const named = process.env["TEST_SEED"] ?? inLane({ fast: "1", long: null, soak: null });
export const seed = named === null ? Date.now() % 1_000_000 : Number(named);

fc.configureGlobal({ numRuns: inLane({ fast: 20, long: 1_000, soak: 4_000 }), ...(named !== null && { seed }) });
