/**
 * Takes and restores backups. The caller holds the lock, except in a dry run.
 *
 * Both happen while the stores are in use. Each project keeps its newest backups, and separately
 * as many of the states that restores have replaced, so that a restore never displaces a backup
 * somebody asked for. A dry run only reads.
 */
import { accessSync, constants, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { StoreKey } from "../../../encryption/store-key.ts";
import { Failure } from "../../../errors.ts";
import {
  type Backup,
  type BackupFile,
  STORE_NAMES,
  type StoreName,
  surplusBackups,
} from "../../../maintenance/backup.ts";
import type { Clock, Progress } from "../../../world.ts";
import { isThere } from "../data-file.ts";
import { BUSY_PATIENCE_MS, BUSY_TIMEOUT_MS, waitingUpTo } from "../database.ts";
import { type Database, openKeyed } from "../sqlite.ts";
import { describeCopy, openSnapshot } from "./backup-copy.ts";
import { building, drop, finish, readBackups, timedName, writeManifest } from "./backup-folder.ts";
import { checkedCopy, type Placement, putInPlace, refuseUnfit } from "./backup-restore.ts";

export interface BackupsOptions {
  folder: string;
  /** The project's file is named after its space. */
  files: Record<StoreName, string>;
  keep: number;
  /** Limits of daily backups; without them, only their number is limited. */
  keepDays?: number;
  megabytes?: number;
  clock: Clock;
  progress?: Progress | undefined;
  patienceMs?: number;
  /** How long to wait for other processes working on the backups. */
  lockPatienceMs?: number;
  /** Null or none if the stores are not encrypted. */
  key?: StoreKey | null;
}

const spaceOf = ({ files }: BackupsOptions) => basename(files.project, ".db");

export async function ownBackups(options: BackupsOptions): Promise<Backup[]> {
  return (await readBackups(options.folder)).filter(({ spaceId }) => spaceId === spaceOf(options));
}

interface Taking {
  reason: Backup["reason"];
  dryRun: boolean;
  stores?: readonly StoreName[];
  /** A backup that must not be removed to make room. */
  spare?: string;
  /** Nobody can write meanwhile. */
  isHeld?: boolean;
}

export async function take(taking: Taking, options: BackupsOptions): Promise<{ backup: Backup; dropped: string[] }> {
  const { reason, dryRun, stores = STORE_NAMES, spare } = taking;
  const at = options.clock.now();
  const outline = { id: timedName(at), at, reason, spaceId: spaceOf(options) };
  const backup: Backup = {
    ...outline,
    files: await (dryRun ? sizes(stores, options) : copy(outline, taking, options)),
  };
  const others = (await ownBackups(options)).filter((other) => other.id !== backup.id && other.reason === reason);
  const surplus = surplusOf(backup, others, options).filter((id) => id !== spare);
  if (!dryRun) for (const id of surplus) await drop(options.folder, id);
  return { backup, dropped: surplus };
}

function surplusOf(
  backup: Backup,
  others: readonly Backup[],
  { keep, keepDays = Infinity, megabytes = Infinity }: BackupsOptions,
): string[] {
  if (backup.reason !== "daily") return others.slice(keep - 1).map(({ id }) => id);
  return surplusBackups([backup, ...others], { keep, keepDays, megabytes }, backup.at).filter((id) => id !== backup.id);
}

/** Both stores are frozen before either is copied, so that a memory moving between them is in at least one copy. */
async function copy(
  outline: Omit<Backup, "files">,
  { stores = STORE_NAMES, isHeld = false }: Taking,
  options: BackupsOptions,
): Promise<BackupFile[]> {
  const { folder, files, progress, patienceMs = BUSY_PATIENCE_MS, key = null } = options;
  return building(folder, outline.id, async (place) => {
    const snapshots = [];
    const hold = key === null || isHeld || stores.length === 1 ? null : await holdGlobal(options);
    try {
      for (const store of stores)
        snapshots.push({ store, snapshot: await openSnapshot(files[store], key, patienceMs) });
      const copied = await Promise.all(
        snapshots.map(async ({ store, snapshot }) => {
          const target = join(place, `${store}.db`);
          await snapshot.copyTo(target, (done, total) => progress?.report(done, total, `Copying ${store}`));
          return describeCopy(target, store, key);
        }),
      );
      await writeManifest(place, { ...outline, files: copied });
      await finish(place);
      return copied;
    } finally {
      for (const { snapshot } of snapshots) snapshot.close();
      hold?.close();
    }
  });
}

/** Encrypted stores cannot be frozen while they are copied. While one of them cannot be written, no memory leaves or enters it. */
async function holdGlobal({ files, key = null, patienceMs = BUSY_PATIENCE_MS }: BackupsOptions): Promise<Database> {
  const gate = openKeyed(files.global, key, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    await waitingUpTo(patienceMs, files.global, () => gate.exec("begin immediate"), key);
    return gate;
  } catch (thrown) {
    gate.close();
    throw thrown;
  }
}

/** The files as a dry run reports them: names and sizes, once the folder has proved writable. Nothing may be there yet. */
async function sizes(stores: readonly StoreName[], { folder, files }: BackupsOptions): Promise<BackupFile[]> {
  const place = [folder, dirname(folder)].find(isThere);
  if (place !== undefined) accessSync(place, constants.W_OK);
  const unknown = { sha256: "0".repeat(64), schema: 0 };
  const bytesOf = (store: StoreName) => statSync(files[store], { throwIfNoEntry: false })?.size ?? 0;
  return stores.map((store) => ({ store, name: `${store}.db`, bytes: bytesOf(store), ...unknown }));
}

export async function restore(
  id: string,
  { stores, dryRun }: { stores: readonly StoreName[]; dryRun: boolean },
  options: BackupsOptions,
): Promise<{ replaced: Backup }> {
  const { folder, files, clock, progress, patienceMs = BUSY_PATIENCE_MS, key = null } = options;
  const chosen = await filesOf(id, stores, options);
  const keeping: Taking = { reason: "replaced", dryRun, stores, spare: id, isHeld: true };
  if (dryRun) {
    for (const file of chosen) await refuseUnfit(join(folder, id, file.name), file, key);
    return { replaced: (await take(keeping, options)).backup };
  }
  return building(folder, `restore-${timedName(clock.now())}`, async (place) => {
    const placements: Placement[] = [];
    for (const file of chosen) {
      const target = join(place, file.name);
      await checkedCopy(join(folder, id, file.name), file, { target, key });
      placements.push({ store: file.store, copy: target, live: files[file.store] });
    }
    const replaced = await putInPlace(placements, {
      patienceMs,
      key,
      onPages: (done, total) => progress?.report(done, total, "Restoring"),
      keep: async () => (await take(keeping, options)).backup,
      discard: (kept) => drop(folder, kept.id),
    });
    return { replaced };
  });
}

async function filesOf(id: string, stores: readonly StoreName[], options: BackupsOptions): Promise<BackupFile[]> {
  const backup = (await ownBackups(options)).find((known) => known.id === id);
  if (!backup) throw new Failure("not_found", `There is no backup ${id}.`, "`stele restore` lists the backups.");
  return stores.map((store) => {
    const file = backup.files.find((candidate) => candidate.store === store);
    if (file) return file;
    const held = backup.files.map((candidate) => `--store ${candidate.store}`).join(" ");
    throw new Failure("invalid_input", `Backup ${id} does not hold the ${store} store.`, `Restore it with ${held}.`);
  });
}
