/**
 * What this process is doing to keep the index current: runs, and watchers of files.
 *
 * All verbs of a process share one, from the opening of the world to its end. Nothing of it is stored.
 */
import type { Indexed, OnlyNotes } from "../model/corpus/corpus.ts";

/** Null when another process is at it, or this one is about to end. */
export type IndexRun = Promise<Indexed | null>;

export interface IndexTurns {
  underWay: IndexRun | null;
  /** Waits for the one under way. */
  next: IndexRun | null;
}

/** Keeps the index current by watching files. */
export interface IndexKeeper {
  readonly only: OnlyNotes;
  isWatching(): boolean;
  /** Whether all that it was told of has been taken in. */
  isCurrent(): Promise<boolean>;
  stop(): void;
}

export interface Indexing {
  /** Notes alone are looked at apart. */
  readonly turns: Map<OnlyNotes, IndexTurns>;
  readonly keepers: Set<IndexKeeper>;
}
