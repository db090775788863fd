/**
 * The upkeep that a new session sets off: reports of hooks are digested before the answer, within a second; memories age
 * and files are indexed after it.
 *
 * None of it outlives the process: once that is about to exit, each is given a moment and stops between two steps.
 */
import { inTime } from "../maintenance/lease.ts";
import type { World } from "../world.ts";
import type { Orientation } from "./orientation.ts";

const DIGEST_MS = 1_000;
/** What an exiting process still gives to maintenance. */
const PARTING_MS = 500;
/** A server maintains its stores this often anyway. */
const MAINTAINED_MS = 3_600_000;
/** Searches check the files themselves; a session that begins soon after another need not. */
const INDEXED_MS = 300_000;

/** The number of reports; null if it takes longer, in which case it continues, or if another process does it. */
export async function digestFirst(world: World): Promise<number | null> {
  if (world.project.readOnly || world.settings.capture.enabled === "off") return 0;
  const { digest } = await import("../sessions/digest.ts");
  let isLate = false;
  const limit = setTimeout(() => (isLate = true), DIGEST_MS).unref();
  // Its own call, so that it can be distinguished and undone separately.
  const origin = { ...world.origin, verb: "extract", call: world.ids.next() };
  const digesting = digest({ ...world, origin }, { isStopped: () => isLate })
    .catch((thrown: Error) => {
      world.log.warn(`reports of hooks were not taken in: ${thrown.message}`);
      return null;
    })
    .finally(() => clearTimeout(limit));
  const done = await inTime(digesting, DIGEST_MS);
  if (isLate) world.afterwards.add("digest reports of hooks", () => digesting);
  return done?.reports ?? null;
}

export async function startUpkeep(world: World): Promise<Orientation["background"]> {
  const { project, global, afterwards } = world;
  if (project.readOnly || global.readOnly) return [];
  const started: Orientation["background"] = [];
  if (await isMaintenanceDue(world)) {
    started.push("maintenance");
    afterwards.add("maintain the stores", () => maintainAfterwards(world));
  }
  if (await isIndexWanted(world)) {
    started.push("index");
    world.indexing.isWanted = true;
    afterwards.add("refresh the index", async () => (await import("../files/index-project.ts")).refresh({}, world));
  }
  return started;
}

async function isMaintenanceDue({ project, clock }: World): Promise<boolean> {
  if (await project.refusal?.()) return false;
  const { settledAt, pendingAt } = await project.clockMarks();
  const last = Math.max(settledAt ?? -Infinity, pendingAt ?? -Infinity);
  return !isRecent(last, MAINTAINED_MS, clock.now());
}

async function maintainAfterwards(world: World): Promise<void> {
  const { maintain } = await import("../maintenance/maintain.ts");
  const origin = { ...world.origin, verb: "maintain", call: world.ids.next() };
  let partingSince: number | null = null;
  const isStopped = (): boolean => {
    if (!world.afterwards.isSettling()) return false;
    partingSince ??= performance.now();
    return performance.now() - partingSince > PARTING_MS;
  };
  await maintain({ ...world, origin }, { isStopped });
}

/** Outside git a folder may hold anything, so only what was indexed before is kept current. */
async function isIndexWanted(world: World): Promise<boolean> {
  const { project, place, clock } = world;
  const { isKeptCurrent } = await import("../files/watch-project.ts");
  if (await isKeptCurrent(undefined, world)) return false;
  const look = await project.lastLook();
  if (look === null) return place.excludeFile !== null;
  return look.checkout !== place.checkout || !isRecent(look.at, INDEXED_MS, clock.now());
}

/** A time in the future comes from a clock that was wrong. */
const isRecent = (at: number, withinMs: number, now: number): boolean => at <= now && now - at < withinMs;
