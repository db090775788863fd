/**
 * The backup folder: one subfolder per backup, with the copies and a manifest of their checksums.
 *
 * A backup is built under a name ending in `.tmp` and gets its final name by one rename; it is
 * removed the same way in reverse. So a folder with a final name is complete, however a process ended.
 */
import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "../../../errors.ts";
import { Backup, type BackupFile, Manifest, MANIFEST_FORMAT } from "../../../maintenance/backup.ts";
import { ensureFolder, makeOnce, refuseSpecial } from "../data-file.ts";
import { codeOf, waitingUpTo } from "../database.ts";
import { openSqlite } from "../sqlite.ts";

const MANIFEST = "manifest.json";
const MANIFEST_LIMIT_BYTES = 100_000;
/** Name suffix of anything unfinished. */
export const UNFINISHED = ".tmp";

/** Sorts by time; the random part keeps names from two processes apart. */
export function timedName(at: number): string {
  return `${new Date(at).toISOString().replace(/[-:.]/g, "")}-${randomBytes(3).toString("hex")}`;
}

/** Makes a folder to build in and removes it afterwards, unless `finish` has renamed it. */
export async function building<T>(folder: string, name: string, build: (place: string) => Promise<T>): Promise<T> {
  ensureFolder(folder);
  const place = join(folder, name + UNFINISHED);
  await mkdir(place, { mode: 0o700 });
  try {
    return await build(place);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Every complete backup of every project, newest first. Other folders are skipped. */
export async function readBackups(folder: string): Promise<Backup[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === "ENOENT") return [];
    if (thrown.code !== "ENOTDIR") throw thrown;
    throw new Failure("unavailable", `${folder} is not a folder.`, "Move it elsewhere.", { cause: thrown });
  });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const found = await Promise.all(names.map((name) => readManifest(folder, name)));
  return found.filter((backup) => backup !== null).sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
}

async function readManifest(folder: string, name: string): Promise<Backup | null> {
  if (!Backup.shape.id.safeParse(name).success) return null;
  try {
    const path = join(folder, name, MANIFEST);
    const found = await lstat(path);
    // Reading a pipe could block for ever.
    if (!found.isFile() || found.size > MANIFEST_LIMIT_BYTES) return null;
    const { format: _, ...backup } = Manifest.parse(JSON.parse(await readFile(path, "utf8")));
    return backup.id === name ? backup : null;
  } catch {
    // An unreadable manifest makes it no valid backup; the doctor reports such folders.
    return null;
  }
}

/** Written by rename, so that a manifest is never incomplete. */
export async function writeManifest(place: string, backup: Backup): Promise<void> {
  const path = join(place, MANIFEST);
  const file = await open(path + UNFINISHED, "w", 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ format: MANIFEST_FORMAT, ...backup }, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(path + UNFINISHED, path);
}

export async function finish(place: string): Promise<void> {
  await rename(place, place.slice(0, -UNFINISHED.length));
}

/** Renames first, so that a half-removed folder never looks like a backup. */
export async function drop(folder: string, id: string): Promise<void> {
  const place = join(folder, id + UNFINISHED);
  await rename(join(folder, id), place);
  await rm(place, { recursive: true, force: true });
}

export async function checksum(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** An empty file can match its checksum and still be worthless. */
export const hasContent = ({ bytes, schema }: BackupFile): boolean => bytes > 0 && schema !== 0;

/** Whether the file is not empty and still matches the manifest. */
export async function isIntact(path: string, file: BackupFile): Promise<boolean> {
  const { bytes, sha256 } = file;
  if (!hasContent(file)) return false;
  const found = await lstat(path).catch(() => null);
  return found !== null && found.isFile() && found.size === bytes && (await checksum(path)) === sha256;
}

/**
 * One process at a time works on the backups: making, cleaning, restoring and dropping need the lock.
 *
 * The lock is SQLite's own, on an empty file next to the folder, so the system releases it when
 * a process dies. Nothing else may open that file: closing it would release the lock.
 */
const LOCK_PATIENCE_MS = 60_000;

export async function holdingBackups<T>(
  folder: string,
  work: () => Promise<T>,
  patienceMs = LOCK_PATIENCE_MS,
): Promise<T> {
  const path = `${folder}.lock`;
  ensureFolder(dirname(folder));
  refuseSpecial(path);
  makeOnce(path);
  const db = openSqlite(path, { timeout: 0, fileMustExist: true });
  try {
    await waitingUpTo(patienceMs, path, () => db.exec("begin exclusive")).catch(refuse);
    return await work();
  } finally {
    db.close();
  }
}

function refuse(thrown: unknown): never {
  if (!(thrown instanceof Failure) || !codeOf(thrown.cause).startsWith("SQLITE_BUSY")) throw thrown;
  const hint = "Try again when it has finished.";
  throw new Failure("unavailable", "Another process is working on the backups.", hint, { cause: thrown });
}
