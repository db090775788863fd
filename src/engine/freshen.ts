/**
 * Freshness: before a search, what has changed in the project is taken in, within bounds.
 *
 * A process that watches the project keeps the index current by itself, and whoever looked a moment ago need not look
 * again. When time runs out the answer comes all the same and says that there is more.
 */
import { toFailure } from "../errors.ts";
import type { World } from "../ports.ts";
import { inTime } from "./in-time.ts";
import { type IndexRequest, indexProject } from "./index-project.ts";
import { WATCH, WATCH_NOTES } from "./watch-project.ts";

const REFRESHING = "index is refreshing";

/** Null, or why the index may be behind. */
export async function freshen(world: World): Promise<string | null> {
  const look = await world.project.lastLook();
  if (look && (await isWatched(WATCH, world)) && (!world.notes || (await isWatched(WATCH_NOTES, world)))) return null;
  return takeIn({}, world);
}

/** The same for notes alone, where there are any: they are memories, and sought as such. */
export async function freshenNotes(world: World): Promise<string | null> {
  if (!world.notes || (await isWatched(WATCH_NOTES, world))) return null;
  return takeIn({ only: "notes" }, world);
}

const isWatched = async (lease: string, { project, clock }: World): Promise<boolean> =>
  (await project.leaseHolder(lease, clock.now())) !== null;

async function takeIn(what: Pick<IndexRequest, "only">, world: World): Promise<string | null> {
  const { project, clock, settings } = world;
  if (project.readOnly) return null;
  const now = clock.now();
  const look = await project.lastLook();
  if (look && now - look.at < settings.index.freshMs && now >= look.at) return null;
  try {
    const work = indexProject({ ...what, until: now + settings.index.waitMs }, world);
    const done = await inTime(work, settings.index.waitMs);
    if (done === null) world.afterwards.add("finish indexing", () => work);
    return done?.isComplete ? null : REFRESHING;
  } catch (thrown) {
    world.log.warn(`indexing failed: ${toFailure(thrown).message}`);
    return `index is not current: ${toFailure(thrown).message}`;
  }
}
