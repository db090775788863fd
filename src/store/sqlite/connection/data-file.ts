/**
 * The file a database lies in: made private before anything is in it, and never followed elsewhere.
 *
 * A link, a pipe or a device in place of the file is refused: whoever put it there wants
 * us to write, or wait, somewhere else.
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
import { Failure } from "../../../errors.ts";

/** Makes sure of a regular file, 0600, in a folder of 0700. */
export function prepareFile(path: string): void {
  ensureFolder(dirname(path));
  refuseSpecial(path);
  makeOnce(path);
  accessSync(path, constants.W_OK);
  // SQLite gives its -wal and -shm files the mode of the main file, so that one must be right first.
  chmodSync(path, 0o600);
}

/** A file that is there is not opened: closing it again would give up every lock this process has on it. */
export function makeOnce(path: string): void {
  if (isThere(path)) return;
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  }
}

/** Whether a file is there. An answer that is not to be had is a fault, not a no. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Tells whether the file that lies there now is still there later: what is written to one that was removed is lost. */
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

/** A folder for us alone. Node's own recursive form never returns in folders such as /proc, where nothing can be made. */
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

/** Sees what was written to the disk. A busy disk takes seconds for it, during which others are served. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  await file.sync().finally(() => file.close());
}

/** A copy with its log, for us alone, where nothing can be kept beside the file itself. */
export function privateCopy(path: string): { copy: string; discard(): void } {
  const folder = mkdtempSync(join(tmpdir(), "stele-read-"));
  const discard = () => rmSync(folder, { recursive: true, force: true });
  const copy = join(folder, "copy.db");
  try {
    copyWithLog(path, copy);
  } catch (thrown) {
    discard();
    throw thrown;
  }
  return { copy, discard };
}

export function copyWithLog(path: string, target: string): void {
  for (const suffix of ["", "-wal"]) copyPart(path + suffix, target + suffix);
}

function copyPart(path: string, target: string): void {
  refuseSpecial(path);
  if (!isThere(path)) return;
  copyFileSync(path, target, constants.COPYFILE_FICLONE);
  chmodSync(target, 0o600);
}

const CHUNK_BYTES = 1_048_576;

/**
 * The same of a file on which this process has a lock, through a descriptor that was opened before the lock was
 * taken: a descriptor opened now would, once closed, give the lock up. SQLite puts no lock on the log.
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
