/** Makes a backup of both stores; if there are too many, the oldest backups of this project are removed. */
import { DAY_MS } from "../time/calendar.ts";
import type { World } from "../world.ts";
import { type Backup, fitsBudget } from "./backup.ts";
import { holdLease } from "./lease.ts";

interface Taken {
  id: string;
  path: string;
  at: string;
  files: Backup["files"];
  dropped: string[];
}

export async function backup({ backups }: Pick<World, "backups">): Promise<Taken> {
  const { backup: taken, dropped } = await backups.take("asked");
  const { id, at, files } = taken;
  return { id, path: backups.pathOf(id), at: new Date(at).toISOString(), files, dropped };
}

/**
 * A backup a day, made by a process that lives long, if anything was written since the last one.
 *
 * Under a lease, so that several servers of a project make one. The index of files and working memories do not count as
 * changes, because they are made again or pass.
 */
const LEASE = "backup";

/** The id of the new backup, or null if none is due. */
export async function backUpDaily(world: World): Promise<string | null> {
  if (world.settings.backup.daily === "off" || !(await isDue(world))) return null;
  return holdLease(LEASE, {}, { ...world, store: world.project }, async () => {
    // Another process may have made one while this one waited for its turn.
    if (!(await isDue(world))) return null;
    const { backup: expected } = await world.backups.take("daily", { dryRun: true });
    if (!fitsBudget(expected, world.settings.backup)) {
      world.log.debug("no daily backup: it would be larger than backup.megabytes");
      return null;
    }
    return (await world.backups.take("daily")).backup.id;
  });
}

async function isDue({ backups, project, global, clock }: World): Promise<boolean> {
  // One that a clock far ahead dated must neither put the next off for years nor hide that it was made.
  const latest = clock.now() + DAY_MS;
  const last = (await backups.list()).find(({ reason, at }) => reason !== "replaced" && at < latest);
  const since = last?.at ?? 0;
  if (last && clock.now() - since < DAY_MS) return false;
  for (const store of [project, global]) {
    const { records } = await store.journal({ after: since }, { limit: 1, offset: 0 });
    if (records.length > 0) return true;
  }
  return false;
}
