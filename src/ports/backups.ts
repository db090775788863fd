/** Copies of the stores, and the stores of other projects: what is erased here must go there too. */
import type { Backup, StoreName } from "../model/care/backup.ts";
import type { Origin } from "../model/journal/change.ts";

/** What is asked of a copy before anything is written. */
export interface BackupOptions {
  /** Checks and describes everything, and writes nothing. */
  rehearse?: boolean;
}

/** Copies of both stores, taken while they are in use. */
export interface Backups {
  /** The folder of one backup. */
  pathOf(id: string): string;
  take(reason: Backup["reason"], options?: BackupOptions): Promise<{ backup: Backup; dropped: string[] }>;
  /** Those of this project, newest first. */
  list(): Promise<Backup[]>;
  /** Checks the copies, keeps what is there now as a backup of its own, then puts the copies in its place. */
  restore(id: string, stores: readonly StoreName[], options?: BackupOptions): Promise<{ replaced: Backup }>;
  /** Whether any copy, of any project, holds something of these items. */
  mentions(ids: readonly string[]): Promise<boolean>;
  /** Erases items from every copy; answers the files that could not be cleaned. */
  erase(ids: readonly string[], queries: readonly string[], options?: BackupOptions): Promise<string[]>;
}

/** The stores of the person's other projects. */
export interface OtherSpaces {
  mention(ids: readonly string[]): Promise<boolean>;
  /** Erases items from each of them; answers the files that could not be cleaned. */
  erase(ids: readonly string[], queries: readonly string[], origin: Origin): Promise<string[]>;
}
