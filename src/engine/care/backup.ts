/** Makes a backup of both stores; if there are too many, the oldest backups of this project are removed. */
import type { Backup } from "../../model/care/backup.ts";
import type { World } from "../../ports/world.ts";

export interface Taken {
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
