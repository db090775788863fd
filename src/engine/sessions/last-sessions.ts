/** The sessions that a new one is told of: the last on its branch, if that is one of its own, then the last of all. */
import { type Told, judged, toldAtStart } from "../../logic/sessions/handover.ts";
import type { ReadSession } from "../../model/sessions/card.ts";
import type { World } from "../../ports/world.ts";

const SESSIONS = 5;
/** Everybody works on these, so being on one says nothing about the matter. */
const TRUNKS: readonly string[] = ["main", "master", "trunk", "develop", "dev"];

export const isOwnBranch = (branch: string | null): branch is string =>
  branch !== null && branch !== "" && !TRUNKS.includes(branch);

/** `own`: the session that asks. */
export async function lastOnBranch(
  branch: string | null,
  own: string,
  { project }: Pick<World, "project">,
): Promise<ReadSession | null> {
  if (!isOwnBranch(branch)) return null;
  const found = await project.sessionCards({ branch, limit: SESSIONS });
  const others = found.filter(({ card }) => card.session !== own);
  // One in which nothing was noted tells nothing.
  return others.find(({ notes }) => notes.length > 0) ?? others[0] ?? null;
}

/** What a session is told at its start. After a compaction it is told of itself, too. */
export async function tellLastSessions(
  branch: string,
  { project, settings, clock, zone }: Pick<World, "project" | "settings" | "clock" | "zone">,
): Promise<Told> {
  const sessions = await lastSessions(branch, { project });
  const roomTokens = settings.surface.hardTokens * settings.surface.recentShare;
  return toldAtStart(sessions, {
    ...{ roomTokens, branch, now: clock.now(), zone },
    left: await judgedNotes(sessions, { project }),
  });
}

async function lastSessions(branch: string | null, { project }: Pick<World, "project">): Promise<ReadSession[]> {
  const first = await lastOnBranch(branch, "", { project });
  const others = (await project.sessionCards({ limit: SESSIONS + 1 })).filter(
    ({ card }) => card.session !== first?.card.session,
  );
  return [...(first ? [first] : []), ...others].slice(0, SESSIONS);
}

/** Ids of their notes that a person has judged. */
export async function judgedNotes(
  sessions: readonly ReadSession[],
  { project }: Pick<World, "project">,
): Promise<Set<string>> {
  const ids = sessions.flatMap(({ notes }) => notes.map(({ id }) => id));
  return ids.length === 0 ? new Set() : judged(await project.noteVerdicts(ids));
}
