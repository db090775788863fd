/**
 * Indexing state: the runs and file watchers by which this process keeps the index current.
 *
 * All verbs of a process share one instance, as long as the world is open. Nothing of it is stored.
 */
import type { Indexed, OnlyNotes } from "../model/corpus/corpus.ts";

/** Null if another process is indexing, or this one is about to exit. */
export type IndexRun = Promise<Indexed | null>;

export interface IndexTurns {
  underWay: IndexRun | null;
  /** Starts after the run under way. */
  next: IndexRun | null;
}

/** Keeps the index current by watching files. */
export interface IndexKeeper {
  readonly only: OnlyNotes;
  isWatching(): boolean;
  /** Whether all reported changes have been indexed. */
  isCurrent(): Promise<boolean>;
  stop(): void;
}

export interface Indexing {
  /** Runs over the notes alone are separate. */
  readonly turns: Map<OnlyNotes, IndexTurns>;
  readonly keepers: Set<IndexKeeper>;
  /** Whether somebody wants the project's files indexed, though they never were. */
  isWanted: boolean;
}
