/**
 * Finding: one thing the doctor looked at, and what can be done about it.
 *
 * A note is worth knowing; a problem needs somebody. A remedy is what `--recover` carries out.
 */
import type { StoreName } from "./backup.ts";

export type Remedy =
  /** Files and folders that others could read are closed to them. */
  | { kind: "close"; paths: string[] }
  /** What processes that died left behind goes. */
  | { kind: "clear"; paths: string[] }
  /** A damaged store is made anew. */
  | { kind: "recover"; path: string; store: StoreName }
  /** A store whose project nobody knows any more is given to the one that is looked at. */
  | { kind: "adopt"; path: string; root: string };

export interface Finding {
  check: "program" | "home" | "settings" | "store" | "projects" | "backups" | "model" | "leftovers";
  state: "ok" | "note" | "problem";
  message: string;
  /** The person's next move; null where there is none to make. */
  next: string | null;
  remedy: Remedy | null;
}

/** How a store's file is. */
export type Condition =
  | { state: "sound"; schema: number; items: number; bytes: number }
  | { state: "damaged"; problems: string[] }
  /** Of a newer program, or of one from before the first release. */
  | { state: "newer" | "unreleased"; schema: number }
  | { state: "unreadable"; reason: string };

/** How the contents of a store from before the first release get into one of this version. */
export const BRING_OVER =
  "Run `stele export` with the version that wrote it, move the data folder away, then run `stele import` here. " +
  "The file was not changed.";

/** What became of a damaged store. */
export interface Recovery {
  /** Where the damaged file is kept; null where there was none any more. */
  kept: string | null;
  /** The backup that was built on. */
  backup: string | null;
  fromBackup: number;
  /** Items of the damaged file that the backup did not have, or only older. */
  salvaged: number;
  /** Items that are known to have been there and could not be read. */
  unreadable: number;
}
