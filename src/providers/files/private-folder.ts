/**
 * A folder whose content can be trusted: only we can write to it or replace it.
 *
 * A folder that others could have written to is never made private afterwards, because of what it may already contain.
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

/** Creates the folder in an existing one unless it exists. Returns its real path, or null if it is not private. */
export function claimPrivateFolder(path: string, user: User | null = ownUser()): string | null {
  try {
    // The checked path is the one used: a link on the way could point elsewhere a moment later.
    const parent = realpathSync(dirname(path));
    const folder = join(parent, basename(path));
    if (user === null) return isInProfile(parent) ? ensureFolder(folder) : null;
    if (!ancestorsOf(parent).every((ancestor) => isSafeParent(lstatSync(ancestor), user))) return null;
    return isPrivate(lstatSync(ensureFolder(folder)), user) ? folder : null;
  } catch {
    // Whatever the system refuses: nothing stored here is worth a failure.
    return null;
  }
}

function ensureFolder(folder: string): string {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** Null on Windows, which has no such modes and gives each user a profile instead. */
export function ownUser(): User | null {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  return uid === undefined || gid === undefined ? null : { uid, gid };
}

const isInProfile = (path: string) => relative(homedir(), path).split(sep)[0] !== "..";

/** Ours, and nobody else may read or write it. A link does not count as a folder. */
export function isPrivate(found: Owned, { uid }: User): boolean {
  return found.isDirectory() && found.uid === uid && (found.mode & GROUP_AND_OTHERS) === 0;
}

/** True if nobody else can replace an entry of this folder. */
export function isSafeParent(found: Owned, { uid, gid }: User): boolean {
  if (found.uid !== uid && found.uid !== ROOT) return false;
  if ((found.mode & STICKY) !== 0) return true;
  // Many systems give each user a group of the same number with no other members.
  const isOwnGroup = found.gid === gid && gid === uid;
  return (found.mode & OTHERS_WRITE) === 0 && ((found.mode & GROUP_WRITE) === 0 || isOwnGroup);
}

function ancestorsOf(path: string): string[] {
  const folders = [path];
  for (let folder = path; folder !== dirname(folder); ) folders.push((folder = dirname(folder)));
  return folders;
}
