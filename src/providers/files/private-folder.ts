/**
 * A folder whose content may be trusted: ours alone, and so is the way to it.
 *
 * One that others could have written to is never made private afterwards, because of what may lie in it already.
 */
import { lstatSync, mkdirSync, realpathSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative, sep } from "node:path";

const GROUP_AND_OTHERS = 0o077;
const GROUP_WRITE = 0o020;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;
const ROOT = 0;

type Owned = Pick<Stats, "mode" | "uid" | "gid"> & { isDirectory(): boolean };

export interface User {
  uid: number;
  gid: number;
}

/** Makes the folder, in one that exists, unless it is there. Its real path, or null where it is not private. */
export function claimPrivateFolder(path: string, user: User | null = ownUser()): string | null {
  try {
    // What is checked is what is used: a link on the way could lead elsewhere a moment later.
    const parent = realpathSync(dirname(path));
    const folder = join(parent, basename(path));
    if (user === null) return isInProfile(parent) ? made(folder) : null;
    if (!waysTo(parent).every((way) => isSafeWay(lstatSync(way), user))) return null;
    return isPrivate(lstatSync(made(folder)), user) ? folder : null;
  } catch {
    // Whatever the system refuses: nothing that is kept here is worth a failure.
    return null;
  }
}

function made(folder: string): string {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** Null on Windows, which knows no such modes and gives each user a profile instead. */
function ownUser(): User | null {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  return uid === undefined || gid === undefined ? null : { uid, gid };
}

const isInProfile = (path: string) => relative(homedir(), path).split(sep)[0] !== "..";

/** Ours, and nobody else may read or write it. A link is no folder. */
export function isPrivate(found: Owned, { uid }: User): boolean {
  return found.isDirectory() && found.uid === uid && (found.mode & GROUP_AND_OTHERS) === 0;
}

/** Nobody else can put another folder in the place of one that lies in this one. */
export function isSafeWay(found: Owned, { uid, gid }: User): boolean {
  if (found.uid !== uid && found.uid !== ROOT) return false;
  if ((found.mode & STICKY) !== 0) return true;
  // Many systems give each user a group of the same number, in which nobody else is.
  const isOwnGroup = found.gid === gid && gid === uid;
  return (found.mode & OTHERS_WRITE) === 0 && ((found.mode & GROUP_WRITE) === 0 || isOwnGroup);
}

function waysTo(path: string): string[] {
  const folders = [path];
  for (let folder = path; folder !== dirname(folder); ) folders.push((folder = dirname(folder)));
  return folders;
}
