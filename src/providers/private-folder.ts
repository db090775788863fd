/**
 * A folder whose content may be trusted: ours alone, and so is the way to it.
 *
 * One that others could have written to is never made private afterwards, because of what may lie in it already.
 */
import { lstatSync, mkdirSync, realpathSync, type Stats } from "node:fs";
import { dirname } from "node:path";

const GROUP_AND_OTHERS = 0o077;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;
const ROOT = 0;

type Owned = Pick<Stats, "mode" | "uid"> & { isDirectory(): boolean };

/** Makes the folder, in one that exists, unless it is there; tells whether what is there is private. */
export function claimPrivateFolder(path: string, user = process.getuid?.()): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") return false;
  }
  // Windows keeps the data folder in the user's own profile and knows no such modes.
  if (user === undefined) return true;
  return isPrivate(lstatSync(path), user) && waysTo(path).every((folder) => isSafeWay(lstatSync(folder), user));
}

/** Ours, and nobody else may read or write it. A link is no folder. */
export function isPrivate(found: Owned, user: number): boolean {
  return found.isDirectory() && found.uid === user && (found.mode & GROUP_AND_OTHERS) === 0;
}

/** Nobody else can put another folder in the place of one that lies in this one. */
export function isSafeWay(found: Owned, user: number): boolean {
  if (found.uid !== user && found.uid !== ROOT) return false;
  return (found.mode & OTHERS_WRITE) === 0 || (found.mode & STICKY) !== 0;
}

function waysTo(path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(realpathSync(path)); ; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === dirname(folder)) return folders;
  }
}
