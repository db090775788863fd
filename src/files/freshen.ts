/**
 * Brings the index up to date before a search, within a time limit.
 *
 * A search checks all files, unless this process watches them and nothing is pending. When the time is up, the search
 * answers anyway and says that the index is being updated, and indexing continues in the background. An orientation only
 * compares sizes and times.
 */
import { toFailure } from "../errors.ts";
import { inTime } from "../maintenance/lease.ts";
import { counted } from "../text/short-text.ts";
import type { World } from "../world.ts";
import { type FileChange, FIRST_INDEX, type LastLook } from "./corpus.ts";
import { type IndexRequest, refresh } from "./index-project.ts";
import { isAmong } from "./plan-index.ts";
import { changesOnDisk, walkFiles } from "./walk-files.ts";
import { isKeptCurrent } from "./watch-project.ts";

const REFRESHING = "the index is being updated";

/** Null, or why the index may be behind. */
export async function freshen(world: World): Promise<string | null> {
  const behind = await bringUpToDate({}, world);
  if (await isIndexed(world)) return behind;
  return behind === null || behind === REFRESHING ? FIRST_INDEX : `${FIRST_INDEX}; ${behind}`;
}

/** A run over another checkout, or one that has only begun, does not count. */
async function isIndexed({ project, place }: Pick<World, "project" | "place">): Promise<boolean> {
  const look = await project.lastLook();
  return look !== null && look.checkout === place.checkout && look.at > 0;
}

/** The same for the notes alone, before a search of memories. */
export const freshenNotes = async (world: World): Promise<string | null> =>
  world.notes ? bringUpToDate({ only: "notes" }, world) : null;

async function bringUpToDate(what: Pick<IndexRequest, "only">, world: World): Promise<string | null> {
  const { project, clock, settings } = world;
  const { freshMs, waitMs } = settings.index;
  if (project.readOnly || (await isKeptCurrent(what.only, world))) return null;
  const look = await project.lastLook();
  const ageMs = look?.checkout === world.place.checkout ? clock.now() - look.at : Infinity;
  if (ageMs >= 0 && ageMs < freshMs) return null;
  try {
    const done = await inTime(refresh({ ...what, patienceMs: waitMs }, world), waitMs);
    if (!done?.isComplete) return REFRESHING;
    return unreadable(done.hidden);
  } catch (thrown) {
    world.log.warn(`indexing failed: ${toFailure(thrown).message}`);
    return `the index is out of date: ${toFailure(thrown).message}`;
  }
}

const unreadable = (files: number): string | null =>
  files > 0 ? `${counted(files, "file")} could not be read: \`stele index\` shows why` : null;

/** How the files differ from the index, and why some changes may be missing. */
export async function lookAtFiles(world: World): Promise<{ changes: FileChange[]; behind: string | null }> {
  const { project, settings } = world;
  const look = await project.lastLook();
  if (look === null || (await isKeptCurrent(undefined, world))) return { changes: [], behind: null };
  try {
    const done = await inTime(comparison(look, world), settings.index.waitMs);
    return done ?? { changes: [], behind: "not all files could be compared with the index in time" };
  } catch (thrown) {
    world.log.warn(`comparing files with the index failed: ${toFailure(thrown).message}`);
    return { changes: [], behind: `files could not be compared with the index: ${toFailure(thrown).message}` };
  }
}

async function comparison(look: LastLook, world: World): ReturnType<typeof lookAtFiles> {
  const walked = await walkFiles({}, world);
  const unread = new Set(walked.unread);
  const hidden = walked.known.filter(({ path }) => isAmong(path, unread));
  return { changes: (await changesOnDisk(look, walked, world)) ?? [], behind: unreadable(hidden.length) };
}
