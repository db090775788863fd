/**
 * Replaces the current data with a backup; without an id, lists the backups.
 *
 * The replaced data is kept as another backup, so a restore can be undone by restoring that.
 */
import { type Touched, touchedIn } from "../decisions/consent.ts";
import { Failure, nearest } from "../errors.ts";
import { recordsOf } from "../journal/commit.ts";
import { uniqueMatch, unknownFailure } from "../memory/resolve-id.ts";
import type { Stores, World } from "../world.ts";
import type { Backup, StoreName } from "./backup.ts";

interface Available {
  id: string;
  at: string;
  reason: Backup["reason"];
  stores: StoreName[];
  bytes: number;
}

type Restored =
  | { status: "available"; backups: Available[] }
  | { status: "restored"; id: string; stores: StoreName[]; replaced: string; dropped: string[] };

const LATEST = "latest";

export async function restore(
  { id, stores }: { id: string | undefined; stores: readonly StoreName[] },
  { backups }: Pick<World, "backups">,
): Promise<Restored> {
  if (id === undefined) return { status: "available", backups: (await backups.list()).map(toAvailable) };
  const before = await backups.list();
  const chosen = await chosenOf(id, before);
  const asked = [...new Set(stores)];
  const { replaced } = await backups.restore(chosen, asked);
  const left = new Set((await backups.list()).map((backup) => backup.id));
  const dropped = before.map((backup) => backup.id).filter((known) => !left.has(known));
  return { status: "restored", id: chosen, stores: asked, replaced: replaced.id, dropped };
}

/** The decisions that a restore would change: those made or changed since the backup. Only reads. */
export async function decisionsSince(
  { id, stores }: { id: string | undefined; stores: readonly StoreName[] },
  world: Stores & Pick<World, "backups">,
): Promise<Touched> {
  const backups = id === undefined ? [] : await world.backups.list();
  const chosen = id === undefined ? undefined : await chosenOf(id, backups);
  const backup = backups.find((one) => one.id === chosen);
  const asked = [...new Set(stores)];
  async function* records() {
    if (!backup) return;
    for (const store of asked) yield* recordsOf(world[store], { shelf: "decision", after: backup.at });
  }
  return touchedIn(records(), [chosen ?? "", ...asked]);
}

/** The backup that is meant. Only reads. */
export async function chosenBackup(typed: string, { backups }: Pick<World, "backups">): Promise<Available> {
  const known = await backups.list();
  const id = await chosenOf(typed, known);
  return toAvailable(known.find((backup) => backup.id === id)!);
}

/** Finds a backup by its id, a unique prefix, or its last digits, because backups of one day begin alike. */
async function chosenOf(typed: string, backups: readonly Backup[]): Promise<string> {
  if (typed === LATEST) return latest(backups);
  const ids = backups.map(({ id }) => id);
  const digitsOf = (id: string) => id.slice(id.lastIndexOf("-") + 1);
  const found = await uniqueMatch(typed, [
    async (text) =>
      ids.filter((id) => id.toLowerCase().startsWith(text.toLowerCase()) || digitsOf(id).startsWith(text)),
  ]);
  if (found !== null) return found;
  const near = nearest(typed, [...ids.map(digitsOf), ...ids]);
  throw unknownFailure("backup", typed, near === null ? [] : [near], "`stele restore` lists the backups.");
}

/** The latest backup that was asked for or made by itself: data that a restore replaced was discarded on purpose. */
function latest(backups: readonly Backup[]): string {
  const found = backups.find(({ reason }) => reason !== "replaced");
  if (found) return found.id;
  throw new Failure("not_found", "There is no backup of this project yet.", "Run `stele backup` to make one.");
}

function toAvailable({ id, at, reason, files }: Backup): Available {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { id, at: new Date(at).toISOString(), reason, stores: files.map(({ store }) => store), bytes };
}
