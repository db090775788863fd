/**
 * The text of a small file that can be trusted: a note of ours, or a secret that somebody handed to us.
 *
 * What is checked is the open file, so nobody can put another one in its place between the look and the reading.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Stats } from "node:fs";
import { ownUser, type User } from "./private-folder.ts";

const LARGEST_BYTES = 4_096;
const GROUP_AND_OTHERS = 0o077;
const WRITTEN_BY_OTHERS = 0o022;
const WRITTEN = 0o222;
const ROOT = 0;

type Owned = Pick<Stats, "uid" | "mode">;

/** A file of ours that nobody else can read; no link leads to it. Null if it is anything else. */
export function readPrivate(path: string, user: User | null = ownUser()): string | null {
  return readTrusted(path, constants.O_NOFOLLOW ?? 0, (found) => user === null || isPrivate(found, user));
}

/**
 * A secret that a person named: a private file, or one that only root can write. The secrets of containers are of the
 * second kind: root mounts them, often as links, and whoever runs there must be able to read them.
 */
export function readSecret(path: string, user: User | null = ownUser()): string | null {
  return readTrusted(path, 0, (found) => user === null || isPrivate(found, user) || isMounted(found, user));
}

/** Written beside it first, so that nobody ever reads half of it. */
export function writePrivate(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
  renameSync(temporary, path);
}

const isPrivate = ({ uid, mode }: Owned, user: User): boolean => uid === user.uid && (mode & GROUP_AND_OTHERS) === 0;
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
