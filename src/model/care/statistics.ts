/** How the memories of a store are used, for people to read. Only active ones count. */
import type { EdgeShelf, EdgeStatus } from "../memory/edge.ts";

/** Upper bounds of the age groups in days; everything older is one more group. */
export const AGE_GROUPS_DAYS = [1, 7, 30, 90, 365] as const;

/** Memories are counted by day for so long. */
export const COUNTED_DAYS = 90;

/** How many tags and often recalled memories are listed. */
export const LISTED = 10;

export interface StoreStatistics {
  /** One count for each age group, youngest first. */
  ages: number[];
  /** Days since 1970 (UTC) on which memories were made that are still active, with their number; the last of them only. */
  days: { day: number; count: number }[];
  /** Memories that nobody has read or found. */
  neverRecalled: number;
  mostRecalled: { id: string; summary: string; accessCount: number; accessedAt: number }[];
  /** The most frequent ones. */
  tags: { tag: string; count: number }[];
  edges: { shelf: EdgeShelf; status: EdgeStatus; count: number }[];
  /** Vectors kept so that a repeated text is not embedded again. */
  cachedVectors: number;
  /** When maintenance last ran, or null. */
  maintainedAt: number | null;
}
