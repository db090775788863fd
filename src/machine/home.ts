/**
 * The data folder on disk: whether it can be used, who could read it, and what is left over in it.
 *
 * Examines only our own files and folders and follows no links; anything else there is ignored.
 */
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { STORES_FOLDER } from "../encryption/record.ts";
import { Failure } from "../errors.ts";
import type { HomeState, Part, Room } from "../maintenance/doctor-rules.ts";
import { shownLine } from "../text/short-text.ts";

/** A copy or download may take long; anything older than this is abandoned. */
const ABANDONED_MS = 3_600_000;
/** Private copies live as long as a server that cannot write to its data folder. */
const ABANDONED_COPY_MS = 86_400_000;
const OTHERS = 0o077;
const FOLDERS = ["spaces", "backups", "models", "spool", "run", "hosts", "team"];

/** Every folder that Stele makes in the data folder. */
export const ownFolders = (home: string, stores = home): string[] => [
  ...[...FOLDERS, "compiled", "daily"].map((name) => join(home, name)),
  ...(stores === home ? [] : [stores]),
];

interface Home {
  readonly folder: string;
  /** Throws if the folder cannot be read. */
  state(): HomeState;
  /** Names of the projects' files: the ids of their spaces. */
  spaceFiles(): string[];
  /** The path of a store file, or of one beside it, that is not a regular file; null if none. */
  special(path: string): string | null;
  /** Our folders that have been replaced by something else. */
  misplaced(): string[];
  /** Our folders that are links to folders elsewhere, which are used but not examined. */
  linked(): string[];
  /** Whether the registry is missing although projects have memories. */
  isGlobalLost(): boolean;
  /** Our files and folders that others may read. */
  exposed(): string[];
  close(paths: readonly string[]): void;
  /** Files that crashed processes left behind. */
  leftovers(): string[];
  clear(paths: readonly string[]): void;
  /** Bytes of each of our folders, and of the files beside them, largest first. */
  disk(): Part[];
  /** What the disk still takes; null if the system does not tell. */
  room(): Room | null;
}

/** `stores`: where the stores are, if not in the data folder itself. */
export function createHome(folder: string, stores = folder): Home {
  const within = (...names: string[]) => join(folder, ...names);
  const inStores = (...names: string[]) => join(stores, ...names);
  return {
    folder,
    state() {
      refuseUnusable(folder);
      if (statSync(folder, { throwIfNoEntry: false }) === undefined) return "absent";
      return writability(folder);
    },
    isGlobalLost() {
      // A process that died early leaves an empty file; losing it loses nothing.
      const isEmpty = (...names: string[]) => isNothing(inStores(...names)) && isNothing(`${inStores(...names)}-wal`);
      return isEmpty("global.db") && this.spaceFiles().some((name) => !isEmpty("spaces", name));
    },
    spaceFiles: () => namesIn(inStores("spaces")).filter((name) => name.endsWith(".db")),
    special: (path) => ["", "-wal", "-shm", "-journal"].map((suffix) => path + suffix).find(isSpecial) ?? null,
    misplaced: () =>
      [...new Set([...FOLDERS.map((name) => within(name)), inStores("spaces"), inStores("backups")])].filter((path) => {
        const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
        return isThere && !isFolder(path);
      }),
    linked: () => FOLDERS.map((name) => within(name)).filter((path) => isLink(path) && isFolder(path)),
    // A link that the person named as the data folder leads to it.
    exposed: () => [isFolder(folder) ? realpathSync(folder) : folder, ...ownFiles(folder)].filter(isExposed),
    close(paths) {
      for (const path of paths) chmodSync(path, lstatSync(path).mode & 0o700);
    },
    leftovers: () => [
      ...ownFiles(folder).filter((path) => path.endsWith(".tmp") && isOlder(path, ABANDONED_MS)),
      ...temporaryCopies(["read"]).filter((path) => isOurs(path) && isOlder(path, ABANDONED_COPY_MS)),
    ],
    clear(paths) {
      for (const path of paths) rmSync(path, { recursive: true, force: true });
    },
    disk() {
      const sizes = new Map<string, number>();
      for (const path of [...ownFiles(folder), ...everythingIn(within("compiled"))]) {
        const found = lstatSync(path, { throwIfNoEntry: false });
        const [part] = path
          .slice(folder.length + 1)
          .replace(/-(?:wal|shm|journal)$/, "")
          .split(sep);
        if (found?.isFile()) sizes.set(part!, (sizes.get(part!) ?? 0) + found.size);
      }
      return [...sizes].map(([part, bytes]) => ({ part, bytes })).sort((one, two) => two.bytes - one.bytes);
    },
    room: () => roomAt(existing(folder)),
  };
}

/** Fails unless the data folder can be read, or is still to be made in a folder that can. */
export function refuseUnusable(folder: string): void {
  try {
    const path = existing(folder);
    if (!statSync(path).isDirectory()) throw unusable(folder, `${path === folder ? "it" : path} is not a folder`);
    accessSync(path, constants.R_OK | constants.X_OK);
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    const { code = "" } = thrown as NodeJS.ErrnoException;
    throw unusable(folder, UNUSABLE[code] ?? `the system says ${code || String(thrown)}`, thrown);
  }
}

/** The folder, or the one that it will be made in. */
function existing(folder: string): string {
  let path = folder;
  while (isAbsent(path) && path !== dirname(path)) path = dirname(path);
  return path;
}

/** A link that leads nowhere is there, although nothing can be made in its place. */
function isAbsent(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return false;
  try {
    return !isLink(path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOTDIR") return true;
    throw thrown;
  }
}

const UNUSABLE: Record<string, string> = {
  EACCES: "you have no permission to read it",
  EPERM: "you have no permission to read it",
  ENAMETOOLONG: "its path is too long",
  ELOOP: "a link in its path leads back to itself",
  ENOENT: "a link in its path leads nowhere",
  ERR_INVALID_ARG_VALUE: "its path contains a NUL character",
};

function unusable(folder: string, why: string, cause?: unknown): Failure {
  const hint = "Set STELE_HOME to a folder of yours, or unset it to use the default one.";
  return new Failure("unavailable", `The data folder ${shownLine(folder, 200)} cannot be used: ${why}.`, hint, {
    cause,
  });
}

/** Copies of stores, or of a text in an editor. The folder for them may be gone, and not everybody may list it. */
export function temporaryCopies(kinds: readonly ("read" | "edit")[]): string[] {
  const folder = tmpdir();
  try {
    const names = readdirSync(folder).filter((name) => kinds.some((kind) => name.startsWith(`stele-${kind}-`)));
    return names.map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Databases, backups and models, with their folders. Settings are the user's to share. */
function ownFiles(folder: string): string[] {
  const names = namesIn(folder);
  const data = names
    .filter((name) => isData(name) || name === "encryption.json")
    .map((name) => join(folder, name))
    .filter((path) => !isSpecial(path));
  const encrypted = names.filter((name) => STORES_FOLDER.test(name));
  return [
    ...data,
    ...[...FOLDERS, ...encrypted]
      .map((name) => join(folder, name))
      .filter((path) => isOurs(path) && lstatSync(path).isDirectory())
      .flatMap(everythingIn),
  ];
}

/** Also one that a link leads to. */
const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
const isLink = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

const isData = (path: string) => /\.db(-wal|-shm|-journal)?$/.test(path);

function everythingIn(path: string): string[] {
  const isOwnFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  // A folder in place of a database is not ours, nor is its content.
  if (isOwnFolder && isData(path)) return [];
  return [path, ...(isOwnFolder ? namesIn(path).flatMap((name) => everythingIn(join(path, name))) : [])];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (thrown) {
    if (["ENOENT", "ENOTDIR"].includes((thrown as NodeJS.ErrnoException).code ?? "")) return [];
    throw thrown;
  }
}

/** Windows has no such modes, and files owned by others are not ours to change. */
function isExposed(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || process.platform === "win32" || !(found.isFile() || found.isDirectory())) return false;
  return isOurs(path) && (found.mode & OTHERS) !== 0;
}

function writability(path: string): "writable" | "read-only" | "on a read-only disk" {
  try {
    accessSync(path, constants.W_OK);
    return "writable";
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EROFS" ? "on a read-only disk" : "read-only";
  }
}

/** Quotas are not seen. */
function roomAt(path: string): Room | null {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(path);
    return { bytes: bavail * bsize, files: files === 0 ? null : ffree };
  } catch {
    return null;
  }
}

function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  const own = process.getuid?.();
  return found !== undefined && !found.isSymbolicLink() && (own === undefined || found.uid === own);
}

function isSpecial(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile();
}

/** No file, or an empty one. A pipe or folder in its place does not count. */
export function isNothing(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined || (found.isFile() && found.size === 0);
}

/** How long after its registration a store is created, at most. */
const CREATION_MS = 60_000;

/** Whether a store was emptied after it was created; one whose process died early is as old as its registration. */
export function isEmptied(path: string, registeredAt: number): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size > 0 || !isNothing(`${path}-wal`)) return false;
  return found.mtimeMs > registeredAt + CREATION_MS;
}

const isOlder = (path: string, ageMs: number) => Date.now() - lstatSync(path).mtimeMs > ageMs;
