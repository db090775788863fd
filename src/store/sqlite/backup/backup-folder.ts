/**
 * The folder of backups: one folder each, with the copies and a manifest that vouches for them.
 *
 * A backup is built under a name that ends in `.tmp` and gets its own by one rename; it goes
 * the same way backwards. So whatever has a proper name is whole, however a process ended.
 */
import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, mkdir, open, readFile, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../../errors.ts";
import { Backup, type BackupFile, MANIFEST_FORMAT, Manifest } from "../../../model/care/backup.ts";
import { ensureFolder } from "../connection/data-file.ts";

const MANIFEST = "manifest.json";
const MANIFEST_LIMIT_BYTES = 100_000;
/** Ends the name of whatever is not finished. */
export const UNFINISHED = ".tmp";

/** Sorts by time; the random part tells apart what two processes do at once. */
export function timedName(at: number): string {
  return `${new Date(at).toISOString().replace(/[-:.]/g, "")}-${randomBytes(3).toString("hex")}`;
}

/** Makes a folder to build in, and clears it away whatever happens, unless it got its name. */
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

/** Every whole backup of every project, newest first. A folder that is none is passed over. */
export async function readBackups(folder: string): Promise<Backup[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === "ENOENT") return [];
    if (thrown.code !== "ENOTDIR") throw thrown;
    throw new Failure("unavailable", `${folder} is not a folder.`, "Move it away.", { cause: thrown });
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
    // Whoever reads a pipe waits for ever.
    if (!found.isFile() || found.size > MANIFEST_LIMIT_BYTES) return null;
    const { format: _, ...backup } = Manifest.parse(JSON.parse(await readFile(path, "utf8")));
    return backup.id === name ? backup : null;
  } catch {
    // Whatever is wrong with it, it is no backup to rely on; the doctor names such folders.
    return null;
  }
}

/** Written whole: a manifest that can be read is the one that was meant. */
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

/** Takes the name away first, so that no half of it is ever seen as a backup. */
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

/** An empty file is what it says and a copy of nothing all the same. */
export const isOfSomething = ({ bytes, schema }: BackupFile): boolean => bytes > 0 && schema !== 0;

/** Whether the file is a copy of something, and still what the manifest says. */
export async function isIntact(path: string, file: BackupFile): Promise<boolean> {
  const { bytes, sha256 } = file;
  if (!isOfSomething(file)) return false;
  const found = await lstat(path).catch(() => null);
  return found !== null && found.isFile() && found.size === bytes && (await checksum(path)) === sha256;
}
