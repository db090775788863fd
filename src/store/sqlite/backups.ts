/**
 * Backups of one project's store and the person's own.
 *
 * They are taken while the stores are in use and put back the same way. The newest are kept,
 * a number of them for each project; what a restore replaces is kept among them.
 */
import { accessSync, constants, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Failure } from "../../errors.ts";
import { type Backup, type BackupFile, STORE_NAMES, type StoreName } from "../../model/backup.ts";
import type { Backups, Clock, Progress } from "../../ports.ts";
import { describeCopy, openSnapshot } from "./backup-copy.ts";
import { eraseFromBackups } from "./backup-erase.ts";
import { building, drop, finish, readBackups, timedName, writeManifest } from "./backup-folder.ts";
import { type Placement, checkedCopy, putInPlace } from "./backup-restore.ts";
import { isThere } from "./data-file.ts";
import { BUSY_PATIENCE_MS, translate } from "./database.ts";

export interface BackupsOptions {
  folder: string;
  /** The project's file is named after its space. */
  files: Record<StoreName, string>;
  keep: number;
  clock: Clock;
  progress?: Progress | undefined;
  patienceMs?: number;
}

type Reason = Backup["reason"];

export function createBackups(options: BackupsOptions): Backups {
  const { folder, clock } = options;
  /** What SQLite and the file system throw, as failures. */
  const translated = <T>(work: Promise<T>): Promise<T> =>
    work.catch((thrown: unknown) => {
      throw translate(thrown, folder);
    });
  return {
    pathOf: (id) => join(folder, id),
    list: () => translated(ownBackups(options)),
    take: (reason, { rehearse = false } = {}) => translated(take({ reason, rehearse }, options)),
    restore: (id, stores, { rehearse = false } = {}) => translated(restore(id, { stores, rehearse }, options)),
    erase: (ids, queries) => translated(eraseFromBackups(folder, { ids, queries }, clock)),
  };
}

const spaceOf = ({ files }: BackupsOptions) => basename(files.project, ".db");

async function ownBackups(options: BackupsOptions): Promise<Backup[]> {
  return (await readBackups(options.folder)).filter(({ spaceId }) => spaceId === spaceOf(options));
}

interface Taking {
  reason: Reason;
  rehearse: boolean;
  stores?: readonly StoreName[];
  /** A backup that must not leave to make room. */
  spare?: string;
}

async function take(taking: Taking, options: BackupsOptions): Promise<{ backup: Backup; dropped: string[] }> {
  const { reason, rehearse, stores = STORE_NAMES, spare } = taking;
  const at = options.clock.now();
  const outline = { id: timedName(at), at, reason, spaceId: spaceOf(options) };
  const backup: Backup = {
    ...outline,
    files: await (rehearse ? sizes(stores, options) : copy(outline, stores, options)),
  };
  const others = (await ownBackups(options)).filter(({ id }) => id !== backup.id);
  const surplus = others.slice(options.keep - 1).filter(({ id }) => id !== spare);
  if (!rehearse) for (const { id } of surplus) await drop(options.folder, id);
  return { backup, dropped: surplus.map(({ id }) => id) };
}

/** Both stores are held still before either is copied, so that a memory on its way from one to the other is in one of them. */
async function copy(
  outline: Omit<Backup, "files">,
  stores: readonly StoreName[],
  { folder, files, progress, patienceMs = BUSY_PATIENCE_MS }: BackupsOptions,
): Promise<BackupFile[]> {
  return building(folder, outline.id, async (place) => {
    const snapshots = [];
    try {
      for (const store of stores) snapshots.push({ store, snapshot: await openSnapshot(files[store], patienceMs) });
      const copied = await Promise.all(
        snapshots.map(async ({ store, snapshot }) => {
          const target = join(place, `${store}.db`);
          await snapshot.copyTo(target, (done, total) => progress?.report(done, total, `Copying ${store}`));
          return describeCopy(target, store);
        }),
      );
      await writeManifest(place, { ...outline, files: copied });
      await finish(place);
      return copied;
    } finally {
      for (const { snapshot } of snapshots) snapshot.close();
    }
  });
}

/** What a rehearsal knows: which files, how large they are, and that there is a place for them. */
async function sizes(stores: readonly StoreName[], { folder, files }: BackupsOptions): Promise<BackupFile[]> {
  accessSync(isThere(folder) ? folder : dirname(folder), constants.W_OK);
  const unknown = { sha256: "0".repeat(64), schema: 0 };
  return stores.map((store) => ({ store, name: `${store}.db`, bytes: statSync(files[store]).size, ...unknown }));
}

async function restore(
  id: string,
  { stores, rehearse }: { stores: readonly StoreName[]; rehearse: boolean },
  options: BackupsOptions,
): Promise<{ replaced: Backup }> {
  const { folder, files, clock, progress, patienceMs = BUSY_PATIENCE_MS } = options;
  const chosen = await filesOf(id, stores, options);
  const keeping: Taking = { reason: "replaced", rehearse, stores, spare: id };
  return building(folder, `restore-${timedName(clock.now())}`, async (place) => {
    const placements: Placement[] = [];
    for (const file of chosen) {
      const target = join(place, file.name);
      await checkedCopy(join(folder, id, file.name), file, target);
      placements.push({ store: file.store, copy: target, live: files[file.store] });
    }
    if (rehearse) return { replaced: (await take(keeping, options)).backup };
    const replaced = await putInPlace(placements, {
      patienceMs,
      onPages: (done, total) => progress?.report(done, total, "Restoring"),
      keep: async () => (await take(keeping, options)).backup,
      discard: (kept) => drop(folder, kept.id),
    });
    return { replaced };
  });
}

async function filesOf(id: string, stores: readonly StoreName[], options: BackupsOptions): Promise<BackupFile[]> {
  const backup = (await ownBackups(options)).find((known) => known.id === id);
  if (!backup) throw new Failure("not_found", `There is no backup ${id}.`, "`stele restore` lists what there is.");
  return stores.map((store) => {
    const file = backup.files.find((candidate) => candidate.store === store);
    if (file) return file;
    const held = backup.files.map((candidate) => `--store ${candidate.store}`).join(" ");
    throw new Failure("invalid_input", `Backup ${id} does not hold the ${store} store.`, `Restore it with ${held}.`);
  });
}
