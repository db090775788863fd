/**
 * Backup: copies of the stores at one time, as described by their manifest.
 *
 * A manifest is read back from disk, so it is checked like any external input: each file has a plain name and is in the
 * manifest's folder, nowhere else.
 */
import * as z from "zod";
import { DAY_MS } from "../time/calendar.ts";

export const STORE_NAMES = ["project", "global"] as const;
export const StoreName = z.enum(STORE_NAMES);
export type StoreName = z.infer<typeof StoreName>;

export const BackupFile = z.object({
  store: StoreName,
  name: z.string().regex(/^\w[\w-]*\.db$/),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  schema: z.int().min(0),
});
export type BackupFile = z.infer<typeof BackupFile>;

export const Backup = z.object({
  id: z.string().regex(/^\d{8}T\d{9}Z-[0-9a-f]{6}$/),
  at: z.int(),
  /** "replaced": the stores that a restore replaced; "daily": made by a server by itself. */
  reason: z.enum(["asked", "replaced", "daily"]),
  /** The project it was made in; the global store is the same for all projects. */
  spaceId: z.string().max(200),
  files: z.array(BackupFile).min(1).max(STORE_NAMES.length),
});
export type Backup = z.infer<typeof Backup>;

export const MANIFEST_FORMAT = 1;
export const Manifest = Backup.extend({ format: z.literal(MANIFEST_FORMAT) });

/** Which daily backups of a project have to go: by their number, age and size. The newest always stays. */
interface BackupLimits {
  keep: number;
  keepDays: number;
  megabytes: number;
}

const MEGABYTE = 1_000_000;

const bytesOf = ({ files }: Pick<Backup, "files">): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

export const fitsBudget = (backup: Pick<Backup, "files">, { megabytes }: BackupLimits): boolean =>
  bytesOf(backup) <= megabytes * MEGABYTE;

/** `backups` are in any order. */
export function surplusBackups(
  backups: readonly Pick<Backup, "id" | "at" | "files">[],
  { keep, keepDays, megabytes }: BackupLimits,
  now: number,
): string[] {
  const newestFirst = backups.toSorted((one, two) => two.at - one.at || (one.id < two.id ? 1 : -1));
  let room = megabytes * MEGABYTE;
  let isFull = false;
  return newestFirst
    .filter((backup, index) => {
      room -= bytesOf(backup);
      // Once one does not fit, an older and smaller one would leave a gap.
      isFull ||= room < 0;
      return index > 0 && (index >= keep || now - backup.at > keepDays * DAY_MS || isFull);
    })
    .map(({ id }) => id);
}
