/** Reads what maintenance and `inspect` need: memories as they age, old records, statistics and sizes. */
import type { AgingMemory } from "../../model/care/aging.ts";
import type { ClockMarks } from "../../model/care/clock-marks.ts";
import type { StoreStatistics } from "../../model/care/statistics.ts";
import type { Shelf } from "../../model/memory/shelf.ts";

/** So many rows are looked at, whatever their number of results, so that no page takes long. */
export interface RowPage {
  /** The row number to begin after; 0 for the first page. */
  after: number;
  rows: number;
}

/** A previous state in the journal, as it is stored. */
export interface KeptState {
  seq: number;
  shelf: Shelf;
  itemId: string;
  payload: string;
}

export interface CareReads {
  /**
   * Lasting memories that are active, archived or pruned, not pinned, and were last changed before this time. `next` is
   * where the next page begins, or null.
   */
  aging(before: number, page: RowPage): Promise<{ memories: AgingMemory[]; next: number | null }>;
  /** Numbers of entries of the access log from before this time, oldest first. */
  agedAccesses(before: number, page: { after: number; limit: number }): Promise<number[]>;
  /** Numbers of journal entries from before this time whose previous state is kept; without decisions and proposals. */
  agedPayloads(before: number, page: { after: number; limit: number }): Promise<number[]>;
  /** Ages are those at `now`. Tags and texts are only of memories that the project `visibleIn` sees, if it is given. */
  statistics(now: number, visibleIn?: string): Promise<StoreStatistics>;
  /** The rules by which everything here was last redacted; null if unknown. */
  redactedBy(): Promise<string | null>;
  /** Previous states in the journal, in order. */
  keptStates(page: { after: number; limit: number }): Promise<KeptState[]>;
  /** Questions in the access log, in order, each with its number. */
  keptQuestions(page: { after: number; limit: number }): Promise<{ seq: number; query: string }[]>;
  /** The times that maintenance noted. */
  clockMarks(): Promise<ClockMarks>;
  /** The size of the file, and how much of it is free. */
  size(): Promise<{ bytes: number; freeBytes: number }>;
}
