/** Backups and the stores of other projects: an erasure must reach those too. */
import type { Backup, StoreName } from "../model/care/backup.ts";
import type { Origin } from "../model/journal/change.ts";
import type { Store } from "./store/store.ts";

/** Options of every operation on backups. */
export interface BackupOptions {
  /** Checks and describes everything without writing. */
  dryRun?: boolean;
}

/** Backups of both stores, taken while they are in use. */
export interface Backups {
  /** The folder of one backup. */
  pathOf(id: string): string;
  take(reason: Backup["reason"], options?: BackupOptions): Promise<{ backup: Backup; dropped: string[] }>;
  /** This project's backups, newest first. */
  list(): Promise<Backup[]>;
  /** Checks the copies, keeps the current data as another backup, then replaces it with the copies. */
  restore(id: string, stores: readonly StoreName[], options?: BackupOptions): Promise<{ replaced: Backup }>;
  /** Whether a backup of any project holds anything of these items. */
  mentions(ids: readonly string[]): Promise<boolean>;
  /** Erases items from every backup; returns the files that could not be cleaned. */
  erase(ids: readonly string[], queries: readonly string[], options?: BackupOptions): Promise<string[]>;
  /** How many copies in backups of any project were not gone over by these rules for secrets. */
  countUnredacted(rules: string): Promise<number>;
  /**
   * Does this work in every copy of every backup; it says whether it changed anything. Returns the files that could not
   * be worked on. A dry run opens none.
   */
  rewrite(work: (copy: Store, store: StoreName) => Promise<boolean>, options?: BackupOptions): Promise<string[]>;
}

/** The stores of the user's other projects. */
export interface OtherSpaces {
  mention(ids: readonly string[]): Promise<boolean>;
  /** Erases items from each store; returns the files that could not be cleaned. */
  erase(ids: readonly string[], queries: readonly string[], origin: Origin): Promise<string[]>;
}
