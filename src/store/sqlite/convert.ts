/**
 * Builds all stores and backups of a data folder anew, with another key or with none.
 *
 * From before the first page is copied until the caller has switched over, no store can be written, so no commit is lost. The
 * backups are locked as for a restore. If anything fails before, the folder that was being built is removed and nothing has changed.
 */
import { renameSync, rmSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { rawKey, type StoreFolder, type StoreKey } from "../../encryption/store-key.ts";
import { Failure } from "../../errors.ts";
import type { Backup, BackupFile, StoreName } from "../../maintenance/backup.ts";
import { describeCopy, openSnapshot, refuseDamaged, refuseForeignSchema } from "./backup/backup-copy.ts";
import { building, finish, holdingBackups, isIntact, readBackups, writeManifest } from "./backup/backup-folder.ts";
import { ensureFolder, isThere, refuseSpecial, syncFile } from "./data-file.ts";
import { BUSY_PATIENCE_MS, BUSY_TIMEOUT_MS, type Database, translate, waitingUpTo } from "./database.ts";
import { refuseUnknown, version } from "./migrate.ts";
import { openKeyed } from "./sqlite.ts";

/**
 * Writes a store anew with another key, or with none.
 *
 * The copy has to pass what a backup passes before it is restored, and to hold as many rows as the original in every table.
 */
interface FileConversion {
  store: StoreName;
  from: string;
  fromKey: StoreKey | null;
  to: string;
  toKey: StoreKey | null;
}

const LEFT = "Nothing was changed. `stele doctor` examines the file.";

async function convertFile(conversion: FileConversion): Promise<BackupFile> {
  const { store, from, fromKey, to, toKey } = conversion;
  const snapshot = await openSnapshot(from, fromKey);
  try {
    await snapshot.copyTo(to, () => undefined);
  } finally {
    snapshot.close();
  }
  rekey(to, fromKey, toKey);
  await syncFile(to);
  reading(to, toKey, (db) => {
    refuseUnknown(db);
    refuseForeignSchema(db, store, from, LEFT);
  });
  await refuseDamaged({ copy: to, origin: from, key: toKey, hint: LEFT });
  if (reading(from, fromKey, summaryOf) !== reading(to, toKey, summaryOf)) {
    throw new Failure("internal", `The copy of ${from} differs from it.`, LEFT);
  }
  return describeCopy(to, store, toKey);
}

/** Rewrites the copy in place. Nobody else uses it, so it needs no journal, which would be plain text. */
function rekey(path: string, fromKey: StoreKey | null, toKey: StoreKey | null): void {
  const db = openKeyed(path, fromKey, { fileMustExist: true });
  try {
    db.exec("pragma journal_mode = off; pragma synchronous = off; pragma temp_store = memory; pragma cipher = 'aegis'");
    db.exec(`pragma rekey = '${toKey === null ? "" : rawKey(toKey)}'`);
  } finally {
    db.close();
  }
}

function reading<T>(path: string, key: StoreKey | null, read: (db: Database) => T): T {
  const db = openKeyed(path, key, { readonly: true, fileMustExist: true, timeout: BUSY_PATIENCE_MS });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** The number of rows of every table, and the end of the journal. */
function summaryOf(db: Database): string {
  const tables = db
    .prepare<[], string>(`select name from sqlite_schema where type = 'table' and rootpage > 0 order by name`)
    .pluck()
    .all();
  const counts = tables.map((table) => [table, db.prepare(`select count(*) from "${table}"`).pluck().get()]);
  const head = db.prepare(`select length, hex(hash) from journal_head`).raw().all();
  return JSON.stringify([counts, head]);
}

interface Conversion {
  from: StoreFolder;
  /** A folder that does not exist yet. It is built under another name. */
  to: { path: string; key: StoreKey | null };
  /** Makes the new folder the memory, in one step. Nobody can write meanwhile. */
  switchOver(): void;
  onFile?(path: string): void;
  patienceMs?: number;
}

interface Converted {
  stores: number;
  backups: number;
}

export const storesIn = async (folder: string): Promise<{ store: StoreName; path: string }[]> => {
  const names = await readdir(join(folder, "spaces")).catch(() => []);
  const projects = names.filter((name) => name.endsWith(".db")).sort();
  const all = [
    { store: "global" as const, path: join(folder, "global.db") },
    ...projects.map((name) => ({ store: "project" as const, path: join(folder, "spaces", name) })),
  ];
  return all.filter(({ path }) => isThere(path) && !isUnused(path));
};

/** A process that died early leaves an empty file. */
const isUnused = (path: string) =>
  statSync(path).size === 0 && !(isThere(`${path}-wal`) && statSync(`${path}-wal`).size > 0);

export async function convertStores(conversion: Conversion): Promise<Converted> {
  const { from, to } = conversion;
  const draft = `${to.path}.tmp`;
  return holdingBackups(join(from.path, "backups"), async () => {
    refuseMoved(from);
    const gates: Database[] = [];
    try {
      ensureFolder(draft);
      const stores = await holdAll(gates, conversion);
      refuseMoved(from);
      for (const { store, path } of stores) {
        conversion.onFile?.(path);
        const target = store === "global" ? join(draft, "global.db") : join(draft, "spaces", basename(path));
        await convertFile({ store, from: path, fromKey: from.key, to: target, toKey: to.key }).catch(
          (thrown: unknown) => {
            throw translate(thrown, path, from.key);
          },
        );
      }
      const backups = await convertBackups(draft, conversion);
      renameSync(draft, to.path);
      conversion.switchOver();
      return { stores: stores.length, backups };
    } catch (thrown) {
      rmSync(draft, { recursive: true, force: true });
      // Unless the last step was done after all.
      if (from.isCurrent()) rmSync(to.path, { recursive: true, force: true });
      throw thrown;
    } finally {
      for (const gate of gates) gate.close();
    }
  });
}

function refuseMoved({ isCurrent }: StoreFolder): void {
  if (isCurrent()) return;
  const hint = "Look at `stele doctor`, then repeat the command if it is still needed.";
  throw new Failure("conflict", "Another process has just encrypted, decrypted or given it another key.", hint);
}

/** Keeps everybody from writing. The global store comes first: new projects are registered there before they have a store. */
async function holdAll(gates: Database[], { from, patienceMs = BUSY_PATIENCE_MS }: Conversion) {
  const held = new Map<string, Database>();
  for (;;) {
    const stores = await storesIn(from.path);
    const next = stores.find(({ path }) => !held.has(path));
    // A process that died early leaves a file without tables.
    if (next === undefined) return stores.filter(({ path }) => version(held.get(path)!) > 0);
    refuseSpecial(next.path);
    const gate = openKeyed(next.path, from.key, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    gates.push(gate);
    await waitingUpTo(patienceMs, next.path, () => gate.exec("begin immediate"), from.key);
    held.set(next.path, gate);
  }
}

/** Whatever is not an intact backup is left out; whoever asked for this was told so. */
async function convertBackups(draft: string, conversion: Conversion): Promise<number> {
  const { from } = conversion;
  const backups = await readBackups(join(from.path, "backups"));
  let converted = 0;
  for (const backup of backups.reverse()) {
    if (!(await isWhole(join(from.path, "backups", backup.id), backup))) continue;
    conversion.onFile?.(join(from.path, "backups", backup.id));
    await convertBackup(join(draft, "backups"), backup, conversion);
    converted += 1;
  }
  return converted;
}

export async function isWhole(place: string, { files }: Backup): Promise<boolean> {
  const intact = await Promise.all(files.map((file) => isIntact(join(place, file.name), file)));
  return intact.every(Boolean);
}

async function convertBackup(folder: string, backup: Backup, { from, to }: Conversion): Promise<void> {
  await building(folder, backup.id, async (place) => {
    const files = [];
    for (const { store, name } of backup.files) {
      const path = join(from.path, "backups", backup.id, name);
      const named = { store, from: path, fromKey: from.key, to: join(place, name), toKey: to.key };
      files.push(await convertFile(named).catch(refuseBackup(path)));
    }
    await writeManifest(place, { ...backup, files });
    await finish(place);
  });
}

const refuseBackup =
  (path: string) =>
  (thrown: unknown): never => {
    const { message } = translate(thrown, path) as Error;
    const hint = "Nothing was changed. Move that backup elsewhere, then repeat the command.";
    throw new Failure("unavailable", `The backup ${path} cannot be converted: ${message}`, hint, { cause: thrown });
  };
