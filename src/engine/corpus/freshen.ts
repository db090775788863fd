/**
 * Freshness: before a search, what has changed in the project is taken in, within bounds.
 *
 * A search looks at all files, unless this very process watches them and nothing is pending. It waits only so long;
 * then the answer comes all the same and says that there is more, and the work goes on behind it.
 */
import { toFailure } from "../../errors.ts";
import type { World } from "../../ports/world.ts";
import { inTime } from "../care/in-time.ts";
import type { IndexRequest } from "./index-project.ts";
import { refresh } from "./refresh.ts";
import { isKeptCurrent } from "./watch-project.ts";

const REFRESHING = "index is refreshing";
/** Until then, that nothing is found says nothing. */
export const FIRST_INDEX = "the first index has not finished";

/** Null, or why the index may be behind. */
export async function freshen(world: World): Promise<string | null> {
  const behind = await takeIn({}, world);
  if (await isIndexed(world)) return behind;
  return behind === null || behind === REFRESHING ? FIRST_INDEX : `${FIRST_INDEX}; ${behind}`;
}

/** A look at another checkout, or one that has only begun, tells nothing of these files. */
async function isIndexed({ project, place }: Pick<World, "project" | "place">): Promise<boolean> {
  const look = await project.lastLook();
  return look !== null && look.checkout === place.checkout && look.at > 0;
}

/** The same for notes alone, where there are any: they are memories, and sought as such. */
export const freshenNotes = async (world: World): Promise<string | null> =>
  world.notes ? takeIn({ only: "notes" }, world) : null;

async function takeIn(what: Pick<IndexRequest, "only">, world: World): Promise<string | null> {
  const { project, clock, settings } = world;
  const { freshMs, waitMs } = settings.index;
  if (project.readOnly || (await isKeptCurrent(what.only, world))) return null;
  const look = await project.lastLook();
  const ageMs = look?.checkout === world.place.checkout ? clock.now() - look.at : Infinity;
  if (ageMs >= 0 && ageMs < freshMs) return null;
  try {
    const done = await inTime(refresh({ ...what, patienceMs: waitMs }, world), waitMs);
    if (!done?.isComplete) return REFRESHING;
    return done.hidden > 0 ? `${done.hidden} files could not be read: \`index\` tells why` : null;
  } catch (thrown) {
    world.log.warn(`indexing failed: ${toFailure(thrown).message}`);
    return `the index is out of date: ${toFailure(thrown).message}`;
  }
}
