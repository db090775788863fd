/** Which daily backups of a project have to go: by their number, age and size. The newest always stays. */
import type { Backup } from "../../model/care/backup.ts";
import { DAY_MS } from "../../model/duration.ts";

export interface BackupLimits {
  keep: number;
  keepDays: number;
  megabytes: number;
}

const MEGABYTE = 1_000_000;

export const bytesOf = ({ files }: Pick<Backup, "files">): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

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
