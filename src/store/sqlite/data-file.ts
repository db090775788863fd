/**
 * The file a database lies in: made private before anything is in it, and never followed elsewhere.
 *
 * A link, a pipe or a device in place of the file is refused: whoever put it there wants
 * us to write, or wait, somewhere else.
 */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Failure } from "../../errors.ts";

/** Makes sure of a regular file, 0600, in a folder of 0700. */
export function prepareFile(path: string): void {
  ensureFolder(dirname(path));
  refuseSpecial(path);
  // SQLite gives its -wal and -shm files the mode of the main file, so that one must be right first.
  const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_WRONLY } = constants;
  closeSync(openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600));
  chmodSync(path, 0o600);
}

/** Whether a file is there. An answer that is not to be had is a fault, not a no. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
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

/** Sees what was written to the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
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
  for (const suffix of ["", "-wal"]) {
    refuseSpecial(path + suffix);
    if (!isThere(path + suffix)) continue;
    copyFileSync(path + suffix, target + suffix, constants.COPYFILE_FICLONE);
    chmodSync(target + suffix, 0o600);
  }
}
