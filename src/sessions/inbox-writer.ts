/**
 * Spools one report. Run by hooks: it opens no store, and asks the disk as little as possible.
 *
 * A report appears under its name at once and complete. A spool that nobody digests is bounded: its size is looked at
 * now and then, and a mark tells all later hooks that it is full, until something is digested.
 */
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isPrivate, ownUser } from "../machine/private-files.ts";
import { sha256 } from "../text/sha256.ts";
import { type Spooled, SPOOLED_BYTES } from "./session.ts";

/**
 * The folder of a project's spool: where it is, and whether it can be trusted.
 *
 * Shared by hooks, which write, and by the program, which digests. It is found by the repository alone, because a hook
 * opens no store. A link, a folder of somebody else or one that others may read is refused.
 */
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

/** Reports written between two looks at the size of a large spool. */
const UNSEEN = 16;

/** Encrypts a report, where the memory is encrypted. */
export type Seal = (text: string) => Buffer;

/** Returns a sentence for the log, or null if all is well. */
export function spool(
  report: Spooled,
  folder: string,
  { bounds = SPOOL_BOUNDS, seal }: { bounds?: SpoolBounds; seal?: Seal | undefined } = {},
): string | null {
  const reason = distrust(folder);
  if (reason !== null) return reason;
  if ([PAUSED, READER, FULL].some((mark) => isMarked(folder, mark))) return null;
  const name = `${report.id}.json`;
  if (isMarked(folder, name)) return null;
  const text = JSON.stringify(report);
  if (Buffer.byteLength(text) > SPOOLED_BYTES) return "A report is too large.";
  createFolder(folder);
  if (isFull(folder, report.id, bounds)) return markFull(folder);
  // Not `.json`: it is listed only when it is complete.
  const draft = join(folder, `${name}.${process.pid}.tmp`);
  try {
    writeFileSync(draft, seal?.(text) ?? text, { mode: 0o600, flag: "wx" });
    renameSync(draft, join(folder, name));
  } catch (thrown) {
    // Somebody with our number, in another container, writes the same report.
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return null;
    rmSync(draft, { force: true });
    throw thrown;
  }
  return null;
}

/** Asking for the size of every file takes long when there are many; so few that they cannot be too large need it never. */
function isFull(folder: string, id: string, { files, bytes }: SpoolBounds): boolean {
  const names = readdirSync(folder).filter((name) => REPORT.test(name));
  if (names.length >= files) return true;
  if (names.length * SPOOLED_BYTES < bytes || Number.parseInt(id.slice(0, 8), 16) % UNSEEN !== 0) return false;
  let sum = 0;
  for (const name of names) sum += lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  return sum >= bytes;
}

/** Told by whoever leaves the mark, so that the log has it once. */
function markFull(folder: string): string | null {
  try {
    writeFileSync(join(folder, FULL), "", { mode: 0o600, flag: "wx" });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return null;
    throw thrown;
  }
  return `${folder} is full; later reports are dropped until some are digested.`;
}
