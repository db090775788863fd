/**
 * The folder of a project's spool: where it is, and whether it can be trusted.
 *
 * Shared by hooks, which write, and by the program, which digests. It is found by the repository alone, because a hook
 * opens no store. A link, a folder of somebody else or one that others may read is refused.
 */
import { lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../../logic/text/sha256.ts";
import { isPrivate, ownUser } from "../files/private-folder.ts";

export const SPOOL = "spool";
/** While this file exists, hooks of the project report nothing. */
export const PAUSED = "paused";
/** While this file exists, they report nothing either: the person only reads what a team shares. */
export const READER = "reader";
/** While this file exists, new reports are dropped. */
export const FULL = "full";
/** A report that is being written; a hook that was killed leaves one behind. */
export const DRAFT = /^[0-9a-f]{32}\.json\.\d+\.tmp$/;
export const REPORT = /^[0-9a-f]{32}\.json$/;

/** How much longer a sealed report may be than a plain one. */
export const SEAL_BYTES = 128;

export interface SpoolBounds {
  files: number;
  bytes: number;
}

export const SPOOL_BOUNDS: SpoolBounds = { files: 10_000, bytes: 64 * 1_048_576 };

/** `key` is the real path of the git common folder, or of the folder itself outside git. */
export const spoolFolder = (home: string, key: string): string => join(home, SPOOL, sha256(key).slice(0, 32));

/** Why the folder cannot be trusted; null if it can, or if it does not exist yet. */
export function distrust(folder: string): string | null {
  const user = ownUser();
  for (const path of [join(folder, ".."), folder]) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    if (!found.isDirectory()) return `${path} is not a folder.`;
    // Windows has no such modes; there the data folder is in the user's own profile.
    if (user !== null && !isPrivate(found, user)) return `${path} is not private to you.`;
  }
  return null;
}

/** One level after the other: under `/proc`, Node's own way never ends. */
export function createFolder(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  const above = dirname(folder);
  if (above !== folder) createFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    // Another hook was faster.
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  }
}

export const isMarked = (folder: string, mark: string): boolean =>
  lstatSync(join(folder, mark), { throwIfNoEntry: false }) !== undefined;
