/**
 * Freshness: before a search, what has changed in the project is taken in, within bounds.
 *
 * A process that watches the project keeps the index current by itself, and whoever looked a moment ago need not look
 * again. When time runs out the answer comes all the same and says that there is more.
 */
import { toFailure } from "../errors.ts";
import type { World } from "../ports.ts";
import { inTime } from "./in-time.ts";
import { indexProject } from "./index-project.ts";
import { WATCH } from "./watch-project.ts";

const REFRESHING = "index is refreshing";

/** Null, or why the index may be behind. */
export async function freshen(world: World): Promise<string | null> {
  const { project, clock, settings } = world;
  if (project.readOnly) return null;
  const now = clock.now();
  const look = await project.lastLook();
  if (look && now - look.at < settings.index.freshMs && now >= look.at) return null;
  if (look && (await project.leaseHolder(WATCH, now)) !== null) return null;
  try {
    const work = indexProject({ until: now + settings.index.waitMs }, world);
    const done = await inTime(work, settings.index.waitMs);
    if (done === null) world.afterwards.add("finish indexing", () => work);
    return done?.isComplete ? null : REFRESHING;
  } catch (thrown) {
    world.log.warn(`indexing failed: ${toFailure(thrown).message}`);
    return `index is not current: ${toFailure(thrown).message}`;
  }
}
