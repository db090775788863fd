/** Refuses to begin anew where data was lost: an empty memory would look as if there had never been one. */
import { join } from "node:path";
import { Failure } from "../errors.ts";
import type { Space } from "../model/memory/space.ts";
import { createHome, isEmptied, isNothing } from "../providers/files/home.ts";

/** A new registry would give every project a new, empty memory, as if the old ones were gone. */
export function refuseLost(stores: string): void {
  if (!createHome(stores).isGlobalLost()) return;
  throw new Failure(
    "unavailable",
    `${join(stores, "global.db")} is missing or empty, but projects have memories.`,
    "Run `stele doctor`: it can recover it from the latest backup.",
  );
}

/** A store that was emptied or has a backup is never begun anew. Otherwise a process may have died while registering it. */
export async function refuseLostSpace(stores: string, { id, createdAt }: Space): Promise<void> {
  const path = join(stores, "spaces", `${id}.db`);
  if (!isNothing(path)) return;
  if (isEmptied(path, createdAt)) throw emptied(path);
  const { readBackups } = await import("../store/sqlite/backup/backup-folder.ts");
  if (!(await readBackups(join(stores, "backups"))).some((backup) => backup.spaceId === id)) return;
  throw new Failure(
    "unavailable",
    `${path} is missing or empty, but backups of it exist.`,
    "Run `stele doctor --recover`: it restores the file from the latest sound backup.",
  );
}

const emptied = (path: string): Failure =>
  new Failure(
    "unavailable",
    `${path} is empty, but it was not when it was created.`,
    "Put the file back, or run `stele doctor --recover`: it restores the file from the latest sound backup, if there is one.",
  );
