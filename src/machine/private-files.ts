/**
 * The text of a small file that can be trusted: a note of ours, or a secret that somebody handed to us.
 *
 * What is checked is the open file, so nobody can put another one in its place between the look and the reading.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative, sep } from "node:path";

/**
 * A folder whose content can be trusted: only we can write to it or replace it.
 *
 * A folder that others could have written to is never made private afterwards, because of what it may already contain.
 */
const GROUP_WRITE = 0o020;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;

type OwnedFolder = Pick<Stats, "mode" | "uid" | "gid"> & { isDirectory(): boolean };

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
export function isPrivate(found: OwnedFolder, { uid }: User): boolean {
  return found.isDirectory() && found.uid === uid && (found.mode & GROUP_AND_OTHERS) === 0;
}

/** True if nobody else can replace an entry of this folder. */
export function isSafeParent(found: OwnedFolder, { uid, gid }: User): boolean {
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

const LARGEST_BYTES = 4_096;
const GROUP_AND_OTHERS = 0o077;
const WRITTEN_BY_OTHERS = 0o022;
const WRITTEN = 0o222;
const ROOT = 0;

type Owned = Pick<Stats, "uid" | "mode">;

/** A file of ours that nobody else can read; no link leads to it. Null if it is anything else. */
export function readPrivate(path: string, user: User | null = ownUser()): string | null {
  return readTrusted(path, constants.O_NOFOLLOW ?? 0, (found) => user === null || isPrivateFile(found, user));
}

/**
 * A secret that a person named: a private file, or one that only root can write. The secrets of containers are of the
 * second kind: root mounts them, often as links, and whoever runs there must be able to read them.
 */
export function readSecret(path: string, user: User | null = ownUser()): string | null {
  return readTrusted(path, 0, (found) => user === null || isPrivateFile(found, user) || isMounted(found, user));
}

/** Written beside it first, so that nobody ever reads half of it. */
export function writePrivate(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
  renameSync(temporary, path);
}

const isPrivateFile = ({ uid, mode }: Owned, user: User): boolean =>
  uid === user.uid && (mode & GROUP_AND_OTHERS) === 0;
/** Root's own shells leave files that everybody can read, so for root it must be one that nobody writes. */
const isMounted = ({ uid, mode }: Owned, user: User): boolean =>
  uid === ROOT && (mode & (user.uid === ROOT ? WRITTEN : WRITTEN_BY_OTHERS)) === 0;

function readTrusted(path: string, links: number, isTrusted: (found: Owned) => boolean): string | null {
  // A pipe in its place must not make us wait.
  const file = openSync(path, constants.O_RDONLY | links | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(file);
    return found.isFile() && found.size <= LARGEST_BYTES && isTrusted(found) ? readFileSync(file, "utf8") : null;
  } finally {
    closeSync(file);
  }
}
