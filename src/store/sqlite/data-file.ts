/**
 * The file of a database: made private before it holds anything, and never reached through a link.
 *
 * A link, a pipe or a device in place of the file is refused: it could redirect our writes
 * or block us.
 */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Failure } from "../../errors.ts";

/** Ensures a regular file with mode 0600 in a folder with mode 0700. */
export function prepareFile(path: string): void {
  ensureFolder(dirname(path));
  refuseSpecial(path);
  makeOnce(path);
  accessSync(path, constants.W_OK);
  // SQLite gives its -wal and -shm files the mode of the main file, so that must be set first.
  chmodSync(path, 0o600);
}

/** An existing file is not opened: closing it would release every lock this process holds on it. */
export function makeOnce(path: string): void {
  if (isThere(path)) return;
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  }
}

/** Whether the file exists. Throws when that cannot be determined. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Returns a check that the path still names the same file: writes to a removed file would be lost. */
export function sameFileAt(path: string): () => boolean {
  const identity = () => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found ? `${found.dev} ${found.ino}` : null;
  };
  const known = identity();
  return () => known === null || identity() === known;
}

export function refuseSpecial(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isFile()) return;
  throw new Failure(
    "unavailable",
    `${path} is not a regular file.`,
    "Move it away, or set STELE_HOME to another folder.",
  );
}

/** Ensures a private folder. Node's own recursive mkdir never returns in folders such as /proc. */
export function ensureFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "EEXIST" && lstatSync(folder, { throwIfNoEntry: false })) return;
    if (code !== "ENOENT" || folder === dirname(folder)) throw thrown;
    ensureFolder(dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  }
}

/** Syncs the file to disk, asynchronously, because a busy disk takes seconds. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  await file.sync().finally(() => file.close());
}

/** A private copy with its log, for a file next to which nothing can or may be written. */
export function privateCopy(path: string, logs: readonly string[] = ["-wal"]): { copy: string; discard(): void } {
  const folder = mkdtempSync(join(tmpdir(), "stele-read-"));
  const discard = () => rmSync(folder, { recursive: true, force: true });
  const copy = join(folder, "copy.db");
  try {
    for (const suffix of ["", ...logs]) copyPart(path + suffix, copy + suffix);
  } catch (thrown) {
    discard();
    throw thrown;
  }
  return { copy, discard };
}

function copyPart(path: string, target: string): void {
  refuseSpecial(path);
  if (!isThere(path)) return;
  copyFileSync(path, target, constants.COPYFILE_FICLONE);
  chmodSync(target, 0o600);
}

const CHUNK_BYTES = 1_048_576;

/**
 * Copies a file that this process has locked, through a descriptor opened before the lock was taken: closing a
 * descriptor opened now would release the lock. SQLite does not lock the log.
 */
export function copyLocked(file: number, path: string, target: string): void {
  const copy = openSync(target, "wx", 0o600);
  const chunk = Buffer.alloc(CHUNK_BYTES);
  try {
    for (let at = 0, read = 0; (read = readSync(file, chunk, 0, CHUNK_BYTES, at)) > 0; at += read) {
      for (let written = 0; written < read; ) written += writeSync(copy, chunk, written, read - written);
    }
  } finally {
    closeSync(copy);
  }
  copyPart(`${path}-wal`, `${target}-wal`);
}
