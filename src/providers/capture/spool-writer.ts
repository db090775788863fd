/**
 * Spools one report. Run by hooks: it opens no store, and asks the disk as little as possible.
 *
 * A report appears under its name at once and complete. A spool that nobody digests is bounded: its size is looked at
 * now and then, and a mark tells all later hooks that it is full, until something is digested.
 */
import { lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SPOOLED_BYTES, type Spooled } from "../../model/capture/spooled.ts";
import { FULL, PAUSED, READER, REPORT, SPOOL_BOUNDS, type SpoolBounds } from "./spool-folder.ts";
import { createFolder, distrust, isMarked } from "./spool-folder.ts";

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
