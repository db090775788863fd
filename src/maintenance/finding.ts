/**
 * Finding: one check of the doctor, and what can be done about it.
 *
 * A note is worth knowing; a problem needs attention. A remedy is what `--recover` carries out.
 */
import type { Shelf } from "../memory/shelves.ts";
import { counted } from "../text/short-text.ts";
import type { StoreName } from "./backup.ts";

export type Remedy =
  /** Removes other users' access to files and folders. */
  | { kind: "close"; paths: string[] }
  /** Removes what crashed processes left behind. */
  | { kind: "clear"; paths: string[] }
  /** Removes stores that nobody uses, which a command that was interrupted left behind. */
  | { kind: "clear stores"; paths: string[] }
  /** Restores a store from a backup, or begins it empty if there is none and it held nothing. */
  | { kind: "recover"; path: string; store: StoreName; backup: { id: string; made: string } | null }
  /** Assigns a store without a known project to the project being examined. */
  | { kind: "adopt"; path: string; root: string }
  /** Gives the project being examined the memory of one that is gone, or says that they are not the same. */
  | { kind: "take over" | "tell apart"; id: string; from: string; root: string };

export interface Finding {
  check:
    | ("program" | "hosts" | "home" | "settings" | "key" | "store" | "projects")
    | ("team" | "backups" | "model" | "index" | "hooks" | "disk" | "leftovers");
  state: "ok" | "note" | "problem";
  message: string;
  /** The user's next step; null if there is none. */
  next: string | null;
  remedy: Remedy | null;
}

/** What the files, hooks and sessions of a project last left in its store. */
export interface Activity {
  /** Files in the index, and when all files were last checked; null before the first index has finished. */
  files: number;
  checkedAt: number | null;
  /** The last event that hooks or agents reported. */
  reportedAt: number | null;
  /** The last surfaces that were asked for, newest first. */
  surfaces: { at: number; tokens: number; ms: number }[];
}

/** Reports of hooks that nobody has taken in yet, and the transcripts they name that are not there. */
export interface WaitingReports {
  reports: number;
  missing: string[];
}

/** Items that replace each other, so that none of them is in force. */
export interface Circle {
  shelf: Shelf;
  ids: string[];
  /** The last call that changed the newest of them. */
  call: string | null;
}

/** The condition of a store's file. */
export type Condition =
  | { state: "sound"; schema: number; items: number; bytes: number; circle: Circle | null }
  | { state: "damaged"; problems: string[] }
  /** Written by a newer program, or by one from before the first release. */
  | { state: "newer" | "unreleased" | "foreign"; schema: number }
  /** Encrypted, and its key is missing or another one. */
  | { state: "locked"; reason: string }
  | { state: "unreadable"; reason: string };

/** How to move the contents of a store from before the first release into one of this version. */
export const BRING_OVER =
  "Run `stele export` in each project with the version that wrote it, move the data folder away, then run `stele import` " +
  "here. The file was not changed.";

/** The result of recovering a store. */
export interface Recovery {
  /** Where the damaged file was moved; null if it no longer existed. */
  kept: string | null;
  /** The backup that was restored; null if the store begins empty. */
  backup: string | null;
  /** How many the store has now. */
  items: number;
}

/** Findings of the doctor, and the words they share. */
export const RECOVER = "`stele doctor --recover`";
export const MOVE_AWAY = "Move it elsewhere.";

type Check = Finding["check"];

export const ok = (check: Check, message: string): Finding => ({
  check,
  state: "ok",
  message,
  next: null,
  remedy: null,
});
export const note = (check: Check, message: string, next: string | null, remedy: Remedy | null = null): Finding => ({
  check,
  state: "note",
  message,
  next,
  remedy,
});
export const problem = (check: Check, message: string, next: string, remedy: Remedy | null = null): Finding => ({
  check,
  state: "problem",
  message,
  next,
  remedy,
});

const SHOWN = 3;

export function some(texts: readonly string[]): string {
  const more = texts.length - SHOWN;
  return [...texts.slice(0, SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

export const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** What the doctor found, as a document: without the remedies, which are for the doctor alone. */
interface FindingsReport {
  ok: boolean;
  findings: Omit<Finding, "remedy">[];
}

export const reportOf = (findings: readonly Finding[]): FindingsReport => ({
  ok: findings.every(({ state }) => state !== "problem"),
  findings: findings.map(({ remedy: _, ...finding }) => finding),
});

/** Says what a recovery brought back, and what is lost. */
type Recovering = Extract<Remedy, { kind: "recover" }>;

export function recovered({ path, backup }: Recovering, { kept, items }: Recovery): string {
  const where = kept === null ? "" : ` The file that was there is kept in ${kept}.`;
  if (backup === null) return `Began ${path} empty: there is no sound backup of it.${where}`;
  const lost = "What was written since is lost.";
  return `Restored ${path} from ${backupNamed(backup)}: ${counted(items, "item")}. ${lost}${where}`;
}

/** What a person is asked to agree to. */
export const recovering = ({ path, backup }: Recovering): string =>
  `${path}, ${backup === null ? "empty, because there is no sound backup of it" : `from ${backupNamed(backup)}`}`;

/** `made`: by the person's clock. */
export const backupNamed = ({ id, made }: { id: string; made: string }): string => `the backup of ${made} (${id})`;
